import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { JobClass } from '#foundation/server/jobs/classes.ts'

export type WaitingMail = { id: string; class: JobClass }

/** A mail that was tried this lately is not tried again because another one was sent. */
const JUST_TRIED_S = 20
const AT_ONCE = 100

const order = sql`(class = 'security') desc, created_at`
// One that was tried in the future was tried while the clock ran ahead.
const notJustTried = sql`(awaits_server_since not between now() - make_interval(secs => ${JUST_TRIED_S}) and now())`

/**
 * Ends the pauses of mails that wait for the mail server, because it has just taken one: at most 100 at once, and others only when none of
 * security waits any more. Each mail that is sent lets more of them go.
 */
export async function endWaiting(tx: Tx): Promise<WaitingMail[]> {
  const { rows } = await sql<WaitingMail>`
    update mails set next_at = now(), awaits_server_since = null where id in (
      select id from mails where awaits_server_since is not null and state = 'owed' and ${notJustTried}
        and (class = 'security' or not exists (
          select from mails s where s.awaits_server_since is not null and s.class = 'security' and s.state = 'owed'))
      order by ${order} limit ${AT_ONCE} for update skip locked)
    returning id, class`.execute(tx)
  return rows
}

/**
 * Makes one of the waiting mails due, to find out if the mail server is back: of security, if there is one. This try counts for nothing, so
 * that no mail is given up sooner; one that has waited for a day is left to its own pauses.
 */
export async function probeServer(tx: Tx): Promise<WaitingMail[]> {
  const { rows } = await sql<WaitingMail>`
    update mails set next_at = now(), attempts = greatest(attempts - 1, 0) where id = (
      select id from mails where awaits_server_since is not null and state = 'owed' and next_at > now() and ${notJustTried}
        and created_at > now() - interval '1 day'
      order by ${order} limit 1 for update skip locked)
    returning id, class`.execute(tx)
  return rows
}

/**
 * Makes mails due that wait longer than the pause after their last try, and shortens leases that are longer than `lease_s`: the clock ran
 * ahead and came back. `pauses_s` are the pauses after each try.
 */
export async function shortenPauses(
  tx: Tx,
  { pauses_s, lease_s }: { pauses_s: readonly number[]; lease_s: number },
): Promise<WaitingMail[]> {
  await sql`update mails set leased_until = now() + make_interval(secs => ${lease_s})
    where state = 'sending' and leased_until > now() + make_interval(secs => ${lease_s + 60})`.execute(tx)
  const { rows } = await sql<WaitingMail>`
    update mails set next_at = now() where state = 'owed' and next_at > now()
      + make_interval(secs => 60 + 1.1 * coalesce((${[...pauses_s]}::float8[])[greatest(attempts, 1)], ${pauses_s.at(-1) ?? 0}::float8))
    returning id, class`.execute(tx)
  return rows
}

type QueuedMails = { count: number; oldest_s: number; last_error: string | null }

/** The mails that are still to be sent: how many, the age of the oldest, and the last error of the oldest that failed. */
export async function queuedMails(db: App['db']): Promise<QueuedMails> {
  const { rows } = await sql<QueuedMails>`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest_s,
      (array_agg(last_error order by created_at) filter (where last_error is not null))[1] as last_error
    from mails where state in ('owed', 'sending')`.execute(db)
  return rows[0] ?? { count: 0, oldest_s: 0, last_error: null }
}
