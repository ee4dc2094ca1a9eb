import { liveEvent, type LiveEventName } from '#foundation/contract.ts'
import { STREAM_RESYNC } from '#foundation/live-contract.ts'

type Listener = (data: Record<string, unknown>) => unknown

/**
 * A feature's reaction to a live event. `features/x/web/live.ts` has the feature's reactions, which its feature.tsx loads after the
 * first page, so that they do not slow it down; those of staff are in staff-feature.tsx.
 */
export type LiveReaction = readonly [type: LiveEventName, react: Listener]

/** Subscribes to events of one type, whichever tab holds the stream. Returns the function to unsubscribe. */
export function subscribe(type: LiveEventName, listener: Listener): () => void {
  const heard = listeners.get(type) ?? new Set()
  listeners.set(type, heard.add(listener))
  return () => heard.delete(listener)
}

/**
 * Subscribes to the signal that events may have been missed, so that the shown data must be loaded anew: after a `resync` of the
 * server, and once when a page begins to listen, if something may have happened since it loaded its data.
 */
export const onResync = (listener: () => void): (() => void) => subscribe(STREAM_RESYNC, listener)

/** Subscribes to the opening of the stream, for the first time or again: calls that failed meanwhile may succeed now. */
export const onReconnect = (listener: () => void): (() => void) => subscribe(BACK, listener)

/** Subscribes to changes of `isHearing`: events have begun, or ceased, to arrive. */
export const onHearing = (listener: () => void): (() => void) => subscribe(HEARING, listener)

/** Calls the subscribers of an event. */
export function announce(type: string, data: Record<string, unknown> = {}): void {
  for (const listener of listeners.get(type) ?? []) listener(data)
}

/** Events that the tabs send to each other: the stream is open (again); events have begun or ceased to arrive (`is`). */
export const BACK = liveEvent('back')
export const HEARING = liveEvent('hearing')
const listeners = new Map<string, Set<Listener>>()
