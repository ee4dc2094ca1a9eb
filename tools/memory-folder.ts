import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'

const MEMORY = '/dev/shm'
const PREFIX = 'hostdesk-tests-'
/** The tests need at most a fifth of this. */
const FREE_BYTES = 4e9

/**
 * Makes an empty folder in memory, for the temporary files of the tests: they make and drop a database for each test file, and a disk takes
 * a sixth of all processor time for those files. Returns undefined where there is no such memory. The folder is removed with the process.
 */
export function memoryFolder(): string | undefined {
  if (!hasRoom()) return undefined
  removeLeftBehind()
  const folder = path.join(MEMORY, `${PREFIX}${process.pid}`)
  mkdirSync(folder)
  // PostgreSQL, and some tests, run as other users.
  chmodSync(folder, 0o1777)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return folder
}

function hasRoom(): boolean {
  const mount = mounts().find(([, place]) => place === MEMORY)
  // The tests run programs from their temporary folders.
  if (mount?.[2] !== 'tmpfs' || mount[3]?.split(',').includes('noexec')) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > FREE_BYTES && process.availableMemory() > FREE_BYTES
}

/** Returns the fields of each mounted file system; none where there is no such list. */
function mounts(): string[][] {
  try {
    return readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
  } catch {
    return []
  }
}

/** A run that was killed leaves its folder, which would hold the memory until the machine is switched off. */
function removeLeftBehind(): void {
  const running = new Set(readdirSync('/proc'))
  for (const name of readdirSync(MEMORY))
    if (name.startsWith(PREFIX) && !running.has(name.slice(PREFIX.length)))
      rmSync(path.join(MEMORY, name), { recursive: true, force: true })
}
