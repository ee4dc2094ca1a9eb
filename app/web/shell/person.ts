import { useEffect } from 'react'
import type { Profile } from '#features/profile/contract.ts'
import { fullName, languageById } from '#features/profile/rules.ts'
import { saveLanguage, saveProfile, useProfile } from '#features/profile/web/calls.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { currentLocale, hasChosenLocale, setLocale } from '#foundation/web/i18n/locale.ts'

/** Full name, or else the display value (row R-13). */
export function nameOf(person: Profile | undefined): string {
  return (person && (fullName(person) || person.display)) || storedSession.user()?.display || ''
}

/**
 * Row A-11: when a token appears, the profile and the screen come to one language. Whoever chose one on this device
 * means it, so the profile (and with it the mails) follows; on a new device the profile decides.
 */
export function useProfileLanguage(): void {
  const { data: person } = useProfile()
  const language = person?.language
  useEffect(() => {
    const slug = language === undefined ? undefined : languageById(language)
    if (!slug || slug === currentLocale()) return
    if (hasChosenLocale()) void saveLanguage(currentLocale())
    else setLocale(slug)
    // Only when the profile comes or changes: a choice in the switcher saves itself.
  }, [language])
}

/** An account that has no time zone yet, for the times in its mails, gets that of the first browser it is used in. */
export function useProfileTimeZone(): void {
  const isUnknown = useProfile().data?.time_zone === ''
  useEffect(() => {
    if (isUnknown) void saveProfile({ time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone })
  }, [isUnknown])
}
