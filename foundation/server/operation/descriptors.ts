import { readdirSync, readFileSync } from 'node:fs'

/** The descriptors that stay for requests, files and the database: new streams leave them alone. */
const SPARE = 100
const SAMPLE_MS = 1000
const SAMPLE_NEAR_MS = 20

let sample = { at_ms: -Infinity, left: Infinity }
let openedSince = 0

/** Counts a connection that was opened since the last sample. */
export function noteConnection(): void {
  openedSince += 1
}

/**
 * Returns how many descriptors (files, connections) the process may still open, at most. They are counted once a second and, when they
 * become few, at each question: every connection since then is taken off.
 */
export function descriptorsLeft(): number {
  const age_ms = performance.now() - sample.at_ms
  if (age_ms > SAMPLE_MS || (sample.left - openedSince < 2 * SPARE && age_ms > SAMPLE_NEAR_MS)) {
    sample = { at_ms: performance.now(), left: count() }
    openedSince = 0
  }
  return sample.left - openedSince
}

/** The descriptors that are kept back, of a process that may have `limit`. */
export const spareOf = (limit: number): number => Math.min(SPARE, Math.floor(limit / 4))

/** The most descriptors that this process may have; Infinity where the system does not say. */
export function descriptorLimit(): number {
  try {
    const [, soft = ''] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(soft) || Infinity
  } catch {
    return Infinity
  }
}

function count(): number {
  const limit = descriptorLimit()
  return limit === Infinity ? Infinity : limit - readdirSync('/proc/self/fd').length
}
