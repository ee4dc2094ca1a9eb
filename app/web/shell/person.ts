import { useEffect, useRef } from 'react'
import type { Profile } from '#features/profile/contract.ts'
import { fullName, languageById } from '#features/profile/rules.ts'
import { saveProfile, useProfile } from '#features/profile/web/hooks.ts'
import { CallError } from '#foundation/web/api/query.ts'
import { storedSession, takeSignIn } from '#foundation/web/api/stored-session.ts'
import { currentLocale, hasChosenLocale, setLocale } from '#foundation/web/i18n/locale.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

/** Returns the full name of the user, or else the display name of the account (row R-13). */
export function nameOf(person: Profile | undefined): string {
  return (person && (fullName(person) || person.display)) || storedSession.user()?.display || ''
}

/**
 * Shows the pages in the profile's language after a sign-in (row A-11), and on a device on which nobody has chosen a language. The
 * language that is stored on the device may be another person's choice, so it never changes the profile and the language of mails. A
 * choice while signed in is saved where it is made.
 */
export function useProfileLanguage(): void {
  const { data: person } = useProfile()
  const language = person?.language
  const shownFirst = useRef(currentLocale())
  useEffect(() => {
    const slug = language === undefined ? undefined : languageById(language)
    if (!slug || !(takeSignIn() || !hasChosenLocale())) return
    // A language that was chosen before the profile was loaded is newer than the profile.
    if (currentLocale() === shownFirst.current) setLocale(slug)
  }, [language])
}

/** Shows a toast if the profile could not be loaded. The pages work without its name and language. */
export function useProfileFailure(): void {
  const { error } = useProfile()
  useEffect(() => {
    if (error instanceof CallError) toastError(m.profile_fetch_failed, error.answer)
  }, [error])
}

/** Stores the time zone of this browser in a profile without one. Mails show their times in it. */
export function useProfileTimeZone(): void {
  const isUnknown = useProfile().data?.time_zone === ''
  useEffect(() => {
    if (isUnknown) void saveProfile({ time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone })
  }, [isUnknown])
}
