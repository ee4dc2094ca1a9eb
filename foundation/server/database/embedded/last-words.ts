import fs from 'node:fs'
import path from 'node:path'
import { ConfigError } from '#foundation/server/config-error.ts'
import { errorCode } from '#foundation/server/error-code.ts'
import { isFullDisk, spaceOn } from '#foundation/server/full-disk.ts'
import type { Directories } from './directories.ts'

/** About what PostgreSQL writes at each start, its number and its statistics. */
const ROOM = Buffer.alloc(64 * 1024)

/** Throws ConfigError if PostgreSQL could write nothing below its folder: it would only end again. */
export function assertSpace({ base, runner }: Directories): void {
  const probe = path.join(base, `room.${process.pid}`)
  try {
    // Root may use blocks that a file system keeps back from all others.
    if (runner && spaceOn(base).free < ROOM.length) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    fs.writeFileSync(probe, ROOM, { mode: 0o600 })
  } catch (error) {
    if (!isFullDisk(error) && errorCode(error) !== 'EROFS') throw error
    const state = isFullDisk(error) ? 'is full' : 'can only be read'
    throw new ConfigError([
      `DATA_DIR: the disk of ${base} ${state}, so PostgreSQL cannot start. ${isFullDisk(error) ? 'Make room.' : 'Make it writable.'}`,
    ])
  } finally {
    fs.rmSync(probe, { force: true })
  }
}

/** The end of PostgreSQL's log now, in bytes. */
export const endOfLog = ({ log }: Directories): number =>
  fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0

// Another process that starts or ends PostgreSQL in the same folder is waited for.
const passing = /lock file ".*" already exists|pre-existing shared memory block|already in use/

/**
 * Returns what a PostgreSQL that ended by itself wrote since `from` about the reason; undefined where it wrote nothing about it, or where
 * the reason passes.
 */
export function lastWords({ log }: Directories, from: number, pid: number | undefined): string | undefined {
  const lines = fs.readFileSync(log).subarray(from).toString('utf8').split('\n').filter(Boolean)
  const own = lines.filter((line) => !isPrefixed(line) || line.includes(`[${pid}]`))
  const heard = own.some((line) => line.includes('aborting startup')) ? lines : own
  const words = heard.flatMap(
    (line) => /(?:FATAL|PANIC|DETAIL|HINT): +(.*)/.exec(line)?.[1] ?? bareWords(line),
  )
  return words.length === 0 || words.some((line) => passing.test(line)) ? undefined : words.join(' ')
}

const isPrefixed = (line: string): boolean => /^\d{4}-\d\d-\d\d [\d:.]+ \w+ \[\d+\]/.test(line)

/** The lines of PostgreSQL and of the shell before the log is set up have no prefix: `postgres: could not …`. */
const bareWords = (line: string): string[] => (isPrefixed(line) ? [] : [line])
