import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { errorCode } from '#foundation/server/error-code.ts'
import type { Directories } from './directories.ts'

/** The content of postmaster.pid, in which PostgreSQL writes its process id, sockets and state. */
type Postmaster = { pid: number; sockets: string; state: string; ready: boolean }

export function readPostmaster(cluster: string): Postmaster | undefined {
  const lines =
    readText(path.join(cluster, 'postmaster.pid'))
      ?.split('\n')
      .map((line) => line.trim()) ?? []
  const pid = Math.abs(Number(lines[0]))
  // PostgreSQL makes the file before it writes to it. If the file is read in between, it is empty and names no process.
  const state = lines[7] ?? ''
  return pid > 0 ? { pid, sockets: lines[4] ?? '', state, ready: state === 'ready' } : undefined
}

/** The reason for which a start waits, in a line for the operator. */
export function waitedFor(found: Postmaster | undefined, place: Directories): string {
  const log = `see ${place.log}`
  if (!found || !isPostmaster(found.pid, place.cluster))
    return `PostgreSQL does not come up in ${place.cluster}; ${log}`
  const { pid, state, ready } = found
  if (state === 'stopping') return `the PostgreSQL of another process (${pid}) is still shutting down; ${log}`
  if (ready) return `PostgreSQL (${pid}) is there and does not answer; ${log}`
  return `PostgreSQL (${pid}) starts; after a kill it recovers first, which can take minutes; ${log}`
}

/** True if `pid` is the PostgreSQL of this cluster, and not an unrelated process that got the same number after a restart. */
export function isPostmaster(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux') return isAlive(pid)
  const dead = readText(`/proc/${pid}/stat`)?.includes(') Z') ?? true
  return !dead && (readText(`/proc/${pid}/cmdline`)?.includes(cluster) ?? false)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/**
 * Starts PostgreSQL, detached from this process so that the terminal's Ctrl-C does not reach it. It lives as long as
 * any process holds the pipe `place.users` open: a watchdog beside it reads that pipe, sees its end when the last
 * holder is gone (kill -9 too, for the kernel closes what the dead held open), and asks for a fast shutdown.
 */
export function spawnPostmaster(place: Directories, binaries: string, settings: string[]): ChildProcess {
  const log = fs.openSync(place.log, 'a', 0o600)
  if (place.runner) fs.fchownSync(log, place.runner.uid, place.runner.gid)
  const child = spawn(
    '/bin/sh',
    ['-c', watchdog, 'sh', path.join(binaries, 'bin/postgres'), '-D', place.cluster, ...settings],
    {
      ...place.runner,
      cwd: '/',
      env: {
        PATH: process.env['PATH'],
        TZ: 'UTC',
        LC_ALL: 'C',
        USERS: place.users,
        PIDFILE: path.join(place.cluster, 'postmaster.pid'),
      },
      stdio: ['ignore', log, log],
      detached: true,
    },
  )
  fs.closeSync(log)
  child.unref()
  return child
}

// $$ is the shell that becomes postgres. The comparison with the pid file spares an unrelated process that got the number of a PostgreSQL
// that died before its watchdog. The watchdog is forked twice, because PostgreSQL complains about children it does not know.
const watchdog = `
( ( read -r _ <"$USERS"; read -r pid <"$PIDFILE" && [ "$pid" = "$$" ] && kill -INT "$$" ) >/dev/null 2>&1 & )
exec "$@"`

function readText(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
