import { sql } from 'kysely'
import { deleteDemoWebhooks } from './webhook-queries.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

// These queries remove the example people and their rows, as the owner of the tables. The names of the tables come from PostgreSQL's
// catalogue, so that a table added later is not forgotten. Rows are deleted in the order that the foreign keys require.

const examples = sql`(select id from users where is_example)`

export async function exampleEmails(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('users').select('email').where('is_example', '=', true).execute()
  return rows.map(({ email }) => email)
}

/** Returns the email addresses of users who are not examples and have bookings, invoices, orders or top-ups. */
export async function othersWithBookings(tx: Tx): Promise<string[]> {
  const result = await sql<{ email: string }>`select email from users where not is_example and id in (
    select user_id from transactions union select user_id from invoices
    union select user_id from licence_orders union select user_id from top_ups)
    order by created_at, id`.execute(tx)
  return result.rows.map(({ email }) => email)
}

export async function examplePeople(tx: Tx): Promise<{ id: string; email: string }[]> {
  return tx.selectFrom('users').select(['id', 'email']).where('is_example', '=', true).execute()
}

/** Removes the mark of an example from the accounts: after their erasure they are like any deleted account. */
export async function forgetExamples(tx: Tx): Promise<void> {
  await tx.updateTable('users').set({ is_example: false }).where('is_example', '=', true).execute()
}

/** Voids a voucher, and deletes it if it was never redeemed. A redeemed voucher stays in the books. */
export async function endVoucher(tx: Tx, code_hash: Buffer): Promise<void> {
  await sql`update vouchers set voided_at = now(), void_reason = 'An example'
    where code_hash = ${code_hash} and voided_at is null`.execute(tx)
  await sql`delete from vouchers where code_hash = ${code_hash}
    and not exists (select from redemptions where voucher_id = vouchers.id)`.execute(tx)
}

/** Ends a promo code, and deletes it if it was never used: those who have it on a licence keep it. */
export async function endPromo(tx: Tx, code: string): Promise<void> {
  await sql`delete from promo_codes where code = ${code}
    and not exists (select from promo_uses where promo_id = promo_codes.id)`.execute(tx)
  await sql`update promo_codes set ended_at = now() where code = ${code} and ended_at is null`.execute(tx)
}

/** Deletes the example people and all rows that belong to them. */
export async function deleteExamples(tx: Tx): Promise<void> {
  await sql`set constraints all immediate`.execute(tx)
  const guards = await guardsOf(tx)
  await switchGuards(tx, guards, 'disable')
  for (const table of ['host_metrics', 'host_metrics_thinned', 'host_figures'])
    await sql`delete from ${sql.table(table)} where host_id in (select id from hosts where user_id in ${examples})`.execute(
      tx,
    )
  // Nothing but the erasure of an account deletes its events; those in the list of the operator name no user in `user_id`.
  await sql`select erase_account_events(id) from users where is_example`.execute(tx)
  const references = await referencesIn(tx)
  // The closings sum up bookings, and only example people have bookings.
  await sql`delete from ledger_closings`.execute(tx)
  for (const { table, column } of await tablesOfUsers(tx))
    await deleteRows(tx, references, table, `${quote(column)} in (select id from users where is_example)`)
  await deleteRows(tx, references, 'users', 'is_example')
  await sql`delete from ticket_tags t where not exists (
    select from tickets where tags <> '{}' and tags @> array[t.name])`.execute(tx)
  await deleteDemoWebhooks(tx)
  await sql`delete from statement_months m where not exists (select from statements s where s.month = m.month)`.execute(
    tx,
  )
  await sql`set constraints all immediate`.execute(tx)
  await switchGuards(tx, guards, 'enable')
}

/** Promises no answers any more, unless the operator has changed the hours or targets of the example desk. */
export async function endAnswerTimes(tx: Tx): Promise<void> {
  const { rows } = await sql`
    update answer_calendar set zone = default, hours = default, holidays = default, version = 1 where version = ${SEEDED}
    returning version`.execute(tx)
  if (rows.length === 0) return
  await sql`delete from answer_targets`.execute(tx)
  await sql`update tickets set due_at = null where due_at is not null`.execute(tx)
}

/** The version of a calendar that was written once. */
const SEEDED = 2

/** Lets the numbers of invoices begin at 1 again if no invoice is left. */
export async function resetInvoiceNumbers(tx: Tx): Promise<void> {
  await sql`delete from invoice_counters where not exists (select from invoices)`.execute(tx)
}

/** Deletes the example plans that were never ordered and whose price was never changed. Returns the slugs of the plans that stay. */
export async function deletePlans(
  tx: Tx,
  plans: readonly { slug: string; edition?: string | undefined; price_net: bigint }[],
): Promise<string[]> {
  const guards = (await guardsOf(tx)).filter(({ table }) => table === 'plan_prices')
  await switchGuards(tx, guards, 'disable')
  const kept: string[] = []
  for (const { slug, price_net } of plans) {
    const asMade = sql`plan = ${slug} and not exists (select from licence_orders o where o.plan = ${slug})
      and not exists (select from plan_prices other where other.plan = ${slug} and other.net <> ${price_net})`
    await sql`delete from plan_prices p where ${asMade}`.execute(tx)
    await sql`delete from plans p where slug = ${slug} and not exists (select from plan_prices r where r.plan = p.slug)`.execute(
      tx,
    )
    const left = await sql`select from plans where slug = ${slug}`.execute(tx)
    if (left.rows.length > 0) kept.push(slug)
  }
  await switchGuards(tx, guards, 'enable')
  const editions = [...new Set(plans.flatMap(({ edition }) => edition ?? []))]
  await deleteEditions(tx, editions)
  return kept
}

/** Deletes the editions among these that no plan belongs to. */
async function deleteEditions(tx: Tx, editions: readonly string[]): Promise<void> {
  const unused = sql`(select slug from editions e where slug = any(${editions}::text[])
    and not exists (select from plans where edition = e.slug))`
  await sql`delete from edition_entitlements where edition in ${unused}`.execute(tx)
  await sql`delete from extras where edition in ${unused}`.execute(tx)
  await sql`delete from answer_targets where edition in ${unused}`.execute(tx)
  await sql`delete from editions where slug in ${unused}`.execute(tx)
}

/** Deletes a product that no edition and no licence belongs to. */
export async function deleteProduct(tx: Tx, product: string): Promise<void> {
  await sql`delete from products p where slug = ${product} and not exists (select from editions e where e.product = p.slug)
    and not exists (select from hosts h where h.product = p.slug)`.execute(tx)
}

type Guard = { table: string; name: string }

/** Returns the triggers that refuse to delete bookings, documents and records. Rows of the audit stay, as they name nobody. */
async function guardsOf(tx: Tx): Promise<Guard[]> {
  const result = await sql<Guard>`
    select tgrelid::regclass::text as table, tgname as name from pg_trigger
    where not tgisinternal and tgrelid <> 'audit'::regclass and tgfoid in
      (select oid from pg_proc where proname in ('refuse_change', 'refuse_change_of_accounts', 'refuse_change_while_kept', 'guard_balance'))`.execute(
    tx,
  )
  return result.rows
}

async function switchGuards(tx: Tx, guards: readonly Guard[], act: 'disable' | 'enable'): Promise<void> {
  for (const { table, name } of guards)
    await sql`alter table ${sql.table(table)} ${sql.raw(act)} trigger ${sql.id(name)}`.execute(tx)
}

/** Returns the tables whose rows belong to a user, each with the column that holds the user's id. */
async function tablesOfUsers(tx: Tx): Promise<{ table: string; column: string }[]> {
  const result = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped
      and (a.attname = 'user_id' or (c.relname, a.attname) = ('canned_replies', 'author_id'))
      and c.relname <> 'audit'
    order by 1`.execute(tx)
  return result.rows
}

type Reference = { child: string; columns: string[]; parent: string; parent_columns: string[] }

/** Returns the foreign keys that refuse a delete; for the other ones PostgreSQL deletes or clears the references by itself. */
async function referencesIn(tx: Tx): Promise<Reference[]> {
  const result = await sql<Reference>`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent,
      (select array_agg(attname::text order by place) from unnest(conkey) with ordinality k (number, place)
        join pg_attribute on attrelid = conrelid and attnum = number) as columns,
      (select array_agg(attname::text order by place) from unnest(confkey) with ordinality k (number, place)
        join pg_attribute on attrelid = confrelid and attnum = number) as parent_columns
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and confdeltype in ('a', 'r')
      and conrelid <> confrelid`.execute(tx)
  return result.rows
}

/** Deletes rows after the rows that refer to them. `condition` contains names from the catalogue, never input. */
async function deleteRows(
  tx: Tx,
  references: readonly Reference[],
  table: string,
  condition: string,
): Promise<void> {
  for (const { child, columns, parent_columns } of references.filter(({ parent }) => parent === table)) {
    const parents = `select ${list(parent_columns)} from ${quote(table)} where ${condition}`
    await deleteRows(tx, references, child, `(${list(columns)}) in (${parents})`)
  }
  await sql`delete from ${sql.table(table)} where ${sql.raw(condition)}`.execute(tx)
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
const list = (names: readonly string[]) => names.map(quote).join(', ')
