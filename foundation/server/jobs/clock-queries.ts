import type pg from 'pg'

/** The kinds of jobs that run by themselves, with their intervals. */
export type Repeated = readonly { name: string; every_s?: number }[]

/** A difference that clocks of two machines may have. */
const SLACK_S = 5

const parametersOf = (repeated: Repeated) => {
  const known = repeated.filter(({ every_s }) => every_s !== undefined)
  return [known.map(({ name }) => `every:${name}`), known.map(({ every_s }) => every_s)]
}

// A repeated job waits for its interval at most, and a failed one for the pause of its last try: see `repeat` and `retryJob`.
const tooLate = `
  select j.id, j.name, w.wait_s, extract(epoch from j.run_at - clock_timestamp())::float8 as due_s
  from jobs j left join unnest($1::text[], $2::float8[]) as every (key, every_s) on every.key = j.key
    cross join lateral (select coalesce(every.every_s, exp(least(j.attempts, 10))) as wait_s) w
  where j.taken_by is null and j.attempts < j.max_attempts and (every.key is not null or j.attempts > 0)
    and j.run_at > clock_timestamp() + make_interval(secs => w.wait_s + ${SLACK_S})`

/**
 * Shortens what a clock that ran ahead and came back has made too long: no job waits longer than it waits by itself, and nothing was taken
 * or missed in the future. Returns the number of jobs that were due too late.
 */
export async function shortenWaits(owner: pg.Pool, repeated: Repeated): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `with late as (${tooLate}), shortened as (
       update jobs set run_at = clock_timestamp() + make_interval(secs => late.wait_s)
       from late where jobs.id = late.id and jobs.taken_by is null returning jobs.id)
     select count(*)::int as count from shortened`,
    parametersOf(repeated),
  )
  await owner.query(`update jobs set taken_at = clock_timestamp()
    where taken_at > clock_timestamp() + make_interval(secs => ${SLACK_S})`)
  await owner.query(`update job_processes set missed_at = clock_timestamp()
    where missed_at > clock_timestamp() + make_interval(secs => ${SLACK_S})`)
  return rows[0]?.count ?? 0
}

type LateJob = { name: string; due_s: number; wait_s: number }

/** The jobs that are due later than they may be. */
export async function jobsDueTooLate(
  client: Pick<pg.Client, 'query'>,
  repeated: Repeated,
): Promise<LateJob[]> {
  const { rows } = await client.query<LateJob>(
    `${tooLate} order by due_s desc limit 20`,
    parametersOf(repeated),
  )
  return rows
}
