import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '#foundation/server/config-error.ts'
import { errorLines } from '#foundation/server/error-lines.ts'
import { writeAccess } from './embedded/access.ts'
import { findBinaries } from './embedded/binaries.ts'
import { ensureCluster, ensureOwner } from './embedded/cluster.ts'
import { formerCluster, PRESENT } from './embedded/former.ts'
import { prepareDirectories } from './embedded/directories.ts'
import type { Directories } from './embedded/directories.ts'
import { assertSpace, endOfLog, lastWords } from './embedded/last-words.ts'
import { isAlive, isPostmaster, readPostmaster, spawnPostmaster, waitedFor } from './embedded/postmaster.ts'
import { beginWaiting, type Waiting } from './wait-for.ts'
import { holdUsersPipe } from './embedded/users-pipe.ts'

/** Minimal logger interface; a pino logger satisfies it. */
export type EmbeddedLog = { info(text: string): void; warn(text: string): void }

/**
 * `url` connects as the role that owns the tables of the product and is no superuser; `adminUrl` connects as the superuser, for tests and
 * repairs only.
 */
export type Embedded = { url: string; adminUrl: string; pid(): number; stop(): Promise<void> }

/** `fast` gives up durability, for tests only. */
export type EmbeddedOptions = {
  dataDir: string
  log?: EmbeddedLog
  fast?: boolean
  /**
   * For an upgrade only: an older cluster to start with the programs of its own PostgreSQL, or 'stays' to make a new cluster beside the
   * older one.
   */
  former?: { cluster: string; binaries: string } | 'stays'
  /** Rule 50: how long the start waits for a PostgreSQL that recovers, or that another process is ending. */
  waiting?: Waiting
}

/**
 * Starts the PostgreSQL of `dataDir`, or joins the one that another process already started there, and keeps it
 * alive until `stop`: should it die, the first of its users to notice starts it again at the same address.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const present = prepareDirectories(path.resolve(options.dataDir))
  const { former } = options
  if (former === undefined) refuseFormer(present.base)
  const isFormer = former !== undefined && former !== 'stays'
  const place = isFormer ? { ...present, cluster: former.cluster } : present
  const binaries = isFormer ? former.binaries : findBinaries(place.base, place.runner)
  const letGo = holdUsersPipe(place)
  const starting = { place, binaries, options }
  await ensureCluster(place, binaries, { sync: !options.fast })
  let postmaster = await ensureRunning(starting)
  const address = (role: string, database: string) =>
    `postgres://${role}@/${database}?host=${encodeURIComponent(postmaster.sockets)}`
  await ensureOwner(address('postgres', 'postgres'))

  let stopped = false
  let healing = false
  let failed_ms = -Infinity
  const watch = setInterval(() => {
    if (performance.now() < failed_ms + again_ms) return
    if (stopped || healing || isPostmaster(postmaster.pid, place.cluster)) return
    healing = true
    options.log?.warn('PostgreSQL has gone; starting it again')
    ensureRunning(starting)
      .then((again) => {
        postmaster = again
        options.log?.info('PostgreSQL is back')
      })
      .catch((error: unknown) => {
        failed_ms = performance.now()
        options.log?.warn(errorLines(error).join(' '))
      })
      .finally(() => {
        healing = false
      })
  }, watch_ms)
  watch.unref()

  return {
    url: address('hostdesk', 'hostdesk'),
    adminUrl: address('postgres', 'postgres'),
    pid: () => postmaster.pid,
    async stop() {
      stopped = true
      clearInterval(watch)
      letGo()
      await waitUntilGone(place, postmaster.pid)
    },
  }
}

/** Throws ConfigError if DATA_DIR holds only a cluster of another PostgreSQL, whose files the PostgreSQL of this release cannot read. */
function refuseFormer(base: string): void {
  const former = formerCluster(base)
  if (!former) return
  throw new ConfigError([
    `DATA_DIR holds a database of PostgreSQL ${former.version}, and this release brings ${PRESENT.slice(2)}. ` +
      'Run: hostdesk database upgrade FOLDER, with the folder of the release before.',
  ])
}

const watch_ms = 250
/** The pause after a start that failed: what hinders it, as a full disk, does not pass at once. */
const again_ms = 5000
/**
 * The limit for a PostgreSQL that does not come up at all. One that recovers gets ten minutes: if it were ended earlier, it would begin its
 * recovery again.
 */
const start_timeout_ms = 60_000
const stop_timeout_ms = 30_000
const release_ms = 400

type Starting = { place: Directories; binaries: string; options: EmbeddedOptions }
type Running = { pid: number; sockets: string }

async function ensureRunning({ place, binaries, options }: Starting): Promise<Running> {
  const wait = beginWaiting(options.waiting ?? {})
  let child: ChildProcess | undefined
  let down_ms = Date.now()
  let logged = 0
  for (;;) {
    const found = readPostmaster(place.cluster)
    if (found && isPostmaster(found.pid, place.cluster)) {
      down_ms = Date.now()
      if (
        found.ready &&
        (await answers(found.sockets)) &&
        (child?.pid === found.pid || (await lasts(found.pid, place)))
      ) {
        return found
      }
    } else if (!child || child.exitCode !== null || child.signalCode !== null) {
      const said = child?.exitCode ? lastWords(place, logged, child.pid) : undefined
      if (said !== undefined) throw new ConfigError([`PostgreSQL does not start: ${said}`])
      assertSpace(place)
      // The process id in postmaster.pid now belongs to an unrelated process, as after a restart of a container: PostgreSQL itself would
      // not remove the file.
      if (found && isAlive(found.pid)) fs.rmSync(path.join(place.cluster, 'postmaster.pid'), { force: true })
      writeAccess(place)
      logged = endOfLog(place)
      child = spawnPostmaster(place, binaries, settingsOf(place, options.fast ?? false))
      child.on('error', (error) => options.log?.warn(String(error)))
    }
    wait(waitedFor(found, place))
    if (Date.now() > down_ms + start_timeout_ms)
      throw new Error(`PostgreSQL did not start in ${start_timeout_ms / 1000} s; see ${place.log}`)
    // The first pauses are short; after a failed attempt (the former PostgreSQL still shuts down) they are longer.
    await sleep(child && child.exitCode !== null ? 100 : 10)
  }
}

function settingsOf(place: Directories, fast: boolean): string[] {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: place.sockets,
    unix_socket_permissions: '0700',
    max_connections: fast ? '200' : '100',
    wal_level: 'minimal',
    max_wal_senders: '0',
    jit: 'off',
    timezone: 'UTC',
    log_checkpoints: 'off',
    // Failed statements and their details quote customers' rows; they have no place in a log file.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(fast ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' } : {}),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function answers(sockets: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(path.join(sockets, '.s.PGSQL.5432'))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** A PostgreSQL we did not start may have been asked to stop a moment before we joined: check twice. */
async function lasts(pid: number, place: Directories): Promise<boolean> {
  await sleep(60)
  const again = readPostmaster(place.cluster)
  return again?.pid === pid && again.ready && isPostmaster(pid, place.cluster)
}

/**
 * Waits for the shutdown if this process was the last user. While other processes use PostgreSQL, it stays ready, and this process does not
 * wait.
 */
async function waitUntilGone(place: Directories, pid: number): Promise<void> {
  const start = Date.now()
  while (isPostmaster(pid, place.cluster) && Date.now() - start < stop_timeout_ms) {
    const stopping = readPostmaster(place.cluster)?.ready !== true
    if (!stopping && Date.now() - start > release_ms) return
    await sleep(10)
  }
}
