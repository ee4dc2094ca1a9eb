import { useQuery } from '@tanstack/react-query'
import * as contract from '#features/support/desk/view-contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'

export const useViews = () => useQuery(queryFor(contract.listViews))

export async function createView(
  body: InputOf<typeof contract.createView>['body'],
  headers: { 'idempotency-key': string },
) {
  const answer = await call(contract.createView, { headers, body })
  if (answer.status === 201) refreshQueries(contract.listViews)
  return answer
}

export async function updateView(viewId: string, body: InputOf<typeof contract.updateView>['body']) {
  const answer = await call(contract.updateView, { params: { ticketViewId: viewId }, body })
  if (answer.status === 200 || answer.status === 409) refreshQueries(contract.listViews)
  return answer
}

export async function deleteView(viewId: string) {
  const answer = await call(contract.deleteView, { params: { ticketViewId: viewId } })
  refreshQueries(contract.listViews)
  return answer
}
