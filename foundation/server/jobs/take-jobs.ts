import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Job } from './jobs.ts'
import { endJob, repeat, retryJob, takeJob, type TakenJob } from './queries.ts'
import { runMeasured } from './run-measured.ts'

type Surroundings = {
  app: App
  owner: pg.Pool
  jobs: readonly Job[]
  process_id: string
  concurrency: number
}

export type Taking = {
  /** There may be something to do. */
  look: () => void
  /** Takes no more, and lets running jobs end, for some seconds at most. */
  stop(): Promise<void>
}

/** Takes jobs that are due and does them, several at once, until stopped. The database may go away and come back. */
export function startTaking(surroundings: Surroundings): Taking {
  const { owner, process_id, concurrency } = surroundings
  const queued = surroundings.jobs.filter(({ every_ms }) => every_ms === undefined)
  const known = new Map(queued.map((job) => [job.name, job]))
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  let isLooking = false
  let isAsked = false

  async function takeAll(): Promise<void> {
    while (!stopping.signal.aborted && running.size < concurrency) {
      const taken = await takeJob(owner, process_id, [...known.keys()])
      if (!taken) return
      const work = perform(surroundings, must(known.get(taken.name)), taken, stopping.signal).finally(() => {
        running.delete(work)
        look()
      })
      running.add(work)
    }
  }

  function look(): void {
    isAsked = true
    if (isLooking || stopping.signal.aborted) return
    isLooking = true
    isAsked = false
    takeAll()
      // The database may be away; the next look comes soon.
      .catch(() => {})
      .finally(() => {
        isLooking = false
        if (isAsked && running.size < concurrency) look()
      })
  }

  const polling = setInterval(look, POLL_MS)
  return {
    look,
    async stop() {
      stopping.abort()
      clearInterval(polling)
      const waiting = new AbortController()
      const patience = sleep(PATIENCE_MS, undefined, { signal: waiting.signal }).catch(() => {})
      await Promise.race([Promise.all(running), patience])
      waiting.abort()
    },
  }
}

// A new job is announced at once; one that becomes due is found by the next poll.
const POLL_MS = 2000
const PATIENCE_MS = 5000
const RETRY_MS = 1000

async function perform(
  { app, owner, process_id }: Surroundings,
  job: Job,
  taken: TakenJob,
  stopping: AbortSignal,
): Promise<void> {
  const { id, name } = taken
  const error = await runMeasured(app, job, taken, process_id)
  // A finished job must be reported to the database, however long that is away: nobody else may run it meanwhile.
  for (;;) {
    try {
      if (job.every_s !== undefined) await repeat(owner, name, job.every_s)
      if (error === undefined || job.every_s !== undefined) await endJob(owner, process_id, id)
      else await retryJob(owner, process_id, id, error.message)
      return
    } catch {
      if (stopping.aborted) return
      await sleep(RETRY_MS)
    }
  }
}
