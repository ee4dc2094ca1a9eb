import { localeNames, locales, setLocale, useLocale } from '#foundation/web/i18n/locale.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { saveLanguage } from './calls.ts'

/** The language of this screen and, kept in the profile, of the mails. It takes effect without a button. */
export function LanguageChoice() {
  const locale = useLocale()
  return (
    <Card title={m.profile_language_title()}>
      <div className="sm:max-w-72">
        <SelectField
          name="language"
          label={m.profile_language()}
          hint={m.profile_language_hint()}
          options={locales.map((value) => ({ value, label: localeNames[value] }))}
          value={locale}
          onChange={(event) => void choose(event.target.value)}
        />
      </div>
    </Card>
  )
}

async function choose(slug: string): Promise<void> {
  const locale = locales.find((known) => known === slug)
  if (!locale) return
  setLocale(locale)
  const { status } = await saveLanguage(locale)
  if (status !== 200) toastError(() => m.profile_update_failed())
}
