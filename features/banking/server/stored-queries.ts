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
  const { days, amounts } = pairsOf(lines)
  const { rows } = await sql<StoredLine>`
    select l.id, l.booked_on::text as booked_on, l.amount, l.name, l.iban, l.text, l.end_to_end, l.bank_ref, l.key, l.nth,
      coalesce(f.kind = ${kind} and f.statement_id = ${id} and f.page <> ${page}::int, false) as is_of_other_page
    from unnest(${days}::date[], ${amounts}::bigint[])
      as given (booked_on, amount)
    join bank_lines l on l.account_iban = ${account_iban} and l.booked_on = given.booked_on and l.amount = given.amount
    join bank_files f on f.id = l.file_id
    order by l.place, l.id`.execute(tx)
  return rows
}

export type Alike = Pick<LineRow, 'id' | 'booked_on' | 'amount' | 'name' | 'iban' | 'text' | 'end_to_end'>

/**
 * Returns the payments of other statements with the account, day and amount of one of these new payments, which are of one statement. Left
 * out are those that none of these repeats (`apart`), and payments that themselves repeat an earlier payment.
 */
export async function alikeInOthers(
  tx: Tx,
  fresh: readonly LineRow[],
  apart: readonly string[],
): Promise<Alike[]> {
  const { days, amounts } = pairsOf(fresh)
  const { rows } = await sql<Alike>`
    select l.id, l.booked_on::text as booked_on, l.amount, l.name, l.iban, l.text, l.end_to_end
    from unnest(${days}::date[], ${amounts}::bigint[]) as given (booked_on, amount)
    join bank_lines l on l.account_iban = ${fresh[0]?.account_iban ?? ''} and l.booked_on = given.booked_on and l.amount = given.amount
    where l.file_id <> ${fresh[0]?.file_id ?? null}::uuid and l.same_as is null and l.id <> all(${[...apart]}::uuid[])
    order by l.place, l.id`.execute(tx)
  return rows
}

/** Returns each day and amount once: thousands of payments may have the same. */
function pairsOf(lines: readonly Pick<LineRow, 'booked_on' | 'amount'>[]): {
  days: string[]
  amounts: bigint[]
} {
  const pairs = [...new Map(lines.map((line) => [`${line.booked_on} ${line.amount}`, line])).values()]
  return { days: pairs.map(({ booked_on }) => booked_on), amounts: pairs.map(({ amount }) => amount) }
}

export type InParts = { whole: string; part: string; state: LineRow['state'] }

/**
 * Returns the batches that one statement has as a whole and another in parts, if one of both is among the new payments: the whole, its
 * state, and each of its parts. A whole has neither account nor id of a payer.
 */
export async function wholesInParts(tx: Tx, fresh: readonly LineRow[]): Promise<InParts[]> {
  const ids = fresh
    .filter(
      ({ batch_amount, iban, end_to_end }) => batch_amount !== null || (iban === '' && end_to_end === ''),
    )
    .map(({ id }) => id)
  if (ids.length === 0) return []
  // The parts are read first, by their index: a day may have thousands of payments of one amount, and hardly any batch.
  const { rows } = await sql<InParts>`
    with wanted as materialized (
      select distinct account_iban, booked_on, coalesce(batch_amount, amount) as amount from bank_lines where id = any(${ids}::uuid[])),
    parts as materialized (
      select p.id, p.file_id, p.place, p.bank_ref, p.account_iban, p.booked_on, p.batch_amount from wanted
      join bank_lines p on p.account_iban = wanted.account_iban and p.booked_on = wanted.booked_on and p.batch_amount = wanted.amount)
    select w.id as whole, p.id as part, w.state from parts p
    join bank_lines w on w.account_iban = p.account_iban and w.booked_on = p.booked_on and w.amount = p.batch_amount
    where w.batch_amount is null and w.iban = '' and w.end_to_end = '' and w.file_id <> p.file_id
      and (p.bank_ref = w.bank_ref or p.bank_ref = '' or w.bank_ref = '')
      and (w.id = any(${ids}::uuid[]) or p.id = any(${ids}::uuid[]))
    order by p.place, p.id`.execute(tx)
  return rows
}
