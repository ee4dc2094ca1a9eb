import type { Profile } from '#features/profile/contract.ts'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { locales, setLocale, useLocale } from '#foundation/web/i18n/locale.ts'
import { setTheme, themes, useTheme } from '#foundation/web/theme/theme.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { themeNames } from '#foundation/web/ui/preferences.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { FirstPageChoice } from './first-page-choice.tsx'
import { saveLanguage } from './hooks.ts'
import { toastUpdateFailed } from './settings-hooks.ts'
import { TimeZoneChoice } from './time-zone-choice.tsx'

/**
 * The card for language, time zone and theme, and for staff the page on which they begin. The language is that of the pages and, saved in the profile, of mails. Each choice
 * takes effect without a button.
 */
export function LanguageChoice({ profile }: { profile: Profile }) {
  const locale = useLocale()
  return (
    <Card title={m.profile_language_title()}>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          name="language"
          label={m.profile_language()}
          hint={m.profile_language_hint()}
          options={locales.map((value) => ({ value, label: localeNames[value] }))}
          value={locale}
          onChange={(event) => void choose(event.target.value)}
        />
        <TimeZoneChoice profile={profile} />
        <SelectField
          name="theme"
          label={m.shell_theme()}
          hint={m.profile_theme_hint()}
          options={themes.map((value) => ({ value, label: themeNames[value]() }))}
          value={useTheme()}
          onChange={(event) => {
            const theme = themes.find((known) => known === event.target.value)
            if (theme) setTheme(theme)
          }}
        />
        {profile.first_page ? <FirstPageChoice chosen={profile.first_page} /> : null}
      </div>
    </Card>
  )
}

async function choose(slug: string): Promise<void> {
  const locale = locales.find((known) => known === slug)
  if (!locale) return
  setLocale(locale)
  const answer = await saveLanguage(locale)
  if (answer.status !== 200) toastUpdateFailed(answer)
}
