import { sql, type Selectable } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { BankFiles, BankLines } from '#foundation/server/database/tables.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import type { Cause, LineState, Match } from '#features/banking/rules.ts'
import type { NewLine } from './known-lines.ts'
import type { Statement } from './statement.ts'
import { must } from '#foundation/must.ts'
import type { CsvForm } from '#features/banking/csv-profile.ts'

type Db = App['db']

type FileRow = Selectable<BankFiles>
export type LineRow = Omit<Selectable<BankLines>, 'match' | 'cause' | 'state' | 'booked_on'> & {
  match: Match
  cause: Cause | null
  state: LineState
  /** The day as text, since it is the bank's day and has no time zone. */
  booked_on: string
}

export const lineColumns = sql`l.id, l.file_id, l.account_iban, l.booked_on::text as booked_on, l.amount, l.currency, l.name, l.iban, l.text,
  l.end_to_end, l.key, l.nth, l.match, l.cause, l.top_up, l.user_id, l.state, l.bookings, l.transaction_id,
  l.place, l.same_as, l.bank_ref, l.batch_amount`

/** Locks: no other transaction adds a file until this transaction ends. */
export const lockFiles = (tx: Tx): Promise<void> => lockByName(tx, 'bank_files')

export type KeptFile = Pick<FileRow, 'id' | 'account_iban' | 'statement_id' | 'imported_at'>

/** Returns the statement that is stored with this hash. */
export async function fileWith(tx: Tx, sha256: Buffer): Promise<KeptFile | undefined> {
  const { rows } = await sql<KeptFile>`
    select id, account_iban, statement_id, imported_at from bank_files where sha256 = ${sha256}`.execute(tx)
  return rows[0]
}

export async function insertFile(
  tx: Tx,
  { kind, page, id, iban, opened_on, closed_on, opening, closing, currency }: Omit<Statement, 'lines'>,
  { sha256, imported_by }: { sha256: Buffer; imported_by: string | null },
): Promise<KeptFile> {
  return tx
    .insertInto('bank_files')
    .values({
      sha256,
      imported_by,
      statement_id: id,
      account_iban: iban,
      kind,
      page,
      opened_on,
      closed_on,
      opening,
      closing,
      currency,
    })
    .returning(['id', 'account_iban', 'statement_id', 'imported_at'])
    .executeTakeFirstOrThrow()
}

/** The most rows that one SQL statement writes: a file has up to 50,000 payments, and a statement may take 5 s. */
const AT_ONCE = 2_000

/** Inserts new payments, as `unknown`, and returns their rows. */
export async function insertLines(
  tx: Tx,
  file: Pick<KeptFile, 'id' | 'account_iban'>,
  lines: readonly NewLine[],
): Promise<LineRow[]> {
  const inserted: LineRow[] = []
  for (let from = 0; from < lines.length; from += AT_ONCE)
    inserted.push(...(await insertSome(tx, file, lines.slice(from, from + AT_ONCE))))
  return inserted
}

async function insertSome(
  tx: Tx,
  file: Pick<KeptFile, 'id' | 'account_iban'>,
  lines: readonly NewLine[],
): Promise<LineRow[]> {
  const of = <Value>(read: (line: NewLine) => Value) => lines.map(read)
  const { rows } = await sql<LineRow>`
    insert into bank_lines as l (file_id, account_iban, booked_on, amount, currency, name, iban, text, end_to_end, bank_ref, batch_amount,
      key, nth, place, match)
    select ${file.id}, ${file.account_iban}, given.*, 'unknown'
    from unnest(${of(({ booked_on }) => booked_on)}::date[], ${of(({ amount }) => amount)}::bigint[],
      ${of(({ currency }) => currency)}::text[], ${of(({ name }) => name)}::text[], ${of(({ iban }) => iban)}::text[],
      ${of(({ text }) => text)}::text[], ${of(({ end_to_end }) => end_to_end)}::text[], ${of(({ bank_ref }) => bank_ref)}::text[],
      ${of(({ batch_amount }) => batch_amount)}::bigint[], ${of(({ key }) => key)}::bytea[], ${of(({ nth }) => nth)}::integer[],
      ${of(({ place }) => place)}::integer[]) as given
    returning ${lineColumns}`.execute(tx)
  return rows
}

export type Reading = {
  id: string
  match: Match
  cause: Cause | null
  top_up: string | null
  user_id: string | null
  same_as: string | null
}

/** Stores how payments are matched now. Leaves rows alone that say so already: writing a row costs as much as inserting it. */
export async function saveReadings(tx: Tx, readings: readonly Reading[]): Promise<void> {
  for (let from = 0; from < readings.length; from += AT_ONCE)
    await saveSome(tx, readings.slice(from, from + AT_ONCE))
}

async function saveSome(tx: Tx, readings: readonly Reading[]): Promise<void> {
  const of = <Value>(read: (reading: Reading) => Value) => readings.map(read)
  await sql`
    update bank_lines l set match = r.match, cause = r.cause, top_up = r.top_up, user_id = r.user_id, same_as = r.same_as
    from unnest(${of(({ id }) => id)}::uuid[], ${of(({ match }) => match)}::text[], ${of(({ cause }) => cause)}::text[],
      ${of(({ top_up }) => top_up)}::text[], ${of(({ user_id }) => user_id)}::uuid[],
      ${of(({ same_as }) => same_as)}::uuid[])
      as r (id, match, cause, top_up, user_id, same_as)
    where l.id = r.id and l.state = 'open'
      and (l.match, l.cause, l.top_up, l.user_id, l.same_as) is distinct from (r.match, r.cause, r.top_up, r.user_id, r.same_as)`.execute(
    tx,
  )
}

export type Earlier = Pick<LineRow, 'id' | 'place' | 'state'> & Pick<FileRow, 'statement_id' | 'imported_at'>

/** Returns payments by id, each with the name and import time of its statement. */
export async function withStatements(db: Db, ids: readonly string[]): Promise<Map<string, Earlier>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Earlier>`
    select l.id, l.place, l.state, f.statement_id, f.imported_at from bank_lines l join bank_files f on f.id = l.file_id
    where l.id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Returns, by account (IBAN), the customer for whom the account paid last. The query reads one payment an account: an account that pays
 * for many customers, as a collection agency's does, has too many payments to read for a page.
 */
export async function payersOf(db: Db, ibans: readonly string[]): Promise<Map<string, string>> {
  const given = [...new Set(ibans)].filter((iban) => iban !== '')
  if (given.length === 0) return new Map()
  const { rows } = await sql<{ iban: string; user_id: string }>`
    select given.iban, latest.user_id from unnest(${given}::text[]) as given (iban)
    cross join lateral (
      select user_id from bank_lines l
      where l.state = 'booked' and l.iban = given.iban and l.amount > 0 and l.user_id is not null
      order by l.booked_on desc limit 1) as latest`.execute(db)
  return new Map(rows.map(({ iban, user_id }) => [iban, user_id]))
}

/** Returns, by the id of a return, the transfer of the latest booked payment of the same account and amount on or before its day. */
export async function returnedBy(
  db: Db,
  lines: readonly { id: string; iban: string; amount: bigint; booked_on: string }[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; top_up: string }>`
    select given.id, earlier.top_up
    from unnest(${lines.map(({ id }) => id)}::uuid[], ${lines.map(({ iban }) => iban)}::text[],
      ${lines.map(({ amount }) => -amount)}::bigint[], ${lines.map(({ booked_on }) => booked_on)}::date[])
      as given (id, iban, amount, booked_on)
    cross join lateral (
      select top_up from bank_lines l
      where l.state = 'booked' and l.iban = given.iban and l.iban <> '' and l.amount = given.amount and l.top_up is not null
        and l.booked_on <= given.booked_on
      order by l.booked_on desc limit 1) as earlier`.execute(db)
  return new Map(rows.map(({ id, top_up }) => [id, top_up]))
}

export async function lineOf(db: Db, id: string): Promise<LineRow | undefined> {
  const { rows } = await sql<LineRow>`select ${lineColumns} from bank_lines l where l.id = ${id}`.execute(db)
  return rows[0]
}

export async function lockLine(tx: Tx, id: string): Promise<LineRow | undefined> {
  const { rows } =
    await sql<LineRow>`select ${lineColumns} from bank_lines l where l.id = ${id} for no key update`.execute(
      tx,
    )
  return rows[0]
}

/** Returns the ids of open payments that match exactly one transfer, oldest first. */
export async function exactLines(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from bank_lines where state = 'open' and match = 'exact' order by booked_on, id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

type Changes = {
  match?: Match
  cause?: Cause | null
  state?: LineState
  user_id?: string | null
  top_up?: string | null
  same_as?: string | null
  bookings?: number
  transaction_id?: string | null
}

export async function updateLine(tx: Tx, id: string, changes: Changes): Promise<void> {
  await tx.updateTable('bank_lines').set(changes).where('id', '=', id).execute()
}

export async function countOpen(db: Db): Promise<Record<Match, number>> {
  const { rows } = await sql<Record<Match, number>>`
    select count(*) filter (where match = 'exact')::int as exact,
      count(*) filter (where match = 'ambiguous')::int as ambiguous,
      count(*) filter (where match = 'unknown')::int as unknown
    from bank_lines where state = 'open'`.execute(db)
  return rows[0] ?? { exact: 0, ambiguous: 0, unknown: 0 }
}

type Profile = { id: string; name: string; form: CsvForm }

export async function allProfiles(db: App['db']): Promise<Profile[]> {
  const { rows } =
    await sql<Profile>`select id, name, form from bank_profiles order by lower(name), id`.execute(db)
  return rows
}

export async function profileOf(db: App['db'], id: string): Promise<CsvForm | undefined> {
  const { rows } = await sql<Profile>`select id, name, form from bank_profiles where id = ${id}`.execute(db)
  return rows[0]?.form
}

export async function profileNamed(db: App['db'], name: string | undefined): Promise<CsvForm | undefined> {
  return (await allProfiles(db)).find((profile) => profile.name === name)?.form
}

/** Saves a profile; it replaces a profile of the same name. */
export async function putProfile(
  tx: Tx,
  { name, form, made_by }: Omit<Profile, 'id'> & { made_by: string },
): Promise<Profile> {
  await sql`delete from bank_profiles where name = ${name}`.execute(tx)
  const { rows } = await sql<Profile>`
    insert into bank_profiles (name, form, made_by) values (${name}, ${JSON.stringify(form)}::jsonb, ${made_by})
    returning id, name, form`.execute(tx)
  return must(rows[0])
}
