import { useQuery } from '@tanstack/react-query'
import * as contract from '#features/profile/contract.ts'
import { languageId } from '#features/profile/rules.ts'
import type { InputOf } from '#foundation/contract.ts'
import { isPassing } from '#foundation/web/api/answer.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf, queryClient, queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import type { Locale } from '#foundation/web/i18n/locale.ts'

const profile = { ...queryFor(contract.getProfile), staleTime: Infinity }

/** The profile of the signed-in user. It is fetched once for all components, and again when it was changed elsewhere (row P-03). */
export const useProfile = () => useQuery(profile)

/**
 * Loads the profile of the signed-in user into the cache. Never fails: the component that shows the profile tries again, and shows
 * the error.
 */
export const fetchProfile = (): Promise<unknown> => queryClient.query(profile).catch(() => {})

/** The profile as far as it is loaded. */
export const keptProfile = () => queryClient.getQueryData(profile.queryKey)

/** Sends the changed fields. The answer is the profile as it is now, and every page shows it from then on (row P-03). */
export async function saveProfile(body: InputOf<typeof contract.updateProfile>['body']) {
  const answer = await call(contract.updateProfile, { body })
  if (answer.status === 409 && answer.errors[0]?.code === 'changed')
    keepAnswer(answer, keyOf(contract.getProfile), answer.body.present)
  if (answer.status === 200) keepAnswer(answer, profile.queryKey, answer.body)
  // It is unknown whether the change was saved, so the profile is loaded again.
  else if (isPassing(answer.status)) refreshQueries(contract.getProfile)
  return answer
}

/** Keeps a chosen language in the profile, so that mails are written in it and the next device shows it. */
export const saveLanguage = (locale: Locale) => saveProfile({ language: languageId(locale) })
