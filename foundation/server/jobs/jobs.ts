import type { App } from '#foundation/server/app.ts'
import { gathered, type Tx } from '#foundation/server/database/transaction.ts'
import type { JobClass, JobKind } from './classes.ts'
import { insertJobs, type NewJob, type When } from './queries.ts'

/** Work that is done apart from any request. Features export theirs as `jobs` from server/jobs.ts. */
export type Job<Payload = unknown> = {
  name: string
  /** Undefined for a poller, which has no place in the queue. */
  class: JobClass | undefined
  /** Must be safe to run twice: a job whose process died, or which threw, runs again. */
  run(app: App, payload: Payload, process_id: string): Promise<void>
  /**
   * Set for a kind of job of which many may be due at once: does many in one transaction. Returns the payloads that it left undone, which
   * `run` then does one by one; if it throws, `run` does all of them one by one.
   */
  together?(app: App, payloads: readonly Payload[]): Promise<readonly Payload[]>
  /** Set where something waits for the end of the job: called when it has failed for the last time. */
  gaveUp?(app: App, payload: Payload): Promise<void>
  /** Set for a job that nobody enqueues: it runs by itself, this long after its last end, once for all processes. */
  every_s?: number
  /** Set for a poller: it runs in each process that does jobs, this long after its last end, apart from the queue. */
  every_ms?: number
  /** For a poller that begins work and does not wait for it: waits for the end of that work when the process stops. */
  ended?(app: App): Promise<void>
}

/** Declares a job that other code enqueues. `payload` is what `enqueue` was given, as JSON. */
export const job = <Payload>(
  kind: JobKind,
  run: Job<Payload>['run'],
  together?: Job<Payload>['together'],
): Job<Payload> => ({ ...kind, run, ...(together && { together }) })

/** Declares a job that runs by itself; the first run comes soon after the first start. */
export const cronJob = (kind: JobKind, every_s: number, run: (app: App) => Promise<void>): Job => ({
  ...kind,
  run,
  every_s,
})

/**
 * Declares a poller, for work that must run within a second, where the queue would be too slow and too expensive. All processes poll at
 * once, so `run` must share the work with the others (SKIP LOCKED) and be cheap if there is none.
 */
export const poller = (name: string, every_ms: number, run: (app: App) => Promise<void>): Job => ({
  name,
  class: undefined,
  run,
  every_ms,
})

/**
 * Enqueues a job with the caller's transaction: a rollback enqueues nothing. It starts some ms after the commit, or when the database's clock
 * reaches `run_at` (or `after_s` from now), as soon as a place of its class is free (rule 48). Only the last of several with one `key` is
 * kept. A job that throws is retried with growing pauses (seconds, in the end hours) up to `max_attempts` (25: some days).
 */
export function enqueue(tx: Tx, kind: JobKind, payload: Record<string, unknown>, when: When = {}): void {
  gathered<NewJob>(tx, 'jobs', { ...when, kind, payload }, insertJobs)
}
