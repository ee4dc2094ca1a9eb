import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import * as contract from '#features/security/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf, pagedQueryFor, queryClient, queryFor } from '#foundation/web/api/query.ts'

const authenticators = queryFor(contract.listAuthenticators)
const devices = queryFor(contract.listDevices)

/** The second factors, sorted by kind. */
export function useAuthenticators() {
  const { data, error, refetch } = useQuery(authenticators)
  const all = data?.data
  const factors = all && {
    totp: all.find((each) => each.type === 'totp'),
    codes: all.find((each) => each.type === 'recovery_codes'),
    passkeys: all.filter((each) => each.type === 'webauthn'),
  }
  return { data: factors, error, refetch }
}

export type Factors = NonNullable<ReturnType<typeof useAuthenticators>['data']>

export const useActivity = () =>
  useInfiniteQuery(pagedQueryFor(contract.listActivity, { query: { limit: '10' } }))

export const useDevices = () => useQuery(devices)

export const refreshAuthenticators = () =>
  queryClient.invalidateQueries({ queryKey: keyOf(contract.listAuthenticators) })

/** Signs devices out; the answer is the list that is left. */
export async function endDevices(sessions: number[]) {
  const answer = await call(contract.endDevices, { body: { sessions } })
  if (answer.status === 200) keepAnswer(answer, keyOf(contract.listDevices), answer.body)
  await queryClient.invalidateQueries({ queryKey: keyOf(contract.listDevices) })
  return answer
}

/** Fetches the data of the page while the pointer is still on its way to the link. */
export const prefetchSecurity = (): Promise<unknown> =>
  Promise.all([queryClient.query(authenticators), queryClient.query(devices)])
