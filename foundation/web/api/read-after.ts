import { BEGINNING, parsePosition } from '#foundation/read-after.ts'

/**
 * How far this browser knows the database: kept for all of its tabs, so that none of them reads from a replica that is behind
 * what another one wrote. Positions are forgotten after a minute, by when every replica that is still read has come that far
 * (and a database that was restored counts anew).
 */
export function readAfter(): string | undefined {
  return isWithin(localStorage.getItem(UNKNOWN)) ? undefined : known()
}

/** A write begins: until its answer says how far it came, and where none arrives for a minute, only the primary is asked. */
export function noteWriting(): void {
  writing += 1
  localStorage.setItem(UNKNOWN, String(Date.now()))
}

/** A write was answered, with its position where there is a replica, or was not. */
export function noteWritten(position: string | null | undefined): void {
  writing -= 1
  if (!position) return
  noteKnown(position)
  if (writing === 0) localStorage.removeItem(UNKNOWN)
}

/** Something is known that was written up to here. */
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
