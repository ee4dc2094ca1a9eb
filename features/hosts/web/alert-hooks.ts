import { useQuery } from '@tanstack/react-query'
import * as contract from '#features/hosts/alert-contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { queryClient, queryFor, refreshQueries } from '#foundation/web/api/query.ts'

const open = queryFor(contract.listAlerts, {})
const settings = queryFor(contract.getAlertSettings, {})
const ofHost = (hostId: string) => queryFor(contract.getHostAlerts, { params: { hostId } })

export const useOpenAlerts = () => useQuery(open)
export const prefetchOpenAlerts = (): Promise<unknown> => queryClient.query(open)

export const useHostAlerts = (hostId: string) => useQuery(ofHost(hostId))
export const useAlertSettings = () => useQuery(settings)

/** Reloads what is shown of alerts. */
export function refreshAlerts(): void {
  refreshQueries(contract.listAlerts)
  refreshQueries(contract.getHostAlerts)
}

/** Saves the values of one server. */
export async function saveHostAlerts(
  hostId: string,
  body: InputOf<typeof contract.updateHostAlerts>['body'],
) {
  const answer = await call(contract.updateHostAlerts, { params: { hostId }, body })
  if (answer.status === 200) keepAnswer(answer, ofHost(hostId).queryKey, answer.body)
  refreshQueries(contract.listAlerts)
  return answer
}

/** Saves the values of the account. */
export async function saveAlertSettings(body: contract.AlertSettings) {
  const answer = await call(contract.updateAlertSettings, { body })
  if (answer.status === 200) keepAnswer(answer, settings.queryKey, answer.body)
  refreshAlerts()
  return answer
}
