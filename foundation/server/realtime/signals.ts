import * as z from 'zod/mini'
import { liveEvent, type LiveEventName } from '#foundation/contract.ts'

/** A person who has a room open, such as the page of a ticket. */
export type Looking = { user_id: string; name: string }

/**
 * A transient signal, stored nowhere: it goes to the streams of the people who have the room open, and of the person `to`,
 * never back to its sender. Other processes get it in the NOTIFY itself (1 kB at most).
 */
export type Signal = {
  room: string
  to?: string | undefined
  by: string
  type: LiveEventName
  data: Record<string, unknown>
  /** Reports that `by` has opened the room (`here`), or has left it. */
  looks?: { name: string; here: boolean } | undefined
}

/** A signal with the id of the process that sent it and has handled it already. */
type Sent = Signal & { process: string }

export const printSignal = (word: Signal, process: string): string => JSON.stringify({ ...word, process })

/** Returns the signal of a NOTIFY; undefined if the NOTIFY names a topic instead. */
export const parseSignal = (payload: string): Sent | undefined =>
  payload.startsWith('{') ? sent.parse(JSON.parse(payload)) : undefined

const sent = z.object({
  room: z.string(),
  to: z.optional(z.string()),
  by: z.string(),
  type: z.pipe(z.string(), z.transform(liveEvent)),
  data: z.record(z.string(), z.unknown()),
  looks: z.optional(z.object({ name: z.string(), here: z.boolean() })),
  process: z.string(),
})

/** A page reports its room every 25 s. */
const KEPT_MS = 60_000

/** People and the rooms that they have open, as reported to this process within the last minute. */
export class Viewers {
  readonly #rooms = new Map<string, Map<string, { name: string; until: number }>>()

  hear({ room, by, looks }: Signal): void {
    if (!looks) return
    const people = this.#rooms.get(room) ?? new Map<string, { name: string; until: number }>()
    if (looks.here) people.set(by, { name: looks.name, until: performance.now() + KEPT_MS })
    else people.delete(by)
    if (people.size > 0) this.#rooms.set(room, people)
    else this.#rooms.delete(room)
  }

  has(room: string, user_id: string): boolean {
    return (this.#rooms.get(room)?.get(user_id)?.until ?? 0) > performance.now()
  }

  of(room: string): Looking[] {
    return [...(this.#rooms.get(room) ?? [])]
      .filter(([, { until }]) => until > performance.now())
      .map(([user_id, { name }]) => ({ user_id, name }))
  }

  /** Forgets the people whose pages have stopped reporting. */
  sweep(): void {
    for (const [room, people] of this.#rooms) {
      for (const [user_id, { until }] of people) if (until <= performance.now()) people.delete(user_id)
      if (people.size === 0) this.#rooms.delete(room)
    }
  }
}
