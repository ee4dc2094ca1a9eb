import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { errorCode } from '#foundation/server/error-code.ts'
import type { Directories } from './directories.ts'

/**
 * Joins the processes that need this PostgreSQL: it stops when the last of them lets go (see `spawnPostmaster`). Returns the function that
 * lets go.
 */
export function holdUsersPipe(place: Directories): () => void {
  if (!fs.existsSync(place.users)) {
    const fresh = `${place.users}.${process.pid}`
    fs.rmSync(fresh, { force: true })
    execFileSync('mkfifo', ['-m', '600', fresh])
    if (place.runner) fs.chownSync(fresh, place.runner.uid, place.runner.gid)
    linkUnlessThere(fresh, place.users)
  }
  // Opened to read and write, because opening only the writing end fails as long as no watchdog reads.
  const pipe = fs.openSync(place.users, fs.constants.O_RDWR | fs.constants.O_NONBLOCK)
  let held = true
  return () => {
    if (held) fs.closeSync(pipe)
    held = false
  }
}

/** Links the pipe unless it exists: two processes at the same first start must end up with the same pipe. */
function linkUnlessThere(fresh: string, wanted: string): void {
  try {
    fs.linkSync(fresh, wanted)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    fs.rmSync(fresh, { force: true })
  }
}
