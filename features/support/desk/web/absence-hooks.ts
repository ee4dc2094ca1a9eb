import * as contract from '#features/support/desk/absence-contract.ts'
import { listColleagues, listStaffTickets } from '#features/support/desk/contract.ts'
import { MOST_TICKETS } from '#features/support/desk/rules.ts'
import type { InputOf } from '#foundation/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { actOnSeveral } from './several.ts'

export async function setAbsence(body: InputOf<typeof contract.setAbsence>['body']) {
  const answer = await call(contract.setAbsence, { body })
  refreshQueries(listColleagues)
  return answer
}

export async function endAbsence() {
  const answer = await call(contract.endAbsence, {})
  refreshQueries(listColleagues)
  return answer
}

/** Returns the caller's open tickets to the queue, a hundred at most; a toast tells how many, and takes it back. */
export async function returnMyTickets(): Promise<void> {
  const lists = await Promise.all(
    (['processing', 'waiting', 'snoozed'] as const).map((tab) =>
      call(listStaffTickets, { query: { tab, assignee: 'me', limit: '100' } }),
    ),
  )
  const failed = lists.find(({ status }) => status !== 200)
  if (failed) return void toastError(m.desk_act_failed, failed)
  const mine = lists.flatMap((list) => (list.status === 200 ? list.body.items : []))
  // A ticket that changes its tab meanwhile is in both lists.
  const each = [...new Map(mine.map((ticket) => [ticket.id, ticket])).values()]
  if (each.length > 0) await actOnSeveral(each.slice(0, MOST_TICKETS), { assignee: 'none' })
}
