import { randomUUID } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import { eventsAfter, OPERATOR } from '#foundation/server/account-events/account-events.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import * as lanes from './lane-queries.ts'
import { LEASE_s } from './lease.ts'
import { filterOf, laneOf, messageOf } from './messages.ts'
import { noteOutcome } from './note-outcome.ts'
import { send } from './send.ts'

/** The lanes that one process delivers at once. One that waits for an answer holds up no other. */
const PLACES = 64
const BATCH = 20
/** After this many events a lane waits for its next turn, so that a long backlog holds up no other. */
const TURN = 200

/** The lanes that a process delivers now. */
const running = new WeakMap<App['db'], Set<Promise<void>>>()

/** Takes what is due and begins to deliver it; returns before it is delivered. */
export async function deliverDue(app: App): Promise<void> {
  const now = running.get(app.db) ?? new Set()
  running.set(app.db, now)
  const most = PLACES - now.size
  if (most === 0 || !(await lanes.isAnyDue(app.db))) return
  const lease = randomUUID()
  const taken = await transaction(app, 'system', (tx) =>
    lanes.takeLanes(tx, { lease, most, lease_s: LEASE_s }),
  )
  for (const lane of taken) {
    const work: Promise<void> = deliverLane(app, lane)
      // The lease ends by itself, and the lane goes on where its cursor stands.
      .catch((error: unknown) =>
        app.log.warn({ err: error }, 'webhooks: a delivery was interrupted; it goes on'),
      )
      .finally(() => now.delete(work))
    now.add(work)
  }
}

/** Waits for what is being delivered, when the process ends. */
export async function deliveriesEnded(app: App): Promise<void> {
  const now: Iterable<Promise<void>> = running.get(app.db) ?? []
  await Promise.all(now)
}

/** Delivers the events of a lane in order, one at a time, until there are no more, or one fails. */
async function deliverLane(app: App, lane: lanes.Lane): Promise<void> {
  let seq = Number(lane.seq)
  for (let sent = 0; sent < TURN; sent += 1) {
    const endpoint = await lanes.endpointOfLane(app.db, lane)
    if (!endpoint) return
    const page = await eventsAfter(app.db, endpoint.user_id ?? OPERATOR, seq, {
      ...filterOf(endpoint),
      limit: BATCH,
    })
    if (!page.isComplete) await transaction(app, 'system', (tx) => lanes.noteMissed(tx, endpoint.id))
    for (const event of page.events.filter((one) => laneOf(endpoint, one) === lane.lane)) {
      sent += 1
      const outcome = await send(app, endpoint, messageOf(event))
      if (!(await noteOutcome(app, { lane, endpoint, event, ...outcome }))) return
      seq = event.seq
    }
    if (
      page.seq > seq &&
      !(await transaction(app, 'system', (tx) => lanes.moveOn(tx, lane, page.seq, LEASE_s)))
    )
      return
    seq = page.seq
    if (!page.hasMore) break
  }
  await transaction(app, 'system', (tx) => lanes.releaseLane(tx, lane))
}
