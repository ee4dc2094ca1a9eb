import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { freePlaces } from './free-places.ts'
import type { Job } from './jobs.ts'
import { releaseLostJobs, repeat, retryJob, takeJobs, type TakenJob } from './queries.ts'
import { runMeasured, runTogether } from './run-measured.ts'

type Surroundings = {
  app: App
  owner: pg.Pool
  jobs: readonly Job[]
  process_id: string
  lease_s: number
}

type Taking = {
  /** Looks for due jobs now, and takes them. */
  look: () => void
  /** Takes no more, and lets running jobs end, for some seconds at most. */
  stop(): Promise<void>
}

/** Takes jobs that are due and does them, several at once, until stopped. The database may go away and come back. */
export function startTaking(surroundings: Surroundings): Taking {
  const { owner, process_id } = surroundings
  const queued = surroundings.jobs.filter(({ every_ms }) => every_ms === undefined)
  const known = new Map(queued.map((job) => [job.name, job]))
  const together = queued.flatMap((job) => (job.together ? [job.name] : []))
  const running = new Map<Promise<void>, readonly TakenJob[]>()
  // The ids of jobs that are done and not yet removed: the next look removes them, however long the database is away.
  const done = new Set<string>()
  const heldIds = () => [...running.values()].flatMap((jobs) => jobs.map(({ id }) => id)).concat([...done])
  const releaseLost = lostJobs(surroundings, heldIds)
  const stopping = new AbortController()
  let isLooking = false
  let isAsked = false

  async function takeAll(): Promise<void> {
    await releaseLost()
    for (;;) {
      const free = freePlaces([...running.values()].flatMap((jobs) => jobs.slice(0, 1)))
      const told = [...done]
      const from = stopping.signal.aborted ? [] : free.classes
      if (from.length + told.length === 0) return
      const names = [...known.keys()].filter((name) => !free.fullNames.has(name))
      const taken = await takeJobs(owner, process_id, { done: told, names, from, together })
      for (const id of told) done.delete(id)
      // At most one kind of job begins for each class.
      for (const [first, ...others] of Map.groupBy(taken, (job) => job.class).values())
        if (first) begin(first, others)
      if (taken.length === 0) return
    }
  }

  /** Does a job and the jobs that were taken together with it, in one place of their class. */
  function begin(first: TakenJob, others: readonly TakenJob[]): void {
    const job = must(known.get(first.name))
    const all = [first, ...others]
    const work = performAll(surroundings, job, all, stopping.signal, done).finally(() => {
      running.delete(work)
      look()
    })
    running.set(work, all)
  }

  function look(): void {
    isAsked = true
    if (isLooking) return
    isLooking = true
    isAsked = false
    takeAll()
      // The database may be away; the next look comes soon.
      .then(() => isAsked)
      .catch(() => false)
      .then((again) => {
        isLooking = false
        if (again) look()
      })
      .catch(() => {})
  }

  const polling = setInterval(look, POLL_MS)
  return {
    look,
    async stop() {
      stopping.abort()
      clearInterval(polling)
      await waitPatiently([...running.keys()])
      if (done.size > 0)
        await takeJobs(owner, process_id, { done: [...done], names: [], from: [], together }).catch(() => {})
    },
  }
}

/**
 * Returns a function that makes jobs due again which were taken for this process by a statement whose answer was lost: nobody would ever
 * do them (rule 58).
 */
function lostJobs({ owner, process_id, lease_s }: Surroundings, heldIds: () => string[]) {
  let checked_at_ms = -Infinity
  return async (): Promise<void> => {
    if (performance.now() - checked_at_ms < (lease_s * 1000) / 2) return
    await releaseLostJobs(owner, process_id, { held: heldIds(), lease_s })
    checked_at_ms = performance.now()
  }
}

async function waitPatiently(running: readonly Promise<void>[]): Promise<void> {
  const waiting = new AbortController()
  const patience = sleep(PATIENCE_MS, undefined, { signal: waiting.signal }).catch(() => {})
  await Promise.race([Promise.all(running), patience])
  waiting.abort()
}

// A new job is announced at once; one that becomes due is found by the next poll.
const POLL_MS = 2000
const PATIENCE_MS = 5000
const RETRY_MS = 1000

/** Does jobs of one kind that were taken together, and adds to `done` the ids of the jobs that can be removed. */
async function performAll(
  surroundings: Surroundings,
  job: Job,
  taken: readonly TakenJob[],
  stopping: AbortSignal,
  done: Set<string>,
): Promise<void> {
  const left = taken.length > 1 ? await runTogether(surroundings.app, job, taken) : taken
  for (const { id } of taken.filter((one) => !left.includes(one))) done.add(id)
  for (const one of left) {
    // The other jobs are given back when the process ends.
    if (stopping.aborted && one !== taken[0]) return
    if (await perform(surroundings, job, one, stopping)) done.add(one.id)
  }
}

/** Does one job. True where the job is done and can be removed; false where it is tried again, or stays as a failed job. */
async function perform(
  { app, owner, process_id }: Surroundings,
  job: Job,
  taken: TakenJob,
  stopping: AbortSignal,
): Promise<boolean> {
  const { id, name } = taken
  const error = await runMeasured(app, job, taken, process_id)
  if (job.every_s === undefined && error === undefined) return true
  // The end of the job must be reported to the database, however long that is away: nobody else may run the job meanwhile.
  for (;;) {
    try {
      if (job.every_s === undefined) await retryJob(owner, process_id, id, error?.message ?? '')
      else await repeat(owner, { name, class: job.class ?? taken.class }, job.every_s)
      return job.every_s !== undefined
    } catch {
      if (stopping.aborted) return false
      await sleep(RETRY_MS)
    }
  }
}
