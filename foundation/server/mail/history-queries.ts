import { sql } from 'kysely'
import type { Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { microsecondsOf, timeOf } from '#foundation/server/database/times.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { JobClass } from '#foundation/server/jobs/classes.ts'

export type PastMail = {
  id: string
  user_id: string
  to_address: string
  letter: string
  class: JobClass
  locale: Locale
  /** Null for a mail of a release that erased it. */
  content: string | null
  state: 'owed' | 'sending' | 'sent' | 'dead' | 'kept'
  attempts: number
  last_error: string | null
  created_at: Date
  sent_at: Date | null
  /** When a mail that waits is tried next. */
  next_at: Date
  at_us: string
}

const read = sql`select id, user_id, to_address, letter, class, locale, content, state, attempts, last_error, created_at, sent_at,
  next_at, ${microsecondsOf(sql`created_at`)} as at_us from mails`

type Place = { before?: readonly [at_us: string, id: string] | undefined; limit: number }

/** The mails to an account, newest first. */
export async function mailsOf(db: App['db'], user_id: string, { before, limit }: Place): Promise<PastMail[]> {
  const place = before ? sql`and (created_at, id) < (${timeOf(before[0])}, ${before[1]}::uuid)` : sql``
  const { rows } = await sql<PastMail>`${read} where user_id = ${user_id} ${place}
    order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

/** Returns a mail to any account; undefined for an unknown id, and for a mail to nobody's account. */
export async function findMail(db: App['db'], id: string): Promise<PastMail | undefined> {
  const { rows } = await sql<PastMail>`${read} where id = ${id} and user_id is not null`.execute(db)
  return rows[0]
}

/** Deletes what was mailed to an account that is deleted; what still waits goes out. */
export async function forgetMailsOf(tx: Tx, user_id: string): Promise<void> {
  await sql`delete from mails where user_id = ${user_id} and state in ('sent', 'dead')`.execute(tx)
}
