import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { StoredLine } from './known-lines.ts'
import type { KeptFile, LineRow } from './queries.ts'
import type { Statement } from './statement.ts'

/**
 * Returns the stored payments of this account with a day and an amount of this statement. The ones on other pages of the same statement
 * are marked: what stands on two pages is two payments.
 */
export async function storedLike(
  tx: Tx,
  { account_iban }: Pick<KeptFile, 'account_iban'>,
  { lines, page, kind, id }: Statement,
): Promise<StoredLine[]> {
  const pairs = new Map(
    lines.map(({ booked_on, amount }) => [`${booked_on} ${amount}`, { booked_on, amount }]),
  )
  const asked = [...pairs.values()]
  const { rows } = await sql<StoredLine>`
    select l.id, l.booked_on::text as booked_on, l.amount, l.name, l.iban, l.text, l.end_to_end, l.bank_ref, l.key, l.nth,
      coalesce(f.kind = ${kind} and f.statement_id = ${id} and f.page <> ${page}::int, false) as is_of_other_page
    from unnest(${asked.map(({ booked_on }) => booked_on)}::date[], ${asked.map(({ amount }) => amount)}::bigint[])
      as given (booked_on, amount)
    join bank_lines l on l.account_iban = ${account_iban} and l.booked_on = given.booked_on and l.amount = given.amount
    join bank_files f on f.id = l.file_id
    order by l.place, l.id`.execute(tx)
  return rows
}

export type Alike = Pick<LineRow, 'id' | 'name' | 'iban' | 'text' | 'end_to_end'> & { given: string }

/**
 * Returns the payments of other statements with the account, day and amount of a new payment (`given`). Left out are those that
 * none of these repeats (`apart`), and payments that themselves repeat an earlier payment.
 */
export async function alikeInOthers(
  tx: Tx,
  fresh: readonly LineRow[],
  apart: readonly string[],
): Promise<Alike[]> {
  const { rows } = await sql<Alike>`
    select given.id as given, l.id, l.name, l.iban, l.text, l.end_to_end
    from unnest(${fresh.map(({ id }) => id)}::uuid[]) as given (id)
    join bank_lines n on n.id = given.id
    join bank_lines l on l.account_iban = n.account_iban and l.booked_on = n.booked_on and l.amount = n.amount
    where l.file_id <> n.file_id and l.same_as is null and l.id <> all(${[...apart]}::uuid[])
    order by n.place, l.place, l.id`.execute(tx)
  return rows
}

export type InParts = { whole: string; part: string; state: LineRow['state'] }

/**
 * Returns the batches that one statement has as a whole and another in parts, if one of both is among the new payments: the whole, its
 * state, and each of its parts. A whole has neither account nor id of a payer.
 */
export async function wholesInParts(tx: Tx, fresh: readonly LineRow[]): Promise<InParts[]> {
  const ids = fresh
    .filter(({ batch_amount, iban }) => batch_amount !== null || iban === '')
    .map(({ id }) => id)
  if (ids.length === 0) return []
  const { rows } = await sql<InParts>`
    select distinct w.id as whole, p.id as part, w.state, p.place
    from unnest(${ids}::uuid[]) as given (id)
    join bank_lines n on n.id = given.id
    join bank_lines w on w.account_iban = n.account_iban and w.booked_on = n.booked_on
      and w.amount = coalesce(n.batch_amount, n.amount) and w.batch_amount is null and w.iban = '' and w.end_to_end = ''
    join bank_lines p on p.account_iban = w.account_iban and p.booked_on = w.booked_on and p.batch_amount = w.amount
    where (n.id = w.id or n.id = p.id) and p.file_id <> w.file_id
      and (p.bank_ref = w.bank_ref or p.bank_ref = '' or w.bank_ref = '')
    order by p.place, p.id`.execute(tx)
  return rows
}
