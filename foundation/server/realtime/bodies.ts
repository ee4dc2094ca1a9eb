import type { LiveEventName } from '#foundation/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { positionKey, STAFF, type Reading, type StoredEvent } from './queries.ts'
import type { Sent } from './stream.ts'

/** An event about to be sent, to one person or (`as_staff`) to the staff. */
export type EventToSend = { type: string; as_staff: boolean; data: Record<string, unknown> }

/**
 * The bodies that a feature adds to its events when they are sent, so that their readers need not ask. The log holds ids only; each
 * process that has readers reads the bodies once for a batch of events, in their state at that moment.
 */
export type EventBodies = {
  types: readonly LiveEventName[]
  /** The room of the event, such as the id of a ticket: only the members of staff who have the room open are sent the body. */
  roomOf: (data: Record<string, unknown>) => string
  /** The bodies in the order of the events; undefined where there is nothing (any more). */
  read: (app: App, events: readonly EventToSend[]) => Promise<(object | undefined)[]>
}

/** In characters of JSON. A larger body is not sent, and the page asks for the thing by an ordinary call. */
const BODY_CAP = 16 * 1024

/** Adds bodies to the events of `readings`, by position. `isWatched` is true for a room that a reader of this process has open. */
export async function withBodies(
  app: App,
  readings: readonly Reading[],
  isWatched: (room: string) => boolean,
): Promise<Map<string, Reading & { events: Sent[] }>> {
  const events = new Map<string, Sent>()
  const found = new Map<string, Reading & { events: Sent[] }>()
  for (const reading of readings) {
    const { topic } = reading
    found.set(positionKey(reading), {
      ...reading,
      events: reading.events.map((event) => {
        const key = `${topic}:${event.seq}`
        const known = events.get(key) ?? sentFrom(app, event, topic === STAFF)
        events.set(key, known)
        return known
      }),
    })
  }
  for (const kind of app.eventBodies) {
    const wanted = [...events.values()].filter(
      ({ type, as_staff, room }) =>
        kind.types.some((name) => name === type) && (!as_staff || (room !== undefined && isWatched(room))),
    )
    if (wanted.length === 0) continue
    const toSend = wanted.map(({ type, as_staff, payload }) => ({ type, as_staff, data: payload }))
    const bodies = await kind.read(app, toSend)
    for (const [index, event] of wanted.entries()) {
      const body = bodies[index]
      if (body && JSON.stringify(body).length <= BODY_CAP) event.body = body
    }
  }
  return found
}

const sentFrom = ({ eventBodies }: App, event: StoredEvent, as_staff: boolean): Sent => ({
  ...event,
  as_staff,
  room: eventBodies.find(({ types }) => types.some((name) => name === event.type))?.roomOf(event.payload),
  body: undefined,
  printed: {},
})
