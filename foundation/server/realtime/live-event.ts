import type { LiveEventName } from '#foundation/contract.ts'

/**
 * An event for open pages: a type (`session.ended`, `profile.changed`) and a few ids or words. The table live_events keeps no more than
 * that; readers ask for the rest by ordinary calls, or get it as a body that is read when the event is sent.
 */
export type LiveEvent = { type: LiveEventName; [name: string]: LiveValue }
type LiveValue = string | number | boolean | null | readonly string[]
