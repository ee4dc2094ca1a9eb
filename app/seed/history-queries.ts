import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

// Run as the owner of the tables, and only by an installation with demo data: what the application books, issues and
// orders happens now and stays as it is (rules 7 and 13). The example year needs a past, so its rows are moved there.

/** Triggers that refuse a change of what is booked or issued; all other guards stay in force. */
const guards = [
  ['transactions', 'transactions_are_append_only'],
  ['entries', 'entries_are_append_only'],
  ['balances', 'balances_follow_entries'],
  ['invoices', 'invoices_never_change'],
  ['invoice_snapshots', 'invoice_snapshots_are_kept'],
  ['invoice_lines', 'invoice_lines_are_kept'],
  ['licence_orders', 'licence_orders_are_final'],
  ['audit', 'audit_is_append_only'],
] as const

/** Takes those guards off until `restoreGuards`, in this transaction, and so for nobody else. */
export async function suspendGuards(tx: Tx): Promise<void> {
  for (const [table, guard] of guards)
    await sql`alter table ${sql.table(table)} disable trigger ${sql.id(guard)}`.execute(tx)
}

/** Puts the guards back, after everything that is looked at at a commit has been looked at. */
export async function restoreGuards(tx: Tx): Promise<void> {
  await sql`set constraints all immediate`.execute(tx)
  for (const [table, guard] of guards)
    await sql`alter table ${sql.table(table)} enable trigger ${sql.id(guard)}`.execute(tx)
}

/**
 * A second process that starts at the same moment waits for the first one's data, however slow the machine: by short
 * questions, since the pool gives up on a long one.
 */
export async function waitForSeedLock(tx: Tx): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('demo', 0)) as mine`.execute(tx)
    if (rows[0]?.mine) break
    await setTimeout(100)
  }
  await sql`select set_config('lock_timeout', '60s', true), set_config('statement_timeout', '60s', true)`.execute(
    tx,
  )
}

// The events of a history are written one by one, each moved before the next: a row dated just now belongs to this one.
export const justNow = sql`now() - interval '10 minutes'`

/** Everything that was just now written has happened at `at`. */
export async function backdate(tx: Tx, at: Date): Promise<void> {
  await sql`
    with moment as (select ${at}::timestamptz(3) as at),
    booked as (update transactions set created_at = at from moment where created_at > ${justNow}),
    sides as (update entries set created_at = at from moment where created_at > ${justNow}),
    balance as (update balances set last_at = at from moment where last_at > ${justNow}),
    announced as (update top_ups set created_at = at from moment where created_at > ${justNow}),
    told as (update payment_events set created_at = at, settled_at = at from moment where created_at > ${justNow}),
    recorded as (update audit set at = moment.at from moment where audit.at > ${justNow}),
    hosted as (update hosts set created_at = at from moment where created_at > ${justNow})
    update invoices set issued_at = at from moment where issued_at > ${justNow}`.execute(tx)
}

/** A demo person has been here since `at`. */
export async function backdateProfile(tx: Tx, user_id: string, at: Date): Promise<void> {
  await sql`update users set created_at = ${at}, last_login_at = now() where id = ${user_id}`.execute(tx)
}

type Runtime = { starts_at: Date; ends_at: Date; anchor_day: number }

/** The order that a transaction paid has paid for this runtime, at `at`. */
export async function backdateOrder(
  tx: Tx,
  transaction_id: string,
  { at, starts_at, ends_at, anchor_day }: Runtime & { at: Date },
): Promise<void> {
  await sql`
    with ordered as (
      update licence_orders set ordered_at = ${at} where transaction_id = ${transaction_id}::uuid returning id, host_id),
    ran as (
      update paid_periods p set starts_at = ${starts_at}, term_starts_at = ${starts_at}, ends_at = ${ends_at}, anchor_day = ${anchor_day}
      from ordered where p.order_id = ordered.id),
    claimed as (
      update licensed_addresses set starts_at = ${starts_at}, ends_at = ${ends_at}
      where id = (select max(a.id) from licensed_addresses a join ordered using (host_id)))
    update invoice_lines l set starts_at = ${starts_at}, ends_at = ${ends_at}
    from invoices i where i.id = l.invoice_id and i.transaction_id = ${transaction_id}::uuid`.execute(tx)
}

/** Ends the period that this order paid for at `at`, with its refund. */
export async function endOrder(tx: Tx, transaction_id: string, at: Date): Promise<void> {
  await sql`
    with ran as (
      update paid_periods p set ends_at = ${at}, ended = 'refunded' from licence_orders o
      where o.id = p.order_id and o.transaction_id = ${transaction_id}::uuid returning p.host_id, p.starts_at)
    update licensed_addresses a set ends_at = ${at} from ran where a.host_id = ran.host_id and a.starts_at = ran.starts_at`.execute(
    tx,
  )
}

/** A customer accepted the terms of that time. */
export async function insertAcceptedTerms(tx: Tx, user_id: string, version: string, at: Date): Promise<void> {
  await sql`insert into acceptances (user_id, document, version, context, at)
    values (${user_id}, 'terms', ${version}, 'sign_up', ${at})`.execute(tx)
}

/** A consumer withdrew at `at` from the order that a transaction paid for, whose refund of the whole follows. */
export async function insertWithdrawal(tx: Tx, transaction_id: string, at: Date, url: string): Promise<void> {
  await sql`
    with agreed as (
      insert into acceptances (user_id, document, version, context, order_id, at)
      select user_id, 'begin_now', ${url}, 'order', id, ordered_at from licence_orders where transaction_id = ${transaction_id}::uuid)
    insert into withdrawals (user_id, order_id, transaction_id, declared_at, proposed_refund, currency)
    select user_id, id, transaction_id, ${at}, total, currency from licence_orders where transaction_id = ${transaction_id}::uuid`.execute(
    tx,
  )
}

/** A member of staff suspended a server at `at`, and nobody has lifted it. */
export async function insertSuspension(
  tx: Tx,
  public_id: string,
  { text, note, at }: { text: string; note: string; at: Date },
): Promise<void> {
  await sql`insert into suspensions (host_id, user_id, reason, text_public, text_internal, starts_at)
    select id, user_id, 'abuse', ${text}, ${note}, ${at} from hosts where public_id = ${public_id}`.execute(
    tx,
  )
}

/** Another account helps with all servers since `at`, as `technical`. */
export async function insertGrant(tx: Tx, owner_id: string, email: string, at: Date): Promise<void> {
  await sql`insert into account_grants
      (owner_id, email, grantee_id, role, all_hosts, state, created_at, expires_at, accepted_at)
    select ${owner_id}::uuid, email, id, 'technical', true, 'active', ${at}, ${at}::timestamptz + interval '14 days', ${at}
    from users where users.email = ${email}`.execute(tx)
}

/** Another account pays for a server of this one since `at`: each order, up to a limit a month. */
export async function insertAgreement(
  tx: Tx,
  { owner_id, email, public_id }: { owner_id: string; email: string; public_id: string },
  month_limit: bigint,
  at: Date,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`insert into payment_agreements
      (owner_id, payer_id, asked_by, email, all_hosts, pays, month_limit, created_at, expires_at)
    select ${owner_id}::uuid, id, 'owner', email, false, 'all', ${month_limit}, ${at}::timestamptz, ${at}::timestamptz + interval '14 days'
    from users where users.email = ${email} returning id`.execute(tx)
  const id = rows[0]?.id
  await sql`update payment_agreements set state = 'active', accepted_at = ${at} where id = ${id}::uuid`.execute(
    tx,
  )
  await sql`insert into host_payers (host_id, user_id, agreement_id, created_at)
    select id, user_id, ${id}::uuid, ${at} from hosts where public_id = ${public_id}`.execute(tx)
}

/**
 * The past notifies nobody: no mails, no announcements, and no documents made in advance (opening an invoice makes
 * them). Only the check of each licence at its next step stays.
 */
export async function discardNotifications(tx: Tx): Promise<void> {
  await sql`delete from mails where created_at > ${justNow}`.execute(tx)
  const ofThePast = ['tell_balance', 'invoice_issued', 'make_documents', 'mail_invoice', 'announce_host']
  await sql`delete from jobs where name = any(${ofThePast})`.execute(tx)
}
