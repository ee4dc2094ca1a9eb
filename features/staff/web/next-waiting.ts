import { listStaffTickets, type Ticket } from '#features/tickets/contract.ts'
import { call } from '#foundation/web/api/call.ts'

/** Who waits longest, first among what I have, then among what nobody has; never the ticket one comes from. */
export async function nextWaiting(from: string): Promise<Ticket | undefined | 'failed'> {
  for (const query of [{ tab: 'processing', assignee: 'me' }, { tab: 'incoming' }] as const) {
    const answer = await call(listStaffTickets, { query: { ...query, limit: '2' } })
    if (answer.status !== 200) return 'failed'
    const next = answer.body.items.find(({ id }) => id !== from)
    if (next) return next
  }
  return undefined
}
