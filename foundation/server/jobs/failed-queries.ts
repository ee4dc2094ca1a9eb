import { sql, type RawBuilder } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type FailedJob = { id: bigint; name: string; attempts: number; last_error: string | null }

/** Returns the jobs that used up their attempts, the newest 100. They do not run again by themselves. */
export async function failedJobs(db: App['db']): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`select id, name, attempts, last_error from failed_jobs()`.execute(db)
  return rows
}

/** Makes a failed job due again. Returns its name; undefined if no such job has failed. */
export const retryFailedJob = (tx: Tx, id: string): Promise<string | undefined> =>
  nameOf(tx, sql<{ name: string | null }>`select retry_failed_job(${id}::bigint) as name`)

/** Deletes a failed job without doing its work. Returns its name; undefined if no such job has failed. */
export const dropFailedJob = (tx: Tx, id: string): Promise<string | undefined> =>
  nameOf(tx, sql<{ name: string | null }>`select drop_failed_job(${id}::bigint) as name`)

async function nameOf(tx: Tx, statement: RawBuilder<{ name: string | null }>): Promise<string | undefined> {
  const { rows } = await statement.execute(tx)
  return rows[0]?.name ?? undefined
}
