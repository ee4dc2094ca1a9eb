import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { batchedRows } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { JobClass } from '#foundation/server/jobs/classes.ts'

export type NewMail = {
  id: string
  user_id: string | null
  to_address: string
  letter: string
  class: JobClass
  locale: Locale
  state: 'owed' | 'kept'
  content: string
}

/** Inserts many mails of one transaction by one statement: an announcement is a mail to each customer. */
export const insertMail = batchedRows(async (tx: Tx, mails: readonly NewMail[]): Promise<void[]> => {
  await tx
    .insertInto('mails')
    .values([...mails])
    .execute()
  return []
})

export type LeasedMail = {
  id: string
  user_id: string | null
  to_address: string
  letter: string
  class: JobClass
  content: string
  attempts: number
  created_at: Date
}

/**
 * Leases a mail that is due for `lease_s` seconds. Returns undefined where the mail is sent or not due, or another process
 * has it. The lease of a process that no longer lives is void.
 */
export async function leaseMail(
  tx: Tx,
  id: string,
  process_id: string,
  lease_s: number,
): Promise<LeasedMail | undefined> {
  const result = await sql<LeasedMail>`
    update mails set state = 'sending', attempts = attempts + 1, leased_by = ${process_id},
      leased_until = now() + make_interval(secs => ${lease_s})
    where id = (
      select id from mails m where id = ${id} and state in ('owed', 'sending') and next_at <= now() and ${isFree}
      for update skip locked)
    returning id, user_id, to_address, letter, class, content, attempts, created_at`.execute(tx)
  return result.rows[0]
}

const isFree = sql`(m.leased_until is null or m.leased_until < now()
  or not exists (select from job_processes p where p.id = m.leased_by))`

/** Marks a mail as sent. The content of a mail of security, which holds keys, becomes `instead`; that of others can be sent again. */
export async function markSent(tx: Tx, id: string, instead: string): Promise<void> {
  await tx
    .updateTable('mails')
    .set({
      state: 'sent',
      sent_at: sql`now()`,
      content: sql`case when class = 'security' then ${instead} else content end`,
      leased_by: null,
      leased_until: null,
      last_error: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .execute()
}

export async function putOff(
  tx: Tx,
  id: string,
  { after_s, error, awaits }: { after_s: number; error: string; awaits: boolean },
): Promise<void> {
  const next_at = sql<Date>`now() + make_interval(secs => ${after_s})`
  await tx
    .updateTable('mails')
    .set({
      state: 'owed',
      next_at,
      leased_by: null,
      leased_until: null,
      last_error: error,
      awaits_server_since: awaits ? sql<Date>`now()` : null,
    })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .execute()
}

/** Gives a mail up. Its content stays until the mail is swept, so that it can be sent again after a repair. */
export async function markDead(tx: Tx, id: string, error: string): Promise<void> {
  await tx
    .updateTable('mails')
    .set({ state: 'dead', leased_by: null, leased_until: null, last_error: error })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .execute()
}

/** Returns mails that have been due for a minute and that nobody is sending: their job was lost, or failed for good. */
export async function overdueMails(tx: Tx): Promise<{ id: string; class: JobClass }[]> {
  const result = await sql<{ id: string; class: JobClass }>`select id, class from mails m
    where state in ('owed', 'sending') and next_at < now() - interval '1 minute' and ${isFree} limit 1000`.execute(
    tx,
  )
  return result.rows
}

/** Deletes old mails, because addresses and texts are personal data: sent and kept mails after 30 days, all others after 90. */
export async function forgetOldMails(tx: Tx): Promise<void> {
  await sql`delete from mails where created_at < now() - interval '90 days'
    or (created_at < now() - interval '30 days' and state in ('sent', 'kept'))`.execute(tx)
}

/** The number of mails that are queued (`owed`), or were given up (`dead`). */
export async function countMails({ db }: Pick<App, 'db'>, state: 'owed' | 'dead'): Promise<number> {
  const { count } = await db
    .selectFrom('mails')
    .select(sql<bigint>`count(*)`.as('count'))
    .where('state', '=', state)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Age of the oldest mail that is still to be sent, in seconds; 0 where there is none. */
export async function oldestMail_s(db: App['db']): Promise<number> {
  const result = await sql<{ age_s: number }>`
    select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age_s
    from mails where state in ('owed', 'sending')`.execute(db)
  return must(result.rows[0]).age_s
}

/** Locks and returns mails whose content another SECRET_KEY than `boxId` sealed. */
export async function mailsOfOtherKeys(
  tx: Tx,
  boxId: string,
  limit: number,
): Promise<{ id: string; content: string }[]> {
  const { rows } = await sql<{ id: string; content: string }>`
    select id, content from mails where content not like ${`${boxId}.%`} limit ${limit} for update`.execute(
    tx,
  )
  return rows
}

export async function setContent(tx: Tx, id: string, content: string): Promise<void> {
  await tx.updateTable('mails').set({ content }).where('id', '=', id).execute()
}

export type KeptMail = {
  id: string
  to_address: string
  letter: string
  locale: Locale
  content: string
  created_at: Date
}

/** Mails that were kept because there is no mail server, newest first. */
export async function keptMails(
  { db }: App,
  filter: { id?: string; to?: string; limit: number },
): Promise<KeptMail[]> {
  const { id, to, limit } = filter
  const rows = await db
    .selectFrom('mails')
    .select(['id', 'to_address', 'letter', 'locale', 'content', 'created_at'])
    .where('state', '=', 'kept')
    .$if(id !== undefined, (query) => query.where('id', '=', must(id)))
    .$if(to !== undefined, (query) => query.where('to_address', '=', must(to)))
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.filter((row): row is KeptMail => row.content !== null)
}

export type DeadMail = {
  id: string
  to_address: string
  letter: string
  attempts: number
  last_error: string | null
  created_at: Date
}

/** Mails that were given up, the newest 100, without their contents: these hold links. */
export const deadMails = (db: App['db']): Promise<DeadMail[]> =>
  db
    .selectFrom('mails')
    .select(['id', 'to_address', 'letter', 'attempts', 'last_error', 'created_at'])
    .where('state', '=', 'dead')
    .where('content', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute()

/** Makes a mail that was given up due again, as if it had never been tried; undefined where there is none. */
export async function reviveMail(
  tx: Tx,
  id: string,
): Promise<{ letter: string; class: JobClass; to_address: string } | undefined> {
  const { rows } = await sql<{ letter: string; class: JobClass; to_address: string }>`
    update mails set state = 'owed', attempts = 0, next_at = now() where id = ${id} and state = 'dead' and content is not null
    returning letter, class, to_address`.execute(tx)
  return rows[0]
}

/** Locks and returns the mails of a class since a moment. */
export async function mailsSince(
  tx: Tx,
  its: JobClass,
  since: Date,
): Promise<{ id: string; state: string; content: string }[]> {
  const { rows } = await sql<{ id: string; state: string; content: string }>`
    select id, state, content from mails where class = ${its} and created_at >= ${since} order by id for update`.execute(
    tx,
  )
  return rows
}

export async function deleteMail(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('mails').where('id', '=', id).execute()
}
