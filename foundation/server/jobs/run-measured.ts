import type { App } from '#foundation/server/app.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { isFullDisk, noteFullDisk } from '#foundation/server/full-disk.ts'
import { counter, histogram } from '#foundation/server/operation/metrics.ts'
import { logUnavailable } from '#foundation/server/operation/outage-log.ts'
import { traced } from '#foundation/server/operation/tracing.ts'
import type { Job } from './jobs.ts'
import type { TakenJob } from './queries.ts'

const ended = counter(
  'hostdesk_jobs_ended_total',
  'Jobs that ended: done, failed (to be tried again), given_up.',
  ['kind', 'outcome'],
)
const durations = histogram(
  'hostdesk_job_duration_seconds',
  'Time that jobs took, by kind.',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  ['kind'],
)

/** Does a job, measures and logs it; returns the error where it threw. */
export async function runMeasured(
  app: App,
  job: Job,
  taken: TakenJob,
  process_id: string,
): Promise<Error | undefined> {
  const { id, name, payload, attempts, max_attempts } = taken
  const began = performance.now()
  const error = await traced(`job ${name}`, { 'messaging.message.id': id }, () =>
    run(app, job, payload, process_id),
  )
  const took_ms = Math.round(performance.now() - began)
  const isLast = job.every_s === undefined && attempts >= max_attempts
  const outcome = error === undefined ? 'done' : isLast ? 'given_up' : 'failed'
  ended.add({ kind: name, outcome })
  durations.observe({ kind: name }, took_ms / 1000)
  const line = { job: name, job_id: id, attempts, took_ms }
  if (isFullDisk(error)) noteFullDisk(app)
  if (error === undefined) app.log.info(line, 'job')
  else if (isUnavailable(error) && !isLast) logUnavailable(app, line, error)
  else
    app.log.warn(
      { ...line, err: error },
      isLast ? 'jobs: failed for the last time' : 'jobs: failed; it is tried again',
    )
  if (error !== undefined && isLast && job.gaveUp)
    await job
      .gaveUp(app, payload)
      .catch((failure: unknown) =>
        app.log.error({ ...line, err: failure }, 'jobs: its end was told to nobody'),
      )
  return error
}

/**
 * Does jobs of one kind together, measures and logs them. Returns the jobs that are still to be done one by one: all of them where the work
 * throws, for then nothing was done.
 */
export async function runTogether(
  app: App,
  { name, together }: Job,
  taken: readonly TakenJob[],
): Promise<readonly TakenJob[]> {
  if (!together) return taken
  const began = performance.now()
  try {
    const payloads = taken.map(({ payload }) => payload)
    const left = await traced(`jobs ${name}`, {}, () => together(app, payloads))
    const done = taken.filter(({ payload }) => !left.includes(payload))
    const took_ms = performance.now() - began
    ended.add({ kind: name, outcome: 'done' }, done.length)
    for (const _ of done) durations.observe({ kind: name }, took_ms / taken.length / 1000)
    app.log.info({ job: name, jobs: done.length, took_ms: Math.round(took_ms) }, 'jobs together')
    return taken.filter(({ payload }) => left.includes(payload))
  } catch (error) {
    app.log.info({ job: name, jobs: taken.length, err: error }, 'jobs: they are done one by one instead')
    return taken
  }
}

async function run(app: App, job: Job, payload: unknown, process_id: string): Promise<Error | undefined> {
  try {
    await job.run(app, payload, process_id)
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
