import { randomUUID } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import {
  eventsAfter,
  numberOperatorEvents,
  OPERATOR,
  type AccountEventRow,
} from '#foundation/server/account-events/account-events.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { isAnyDue, takeLanes, type Lane } from './due-lane-queries.ts'
import * as lanes from './lane-queries.ts'
import { LEASE_s, LEAST_LEFT_s } from './lease.ts'
import { filterOf, isWanted, laneOf, messageOf } from './messages.ts'
import { noteOutcome } from './note-outcome.ts'
import type { EndpointRow } from './queries.ts'
import { send } from './send.ts'

/** The lanes that one process delivers at once. One that waits for an answer holds up no other. */
const PLACES = 64
const BATCH = 20
/** After this many events, or this time, a lane waits for its next turn, so that a long backlog or a slow program holds up no other. */
const TURN = 200
const TURN_ms = 10_000

type Deliveries = { running: Set<Promise<void>>; isEnding: boolean }

/** The lanes that a process delivers now. */
const deliveries = new WeakMap<App['db'], Deliveries>()

/** Takes what is due and begins to deliver it; returns before it is delivered. */
export async function deliverDue(app: App): Promise<void> {
  const now = deliveries.get(app.db) ?? { running: new Set(), isEnding: false }
  deliveries.set(app.db, now)
  now.isEnding = false
  const { running } = now
  const most = PLACES - running.size
  if (most === 0) return
  await numberOperatorEvents(app)
  if (!(await isAnyDue(app.db))) return
  const lease = randomUUID()
  const taken = await transaction(app, 'system', (tx) => takeLanes(tx, { lease, most, lease_s: LEASE_s }))
  for (const lane of taken) {
    const work: Promise<void> = deliverLane(app, lane, now)
      // The lease ends by itself, and the lane goes on where its cursor stands.
      .catch((error: unknown) =>
        app.log.warn({ err: error }, 'webhooks: a delivery was interrupted; it goes on'),
      )
      .finally(() => running.delete(work))
    running.add(work)
  }
}

/** Waits for what is being delivered. */
export async function deliveriesEnded(app: App): Promise<void> {
  const now: Iterable<Promise<void>> = deliveries.get(app.db)?.running ?? []
  await Promise.all(now)
}

/**
 * Lets each lane finish the event that is on its way, and no other, when the process ends: a backlog that was cut off by the end would send
 * an event twice.
 */
export async function endDeliveries(app: App): Promise<void> {
  const now = deliveries.get(app.db)
  if (now) now.isEnding = true
  await deliveriesEnded(app)
}

/** Delivers the events of a lane in order, one at a time, until there are no more, or one fails. */
async function deliverLane(app: App, lane: Lane, now: Deliveries): Promise<void> {
  let seq = Number(lane.seq)
  const end_ms = performance.now() + TURN_ms
  for (let sent = 0; sent < TURN; sent += 1) {
    const endpoint = await heldEndpoint(app, lane)
    if (!endpoint) return
    const page = await eventsAfter(app.db, endpoint.user_id ?? OPERATOR, seq, {
      ...filterOf(endpoint),
      limit: BATCH,
    })
    if (!page.isComplete) await transaction(app, 'system', (tx) => lanes.noteMissed(tx, endpoint.id))
    for (const event of page.events.filter((one) => laneOf(endpoint, one) === lane.lane)) {
      if (now.isEnding || performance.now() >= end_ms) return release(app, lane)
      sent += 1
      if (!(await deliverOne(app, lane, event))) return
      seq = event.seq
    }
    if (page.seq > seq && !(await moveOn(app, lane, page.seq))) return
    seq = page.seq
    if (!page.hasMore) break
  }
  await release(app, lane)
}

/** Sends one event, by what is set for the endpoint at this moment. Returns true if the lane goes on. */
async function deliverOne(app: App, lane: Lane, event: AccountEventRow): Promise<boolean> {
  const endpoint = await heldEndpoint(app, lane)
  if (!endpoint) return false
  // The page was read before its owner wanted less.
  if (!isWanted(endpoint, event)) return moveOn(app, lane, event.seq)
  const outcome = await send(app, endpoint, messageOf(event))
  return noteOutcome(app, { lane, endpoint, event, ...outcome })
}

/**
 * The endpoint of a lane that this worker holds, and holds for longer than an attempt takes: on a machine that is slow, no other takes the lane
 * and sends the same. Undefined if the lane is another's by now, or the endpoint was paused or disabled.
 */
export async function heldEndpoint(app: App, lane: Lane): Promise<EndpointRow | undefined> {
  const held = await lanes.endpointOfLane(app.db, lane)
  if (!held || held.left_s > LEAST_LEFT_s) return held
  const isHeld = await transaction(app, 'system', (tx) => lanes.renewLease(tx, lane, LEASE_s))
  return isHeld ? held : undefined
}

const moveOn = (app: App, lane: Lane, seq: number): Promise<boolean> =>
  transaction(app, 'system', (tx) => lanes.moveOn(tx, lane, seq, LEASE_s))

const release = (app: App, lane: Lane): Promise<void> =>
  transaction(app, 'system', (tx) => lanes.releaseLane(tx, lane))
