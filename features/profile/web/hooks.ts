import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import * as contract from '#features/profile/contract.ts'
import { languageId } from '#features/profile/rules.ts'
import type { InputOf } from '#foundation/contract.ts'
import { whenIdle } from '#foundation/web/when-idle.ts'
import { isPassing } from '#foundation/web/api/answer.ts'
import { call } from '#foundation/web/api/call.ts'
import { keyOf, queryClient, queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { useLocale, type Locale } from '#foundation/web/i18n/locale.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

const profile = { ...queryFor(contract.getProfile), staleTime: Infinity }
const countries = { ...queryFor(contract.listCountries), staleTime: Infinity }
const addresses = queryFor(contract.listAddresses)
const mailPreferences = queryFor(contract.getMailPreferences)

/** The signed-in user. Fetched once, however many ask, and again when it was changed elsewhere (row P-03). */
export const useProfile = () => useQuery(profile)

/** Loads the signed-in user into the cache. Never fails: the component that shows it asks again, and shows the error. */
export const fetchProfile = (): Promise<unknown> => queryClient.query(profile).catch(() => {})

export const useAddresses = () => useQuery(addresses)

/**
 * The countries by their names in the present language, in its order. Until the whole list is wanted and has
 * loaded, it holds only the countries already chosen: naming and sorting 250 takes a phone longer than the
 * rest of the page. A chosen one stays: a select whose option vanishes shows none, and the form would take
 * that for a change (rule 45).
 */
export function useCountries(present: string, wanted: boolean): readonly CountryOption[] {
  const locale = useLocale()
  const names = useCountryNames(locale)
  const { data } = useQuery({ ...countries, enabled: wanted })
  const [seen, setSeen] = useState<readonly string[]>([])
  if (present !== '' && !seen.includes(present)) setSeen([...seen, present])
  return useMemo(() => {
    const optionOf = ({ code, name }: { code: string; name: string }) => ({
      value: code,
      label: names?.of(code) ?? name,
    })
    const listed = wanted && data ? data : []
    const unlisted = seen.filter((code) => !listed.some((country) => country.code === code))
    const all = [...listed, ...unlisted.map((code) => ({ code, name: code }))]
    const { compare } = new Intl.Collator(locale)
    return all.map(optionOf).toSorted((one, other) => compare(one.label, other.label))
  }, [locale, names, data, seen, wanted])
}

/** The browser's own names of countries. Reading them in takes a phone 70 ms: the page comes first. */
function useCountryNames(locale: Locale): Intl.DisplayNames | undefined {
  const [names, setNames] = useState(countryNames)
  useEffect(
    () =>
      whenIdle(() => {
        if (countryNames?.resolvedOptions().locale !== locale)
          countryNames = new Intl.DisplayNames(locale, { type: 'region' })
        setNames(countryNames)
      }),
    [locale],
  )
  return names
}

let countryNames: Intl.DisplayNames | undefined

type CountryOption = { value: string; label: string }

/**
 * Prefetches the data of the page while the pointer is still on its way to the link; parts further down are
 * not waited for.
 */
export function prefetchProfile(): Promise<unknown> {
  // A failure here is retried, and shown, by the page.
  queryClient.query(addresses).catch(() => {})
  queryClient.query(mailPreferences).catch(() => {})
  return queryClient.query(profile)
}

/**
 * Sends the changed fields. The answer is the profile as it is now, and every page shows it from then on (row
 * P-03).
 */
export async function saveProfile(body: InputOf<typeof contract.updateProfile>['body']) {
  const answer = await call(contract.updateProfile, { body })
  if (answer.status === 409 && answer.errors[0]?.code === 'changed')
    queryClient.setQueryData(keyOf(contract.getProfile), answer.body.present)
  if (answer.status === 200) queryClient.setQueryData(profile.queryKey, answer.body)
  // It may have been saved or not.
  else if (isPassing(answer.status)) refreshQueries(contract.getProfile)
  return answer
}

/** Shows that a change was not saved, if the reason is neither a field nor a conflicting edit. */
export function toastUpdateFailed(answer: { errors: readonly DisplayedError[] }): void {
  if (answer.errors.every(({ param, code }) => param === undefined && code !== 'changed'))
    toastError(() => m.profile_update_failed(), answer)
}

/** Keeps a chosen language in the profile, so that mails are written in it and the next device shows it. */
export const saveLanguage = (locale: Locale) => saveProfile({ language: languageId(locale) })

export const useMailPreferences = () => useQuery(mailPreferences)

/** Switches kinds of mail on or off: shown at once, and undone if the server refuses. */
export async function changeMailPreferences(change: Partial<contract.MailPreferences>) {
  const show = (shown: Partial<contract.MailPreferences>) =>
    queryClient.setQueryData(mailPreferences.queryKey, (before) => before && { ...before, ...shown })
  const before = queryClient.getQueryData(mailPreferences.queryKey)
  show(change)
  const answer = await call(contract.changeMailPreferences, { body: change })
  const undone = Object.fromEntries(Object.entries(before ?? {}).filter(([kind]) => kind in change))
  show(answer.status === 200 ? answer.body : undone)
  return answer
}

/** Addresses changed: the list, and with the primary one the profile. */
export async function refreshAddresses(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf(contract.listAddresses) }),
    queryClient.invalidateQueries({ queryKey: keyOf(contract.getProfile) }),
  ])
}
