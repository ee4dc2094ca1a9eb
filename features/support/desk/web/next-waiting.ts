import { listStaffTickets } from '#features/support/desk/contract.ts'
import { type Ticket } from '#features/support/tickets/contract.ts'
import { call } from '#foundation/web/api/call.ts'

/**
 * Returns the ticket that waits longest: one of the reader's own, else an unassigned one, but never the ticket `from`. Undefined if none
 * waits.
 */
export async function nextWaiting(from: string): Promise<Ticket | undefined | 'failed'> {
  for (const query of [{ tab: 'processing', assignee: 'me' }, { tab: 'incoming' }] as const) {
    const answer = await call(listStaffTickets, { query: { ...query, limit: '2' } })
    if (answer.status !== 200) return 'failed'
    const next = answer.body.items.find(({ id }) => id !== from)
    if (next) return next
  }
  return undefined
}
