import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getProfile, listLanguages, updateProfile } from '#features/profile/contract.ts'
import type { Profile } from '#features/profile/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { keyOf, queryClient, reading } from '#foundation/web/api/query.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { currentLocale, hasChosenLocale, locales, setLocale } from '#foundation/web/i18n/locale.ts'
import type { Locale } from '#foundation/web/i18n/locale.ts'

/** The profile of who is signed in. Fetched once; a change of it asks again (row P-03). */
export const usePerson = () => useQuery({ ...reading(getProfile), staleTime: Infinity })

/** Full name, or else the display value (row R-13). */
export function nameOf(person: Profile | undefined): string {
  const full = [person?.name, person?.middle_name, person?.surname].filter(Boolean).join(' ')
  return full || person?.display || storedSession.user()?.display || ''
}

/**
 * Row A-11: when a token appears, the profile and the screen come to one language. Whoever chose one on this device
 * means it, so the profile (and with it the mails) follows; on a new device the profile decides.
 */
export function useProfileLanguage(): void {
  const { data: person } = usePerson()
  const { data: languages } = useQuery({ ...reading(listLanguages), staleTime: Infinity })
  const queries = useQueryClient()
  const language = person?.language
  useEffect(() => {
    if (language === undefined || !languages) return
    const slug = languages.find(({ uuid }) => uuid === language)?.slug
    if (slug === currentLocale()) return
    if (hasChosenLocale()) void saveLanguage(currentLocale())
    else if (isLocale(slug)) setLocale(slug)
    // Only when the profile comes or changes: a choice in the switcher saves itself.
  }, [language, languages, queries])
}

/** Keeps a chosen language in the profile; should that fail, the screen has it all the same. */
export async function saveLanguage(locale: Locale): Promise<void> {
  const languages = await queryClient.ensureQueryData(reading(listLanguages)).catch(() => [])
  const language = languages.find(({ slug }) => slug === locale)?.uuid
  if (language === undefined) return
  const answer = await call(updateProfile, { body: { language } })
  if (answer.status === 200) queryClient.setQueryData(keyOf(getProfile), answer.body)
}

const isLocale = (slug: string | undefined): slug is Locale => locales.some((locale) => locale === slug)
