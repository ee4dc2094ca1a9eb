import { BEGINNING, parsePosition } from '#foundation/read-after.ts'

/**
 * Returns the latest position of the database that this browser knows; undefined while the position of a write is unknown. It is
 * kept for all tabs, so that no tab reads from a replica that is behind a write of another tab. A position is forgotten after a
 * minute: by then every replica in use has reached it (and a restored database begins to count anew).
 */
export function readAfter(): string | undefined {
  return isWithin(localStorage.getItem(UNKNOWN)) ? undefined : known()
}

/** Notes that a write begins: only the primary is read until the answer names the position, or for a minute without an answer. */
export function noteWriting(): void {
  writing += 1
  localStorage.setItem(UNKNOWN, String(Date.now()))
}

/** Notes that a write has ended: with its position if there is a replica, without one otherwise or if no answer came. */
export function noteWritten(position: string | null | undefined): void {
  writing -= 1
  if (!position) return
  noteKnown(position)
  if (writing === 0) localStorage.removeItem(UNKNOWN)
}

/** Notes that this browser knows of changes up to this position. */
export function noteKnown(position: string): void {
  const given = parsePosition(position)
  if (given !== undefined && given >= (parsePosition(known()) ?? 0n))
    localStorage.setItem(KNOWN, `${position} ${Date.now()}`)
}

const KNOWN = 'read_after'
const UNKNOWN = 'read_after_unknown'
const KEPT_MS = 60_000
let writing = 0

function known(): string {
  const [position = '', noted_at] = localStorage.getItem(KNOWN)?.split(' ') ?? []
  return isWithin(noted_at) && parsePosition(position) !== undefined ? position : BEGINNING
}

const isWithin = (at: string | null | undefined): boolean =>
  at !== null && at !== undefined && Math.abs(Date.now() - Number(at)) < KEPT_MS
