import { useEffect, useRef } from 'react'
import type { Profile } from '#features/profile/contract.ts'
import { fullName, languageById } from '#features/profile/rules.ts'
import { saveProfile, useProfile } from '#features/profile/web/hooks.ts'
import { CallError } from '#foundation/web/api/query.ts'
import { storedSession, takeSignIn } from '#foundation/web/api/stored-session.ts'
import { currentLocale, hasChosenLocale, setLocale } from '#foundation/web/i18n/locale.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

/** Full name, or else the display value (row R-13). */
export function nameOf(person: Profile | undefined): string {
  return (person && (fullName(person) || person.display)) || storedSession.user()?.display || ''
}

/**
 * Row A-11: when a token appears, the screen takes the profile's language. The value stored on the device may be somebody
 * else's choice: it never changes in which language mails are written. A choice made while signed in saves itself.
 */
export function useProfileLanguage(): void {
  const { data: person } = useProfile()
  const language = person?.language
  const shownFirst = useRef(currentLocale())
  useEffect(() => {
    const slug = language === undefined ? undefined : languageById(language)
    if (!slug || !(takeSignIn() || !hasChosenLocale())) return
    // A choice made before the profile came is newer than the profile.
    if (currentLocale() === shownFirst.current) setLocale(slug)
  }, [language])
}

/** Says once that nobody knows who is signed in: the pages go on without name and language. */
export function useProfileFailure(): void {
  const { error } = useProfile()
  useEffect(() => {
    if (error instanceof CallError) toastError(m.profile_fetch_failed, error.answer)
  }, [error])
}

/** An account that has no time zone yet, for the times in its mails, gets that of the first browser it is used in. */
export function useProfileTimeZone(): void {
  const isUnknown = useProfile().data?.time_zone === ''
  useEffect(() => {
    if (isUnknown) void saveProfile({ time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone })
  }, [isUnknown])
}
