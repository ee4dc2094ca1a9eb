import { sql } from 'kysely'
import { microsecondsOf, timeOf } from '#foundation/server/database/times.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Locale } from '#foundation/locale.ts'
import { must } from '#foundation/must.ts'
import { EXPORT_DAYS, type ExportKind, type ExportState } from '#features/books/rules.ts'

type Db = App['db']

export type ExportRow = {
  id: string
  kind: ExportKind
  first_day: string
  last_day: string
  made_by: string | null
  locale: Locale
  state: ExportState
  created_at: Date
  expires_at: Date | null
  key: string | null
  name: string | null
  rows: bigint | null
  bytes: bigint | null
  sha256: Buffer | null
  agrees: boolean | null
  failure: string | null
  /** The place of the export in the order of time, to the microsecond. */
  place: string
}

const columns = sql`id, kind, to_char(first_day, 'YYYY-MM-DD') as first_day, to_char(last_day, 'YYYY-MM-DD') as last_day,
  made_by, locale, state, created_at, expires_at, key, name, rows, bytes, sha256, agrees, failure,
  ${microsecondsOf(sql`created_at`)} as place`

/** Asks for a file. Returns the existing row if the same file is being made already. */
export async function askFor(
  tx: Tx,
  wanted: { kind: ExportKind; from: string; to: string; made_by: string; locale: Locale },
): Promise<ExportRow & { is_new: boolean }> {
  const { kind, from, to, made_by, locale } = wanted
  const made = await sql<ExportRow>`
    insert into book_exports (kind, first_day, last_day, made_by, locale)
    values (${kind}, ${from}::date, ${to}::date, ${made_by}, ${locale})
    on conflict (kind, first_day, last_day, locale) where state = 'waiting' do nothing returning ${columns}`.execute(
    tx,
  )
  if (made.rows[0]) return { ...made.rows[0], is_new: true }
  const known = await sql<ExportRow>`
    select ${columns} from book_exports where kind = ${kind} and first_day = ${from}::date and last_day = ${to}::date
      and locale = ${locale} order by created_at desc, id desc limit 1`.execute(tx)
  return { ...must(known.rows[0]), is_new: false }
}

export async function exportById(db: Db, id: string): Promise<ExportRow | undefined> {
  const { rows } = await sql<ExportRow>`select ${columns} from book_exports where id = ${id}`.execute(db)
  return rows[0]
}

/** Returns the exports that are older than `before`, the newest first. */
export async function exportsBefore(
  db: Db,
  { before, limit }: { before: readonly [place: string, id: string] | undefined; limit: number },
): Promise<ExportRow[]> {
  const older = before ? sql`(created_at, id) < (${timeOf(before[0])}, ${before[1]}::uuid)` : sql`true`
  const { rows } = await sql<ExportRow>`
    select ${columns} from book_exports where ${older} order by created_at desc, id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

export type Finished = {
  key: string
  name: string
  rows: number
  bytes: number
  sha256: Buffer
  agrees: boolean | null
}

/** Marks an export as ready. Returns false if another process was faster. */
export async function finish(tx: Tx, id: string, file: Finished): Promise<boolean> {
  const { rows } = await sql`
    update book_exports set state = 'ready', key = ${file.key}, name = ${file.name}, rows = ${file.rows}, bytes = ${file.bytes},
      sha256 = ${file.sha256}, agrees = ${file.agrees}, expires_at = now() + ${EXPORT_DAYS} * interval '1 day'
    where id = ${id} and state = 'waiting' returning id`.execute(tx)
  return rows.length > 0
}

export async function fail(tx: Tx, id: string, failure: string): Promise<void> {
  await sql`update book_exports set state = 'failed', failure = ${failure} where id = ${id} and state = 'waiting'`.execute(
    tx,
  )
}

/** Returns the ids of exports that have waited for more than a day, so that no job can be making them any more. */
export async function forgotten(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from book_exports where state = 'waiting' and created_at < now() - interval '1 day' limit 1000`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Returns the files that have expired. */
export async function outdated(db: Db): Promise<{ id: string; key: string }[]> {
  const { rows } = await sql<{ id: string; key: string }>`
    select id, key from book_exports where state = 'ready' and expires_at <= now() limit 1000`.execute(db)
  return rows
}

export async function forget(tx: Tx, id: string): Promise<void> {
  await sql`update book_exports set state = 'removed', key = null where id = ${id} and state = 'ready'`.execute(
    tx,
  )
}

/** Returns the keys among these that belong to an export. */
export async function namedKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from book_exports where key = any(${[...keys]}::text[])`.execute(db)
  return new Set(rows.map(({ key }) => key))
}
