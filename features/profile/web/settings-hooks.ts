import { useQuery } from '@tanstack/react-query'
import * as contract from '#features/profile/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer, keepData } from '#foundation/web/api/keep.ts'
import { keyOf, queryClient, queryFor } from '#foundation/web/api/query.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

// These hooks are not in hooks.ts, which every first page loads for the name of the signed-in user.
const addresses = queryFor(contract.listAddresses)
const mailPreferences = queryFor(contract.getMailPreferences)

export const useAddresses = () => useQuery(addresses)

/** Prefetches the data of the lower part of the page while its code loads. The components of that part retry a failure, and show it. */
export function prefetchSettings(): void {
  queryClient.query(addresses).catch(() => {})
  queryClient.query(mailPreferences).catch(() => {})
}

/** Shows that a change was not saved, if the reason is neither a field nor a conflicting edit. */
export function toastUpdateFailed(answer: { errors: readonly DisplayedError[] }): void {
  if (answer.errors.every(({ param, code }) => param === undefined && code !== 'changed'))
    toastError(() => m.profile_update_failed(), answer)
}

export const useMailPreferences = () => useQuery(mailPreferences)

/** Switches kinds of mail on or off: shown at once, and undone if the server refuses. */
export async function changeMailPreferences(change: Partial<contract.MailPreferences>) {
  const { queryKey } = mailPreferences
  const before = queryClient.getQueryData(queryKey)
  keepData(queryKey, (known) => known && { ...known, ...change })
  const answer = await call(contract.changeMailPreferences, { body: change })
  // The other kinds may have been switched meanwhile, and the answer to that may come first.
  const changed = Object.entries((answer.status === 200 ? answer.body : before) ?? {})
  const shown = Object.fromEntries(changed.filter(([kind]) => kind in change))
  keepAnswer(answer, queryKey, (known) => known && { ...known, ...shown })
  return answer
}

/** Reloads the addresses, and the profile, which shows the primary address. */
export async function refreshAddresses(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf(contract.listAddresses) }),
    queryClient.invalidateQueries({ queryKey: keyOf(contract.getProfile) }),
  ])
}
