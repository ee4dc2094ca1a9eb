import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

// These queries run as the owner of the tables, and only in an installation with demo data. The application dates each booking,
// invoice and order to the present and never changes it (rules 7 and 13). The example year needs a past: its rows are moved there.

/** The triggers that refuse changes of rows that are booked or issued. All other triggers stay in force. */
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

/** Disables these triggers until `restoreGuards`, within this transaction and so for nobody else. */
export async function suspendGuards(tx: Tx): Promise<void> {
  for (const [table, guard] of guards)
    await sql`alter table ${sql.table(table)} disable trigger ${sql.id(guard)}`.execute(tx)
}

/** Enables the triggers again, after all deferred constraints have been checked. */
export async function restoreGuards(tx: Tx): Promise<void> {
  await sql`set constraints all immediate`.execute(tx)
  for (const [table, guard] of guards)
    await sql`alter table ${sql.table(table)} enable trigger ${sql.id(guard)}`.execute(tx)
}

/**
 * Takes the lock for writing demo data. Waits as long as another process, which started at the same time, holds it. It asks by many
 * short queries, because the pool gives up on a long one.
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

// Each event of a history is moved into the past before the next is written, so a row dated just now belongs to the latest event.
export const justNow = sql`now() - interval '10 minutes'`

/** Sets the dates of all rows that were written just now to `at`. */
export async function backdate(tx: Tx, at: Date): Promise<void> {
  await sql`
    with moment as (select ${at}::timestamptz(3) as at),
    booked as (update transactions set created_at = at from moment where created_at > ${justNow}),
    sides as (update entries set created_at = at from moment where created_at > ${justNow}),
    balance as (update balances set last_at = at from moment where last_at > ${justNow}),
    announced as (update top_ups set created_at = at from moment where created_at > ${justNow}),
    told as (update payment_events set created_at = at, settled_at = at from moment where created_at > ${justNow}),
    recorded as (update audit set at = moment.at from moment where audit.at > ${justNow}),
    ordered as (update checkouts set created_at = at, expires_at = at + (expires_at - created_at)
      from moment where created_at > ${justNow}),
    kept as (update payment_methods set created_at = at, saved_at = at from moment where created_at > ${justNow}),
    asked as (update payouts set created_at = at from moment where created_at > ${justNow}),
    charged as (update auto_top_up_runs set created_at = at, charge_at = at, ended_at = at from moment where created_at > ${justNow}),
    filled as (update auto_top_ups set created_at = at from moment where created_at > ${justNow}),
    hosted as (update hosts set created_at = at from moment where created_at > ${justNow})
    update invoices set issued_at = at from moment where issued_at > ${justNow}`.execute(tx)
}

/** Stores the page of the test provider on which a payment goes on. */
export async function showPaymentPage(tx: Tx, public_id: string): Promise<void> {
  await sql`update top_ups set redirect_url = '/dev/pay/' || public_id where public_id = ${public_id}`.execute(
    tx,
  )
}

/** Sets the dates at which a demo person's account was created and last signed in to. */
export async function backdateProfile(tx: Tx, user_id: string, at: Date, signedIn: Date): Promise<void> {
  await sql`update users set created_at = ${at}, last_login_at = ${signedIn} where id = ${user_id}`.execute(
    tx,
  )
}

type Runtime = { starts_at: Date; ends_at: Date; anchor_day: number }

/** Sets the date of the order that a transaction paid to `at`, and its paid period to the given one. */
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

/** Ends the paid period of an order at the time `at`, because the order was refunded. */
export async function endOrder(tx: Tx, transaction_id: string, at: Date): Promise<void> {
  await sql`
    with ran as (
      update paid_periods p set ends_at = ${at}, ended = 'refunded' from licence_orders o
      where o.id = p.order_id and o.transaction_id = ${transaction_id}::uuid returning p.host_id, p.starts_at)
    update licensed_addresses a set ends_at = ${at} from ran where a.host_id = ran.host_id and a.starts_at = ran.starts_at`.execute(
    tx,
  )
}

/** Records that a customer accepted a version of the terms at `at`. */
export async function insertAcceptedTerms(tx: Tx, user_id: string, version: string, at: Date): Promise<void> {
  await sql`insert into acceptances (user_id, document, version, context, at)
    values (${user_id}, 'terms', ${version}, 'sign_up', ${at})`.execute(tx)
}

/** Records that a consumer withdrew at `at` from the order that a transaction paid. The refund of the whole order follows. */
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

/** Records that a member of staff suspended a server at `at`. Nobody has lifted the suspension. */
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

/** Records that another account helps with all servers since `at`, as `technical`. */
export async function insertGrant(tx: Tx, owner_id: string, email: string, at: Date): Promise<void> {
  await sql`insert into account_grants
      (owner_id, email, grantee_id, role, all_hosts, state, created_at, expires_at, accepted_at)
    select ${owner_id}::uuid, email, id, 'technical', true, 'active', ${at}, ${at}::timestamptz + interval '14 days', ${at}
    from users where users.email = ${email}`.execute(tx)
}

/** Records that a program reads for the account since `at`, by a token that nobody knows, and did so an hour ago. */
export async function insertProgram(tx: Tx, owner_id: string, name: string, at: Date): Promise<void> {
  await sql`with made as (
      insert into account_grants (owner_id, email, grantee_kind, role, all_hosts, state, created_at, accepted_at)
      values (${owner_id}::uuid, '', 'token', 'read', true, 'active', ${at}, ${at}) returning id)
    insert into account_tokens (id, owner_id, name, token_hash, hint, created_at, last_used_at, last_used_ip)
    select id, ${owner_id}::uuid, ${name}, sha256(gen_random_uuid()::text::bytea), 'hdp_…2kQe', ${at}, now() - interval '1 hour',
      '203.0.113.7' from made`.execute(tx)
}

/** Records that another account pays each order for a server of this account since `at`, up to a limit a month. */
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
 * Deletes the mails of past events, and the jobs that announce them or make their documents in advance (opening an
 * invoice makes its documents). Only the job that checks each licence at its next step stays.
 */
export async function discardNotifications(tx: Tx): Promise<void> {
  await sql`delete from mails where created_at > ${justNow}`.execute(tx)
  const ofThePast = ['tell_balance', 'invoice_issued', 'make_documents', 'mail_invoice', 'announce_host']
  await sql`delete from jobs where name = any(${ofThePast})`.execute(tx)
}

/** Sets the time of a server's last check-in to `silent_s` seconds ago. */
export async function setSeen(
  tx: Tx,
  host_id: bigint,
  {
    address,
    hostname,
    version,
    uptime_s,
    silent_s,
  }: { address: string; hostname: string; version: string; uptime_s: number; silent_s: number },
): Promise<void> {
  await sql`update host_agents set last_seen_at = now() - make_interval(secs => ${silent_s}), address = ${address}::inet,
      version = ${version}, hostname = ${hostname}, uptime_s = ${uptime_s},
      look_at = case when ${silent_s}::integer = 0 then now() + interval '1 minute' end
    where host_id = ${host_id}`.execute(tx)
}
