import { liveEvent, type LiveEventName } from '#foundation/contract.ts'
import { STREAM_RESYNC } from '#foundation/live-contract.ts'

type Listener = (data: Record<string, unknown>) => unknown

/**
 * A feature's reaction to an event. `features/x/web/live.ts` exports its list as `live`, and app/web/live.ts
 * gathers them; both are loaded after the first page, so a feature's reactions cost the first page nothing.
 */
export type LiveReaction = readonly [type: LiveEventName, react: Listener]

/** Subscribes to events of one type, whichever tab holds the stream. Returns the function to unsubscribe. */
export function subscribe(type: LiveEventName, listener: Listener): () => void {
  const heard = listeners.get(type) ?? new Set()
  listeners.set(type, heard.add(listener))
  return () => heard.delete(listener)
}

/**
 * Events may be missing: load anew what is shown. So it is after a `resync` of the server, and once when a page begins to
 * listen, where something may have happened after it had loaded what it shows.
 */
export const onResync = (listener: () => void): (() => void) => subscribe(STREAM_RESYNC, listener)

/** The stream is open, or open again: what failed meanwhile may succeed now. */
export const onReconnect = (listener: () => void): (() => void) => subscribe(BACK, listener)

/** Subscribes to whether events come through. */
export const onHearing = (listener: () => void): (() => void) => subscribe(HEARING, listener)

/** Passes an event on to those who subscribed to it. */
export function announce(type: string, data: Record<string, unknown> = {}): void {
  for (const listener of listeners.get(type) ?? []) listener(data)
}

/** Events of the tabs among themselves: the stream is open again; whether events come through. */
export const BACK = liveEvent('back')
export const HEARING = liveEvent('hearing')
const listeners = new Map<string, Set<Listener>>()
