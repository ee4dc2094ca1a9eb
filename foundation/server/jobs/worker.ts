import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { App } from '#foundation/server/app.ts'
import { toPrimary } from '#foundation/server/database/primary.ts'
import type { Log } from '#foundation/server/log.ts'
import { startHeartbeat } from './alive.ts'
import { shortenWaits } from './clock-queries.ts'
import type { Job } from './jobs.ts'
import { reapDeadWorkers, ensureRepeated, forgetProcess, releaseOrphanedJobs } from './queries.ts'
import { startTaking } from './take-jobs.ts'

export type Worker = {
  /** Names this process in leases, which end when the process ends, also by kill -9. */
  process_id: string
  /** Lets running jobs end, for some seconds at most, and takes no more. */
  stop(): Promise<void>
}

/**
 * The longest wait for an answer of the database, and the time after which a job is due again that was taken for this process and whose
 * answer never came. The second is longer than the first, so that an answer on its way is still used.
 */
type Waits = { answer_ms: number; lease_s: number }

/**
 * Does jobs until stopped, several at once, beside any number of other processes. Rides out restarts of the database.
 * Jobs taken by a process that died are done by another, or by its successor, some 6 s later.
 */
export async function startWorker(
  app: App,
  jobs: readonly Job[],
  waits: Waits = { answer_ms: 8000, lease_s: 20 },
): Promise<Worker> {
  const process_id = randomUUID()
  const owner = new pg.Pool({
    // Each new connection goes to the host that takes writes at that moment.
    Client: class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super({ ...config, connectionString: toPrimary(app.ownerUrl) })
      }
    },
    max: OWN_CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: waits.answer_ms,
    // Without it, one lost answer would leave the process waiting for as long as it lives (rule 58).
    query_timeout: waits.answer_ms,
    options: BOOKKEEPING,
  })
  owner.on('error', () => {})
  owner.on('connect', (client) => void client.on('error', () => {}))
  const taking = startTaking({ app, owner, jobs, process_id, lease_s: waits.lease_s })
  const life = await startHeartbeat(app.ownerUrl, process_id, taking.look)
  await shortenWaits(owner, jobs)
  for (const { name, class: its, every_s } of jobs)
    if (every_s !== undefined && its !== undefined)
      await ensureRepeated(owner, { name, class: its }, FIRST_RUN_S)
  taking.look()
  const undertaker = reapRepeatedly(app.log, owner, jobs)
  const watches = jobs.map((job) => startPoller(app, job, process_id))

  return {
    process_id,
    async stop() {
      clearInterval(undertaker)
      await Promise.all([...watches.map((stop) => stop()), taking.stop()])
      await forgetProcess(owner, process_id).catch(() => {})
      await life.end()
      await owner.end()
    },
  }
}

// A power cut may lose the taking or ending of a job, which is then done again, as after a kill: so no statement waits for the disk.
const BOOKKEEPING = '-c synchronous_commit=off'
// The connections for taking jobs and noting their ends, which are short.
const OWN_CONNECTIONS = 4
const FIRST_RUN_S = 30
const POLL_MS = 2000
const GRACE_S = 4
const POLLS_PER_MEND = 30

/**
 * Runs a poller again and again until stopped. A failed run is tried again, so that a restart of the database ends no poller. Does nothing
 * for other jobs.
 */
function startPoller(app: App, { name, run, every_ms, ended }: Job, process_id: string): () => Promise<void> {
  if (every_ms === undefined) return async () => {}
  const stopping = new AbortController()
  // A function, because the stop may come during an `await`.
  const isStopping = () => stopping.signal.aborted
  const watching = (async () => {
    while (!isStopping()) {
      await sleep(every_ms, undefined, { signal: stopping.signal }).catch(() => {})
      if (isStopping()) return
      await run(app, {}, process_id).catch((error: unknown) =>
        app.log.debug({ job: name, err: error }, 'jobs: a watch failed; it goes on'),
      )
    }
  })()
  return async () => {
    stopping.abort()
    await watching
    await ended?.(app)
  }
}

/**
 * Looks every 2 s for processes that have died and for jobs whose process is unknown, and every minute for what a clock that ran ahead made
 * too late.
 */
function reapRepeatedly(log: Log, owner: pg.Pool, jobs: readonly Job[]): NodeJS.Timeout {
  let looks = 0
  let looking = false
  const look = async () => {
    const dead = await reapDeadWorkers(owner, GRACE_S)
    if (dead > 0) log.warn({ dead }, 'jobs: a process died; what it had taken is done again')
    await releaseOrphanedJobs(owner)
    if (looks % POLLS_PER_MEND === 0 && (await shortenWaits(owner, jobs)) > 0)
      log.warn('jobs: the clock ran ahead and came back; what it had put off is due again')
    looks += 1
  }
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    // The database may be away; the next look comes soon.
    look()
      .catch(() => {})
      .finally(() => {
        looking = false
      })
  }, POLL_MS)
  return timer
}
