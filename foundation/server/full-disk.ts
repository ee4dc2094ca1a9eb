import { statfsSync } from 'node:fs'
import type { App } from './app.ts'
import { errorCode } from './error-code.ts'
import { HttpError } from './http/http-error.ts'

/** Below this much free space nothing can be saved: PostgreSQL does not start, and a write fails sooner or later. */
const LEAST_BYTES = 1_000_000
/** A refused write counts this long. Reads go on meanwhile, and each write is tried. */
const SEEN_MS = 60_000

// PostgreSQL's `disk_full`, and what a file system says.
const codes = new Set(['53100', 'ENOSPC', 'EDQUOT'])

/** True if there was no room for what was to be saved. */
export const isFullDisk = (error: unknown): boolean =>
  codes.has(errorCode(error) ?? '') || (error instanceof Error && isCausedByFullDisk(error))

const isCausedByFullDisk = ({ cause }: Error): boolean => cause !== undefined && isFullDisk(cause)

/** The refusal for an error of a disk or a bucket: it is not the sender's error, and may pass. */
export const storageRefused = (error: unknown): HttpError =>
  Object.assign(new HttpError(503, [{ code: isFullDisk(error) ? 'cannot_save' : 'unavailable' }], 30), {
    cause: error,
  })

/** Returns the free bytes of a disk; `isFull` if that is too little to save anything. */
export function spaceOn(folder: string): { free: number; isFull: boolean } {
  const { bavail, bsize } = statfsSync(folder)
  return { free: bavail * bsize, isFull: bavail * bsize < LEAST_BYTES }
}

const seen = new WeakMap<App['log'], number>()

/** Notes that a write was refused for want of room, of whichever machine's disk. */
export function noteFullDisk({ log }: Pick<App, 'log'>): void {
  seen.set(log, performance.now())
}

/** True while writes are refused for want of room: one was lately, or the disk of the PostgreSQL that comes along is full. */
export function refusesWrites({ log, config }: Pick<App, 'log' | 'config'>): boolean {
  if (performance.now() - (seen.get(log) ?? -Infinity) < SEEN_MS) return true
  try {
    return config.databaseUrl === undefined && spaceOn(config.dataDir).isFull
  } catch {
    return false
  }
}
