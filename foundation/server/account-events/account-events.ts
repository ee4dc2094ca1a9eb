import type { AccountEvent } from './contract.ts'
import type { App } from '#foundation/server/app.ts'
import { OPERATOR, readAfter, type AccountEventRow, type EventFilter } from './queries.ts'

export { eraseEvents, newestNumbers, numberAt, OPERATOR, readOne, redactEvents } from './queries.ts'
export type { AccountEventRow, EventFilter } from './queries.ts'
export { numberOperatorEvents } from './number-events.ts'
export { goneNumbers } from './number-queries.ts'
export { becomeReader, settleReading } from './reading.ts'

/** The events behind a number of a list. */
export type Following = {
  events: AccountEventRow[]
  /** The number to read on from: the last that was looked at, also where the filter left its event out. */
  seq: number
  /** False if something between the number that was asked for and the first event is gone, or was never written. */
  isComplete: boolean
  hasMore: boolean
  begins: number
  newest: number
}

/**
 * The events of a list after a number, in their order. All numbers up to the newest are committed, and none becomes visible behind a later
 * one. `seq` undefined begins with the oldest that is kept.
 */
export async function eventsAfter(
  db: App['db'],
  owner: string,
  seq: number | undefined,
  { limit, ...filter }: EventFilter & { limit: number },
): Promise<Following> {
  const page = await readAfter(db, owner, { ...filter, after: seq, limit })
  const { last, begins, events } = page ?? { last: 0, begins: 0, events: [] }
  const isFull = events.length === limit
  const end = isFull ? (events.at(-1)?.seq ?? last) : last
  return {
    events,
    seq: end,
    isComplete: seq === undefined || (seq >= begins && seq <= last),
    hasMore: isFull && end < last,
    begins,
    newest: last,
  }
}

/** An event as programs get it, by pulling and by webhooks; its id is the same for ever. */
export const envelopeOf = ({ user_id, customer_id, ...event }: AccountEventRow): AccountEvent => ({
  id: `evt_${user_id === OPERATOR ? 'operator' : user_id}_${event.seq}`,
  seq: event.seq,
  type: event.type,
  occurred_at: event.occurred_at.toISOString(),
  host_id: event.host_id,
  data: event.data,
  ...(customer_id === null ? {} : { customer: { id: customer_id } }),
})
