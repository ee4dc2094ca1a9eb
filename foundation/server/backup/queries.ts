import type pg from 'pg'
import type { Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'

// Statements of backup and restore. They run as the owner of the schema and name no table: every table is saved.

/** Tables that are not saved: restoring fills `migrations` itself, and `job_processes` lists the processes that run now. */
const NOT_SAVED = ['migrations', 'job_processes']

/** Makes all reads see one moment, and gives times, bytes and numbers one form as text, because sums of rows are compared. */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
  await client.query(
    `set local timezone = 'UTC'; set local bytea_output = 'hex'; set local intervalstyle = 'postgres';
     set local extra_float_digits = 1`,
  )
}

/** Returns the hash of each migration that ran, by its name. */
export async function hashesOf(client: pg.Client): Promise<Record<string, string>> {
  const result = await client.query<{ name: string; hash: string }>(
    'select name, hash from migrations order by name',
  )
  return Object.fromEntries(result.rows.map(({ name, hash }) => [name, hash]))
}

export async function tablesOf(client: pg.Client): Promise<string[]> {
  const result = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all($1) order by relname`,
    [NOT_SAVED],
  )
  return result.rows.map((row) => row.name)
}

/**
 * Yields all rows of a table as JSON texts, a thousand at a time: bytea, times and bigint keep every digit as text. Generated columns are
 * left out: another PostgreSQL may write them in another way.
 */
export async function* rowsOf(client: pg.Client, table: string): AsyncGenerator<string[]> {
  await client.query(
    `declare rows no scroll cursor for select row_to_json(t)::text as row
     from (select ${await columnsOf(client, table)} from ${name(table)}) t`,
  )
  for (;;) {
    const result = await client.query<{ row: string }>('fetch 1000 from rows')
    if (result.rows.length === 0) break
    yield result.rows.map(({ row }) => row)
  }
  await client.query('close rows')
}

/** The last number each identity column gave out; numbers of deleted rows must not be given again. */
export async function sequencesOf(client: pg.Client): Promise<Record<string, string>> {
  const result = await client.query<{ name: string; last_value: string | null }>(
    "select sequencename as name, last_value::text from pg_sequences where schemaname = 'public'",
  )
  return Object.fromEntries(
    result.rows.flatMap((row) => (row.last_value ? [[row.name, row.last_value]] : [])),
  )
}

export async function isEmpty(client: pg.Client): Promise<boolean> {
  const result = await client.query(
    "select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  )
  return result.rowCount === 0
}

/**
 * Removes for the load, in the caller's transaction, the triggers that refuse or derive values, row-level security and the references
 * between tables. Returns the function that restores them, which checks every reference again.
 */
export async function suspendGuards(client: pg.Client, tables: string[]): Promise<() => Promise<void>> {
  const references = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  const forced = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity",
  )
  for (const { table, name: reference } of references.rows) {
    await client.query(`alter table ${table} drop constraint ${name(reference)}`)
  }
  for (const { name: table } of forced.rows)
    await client.query(`alter table ${name(table)} no force row level security`)
  for (const table of tables) await client.query(`alter table ${name(table)} disable trigger user`)
  return async () => {
    for (const table of tables) await client.query(`alter table ${name(table)} enable trigger user`)
    for (const { name: table } of forced.rows)
      await client.query(`alter table ${name(table)} force row level security`)
    for (const { table, name: reference, definition } of references.rows) {
      await client.query(`alter table ${table} add constraint ${name(reference)} ${definition}`)
    }
  }
}

/**
 * Drops the indices of these tables that belong to no constraint, in the caller's transaction. Returns the function that makes them again:
 * to build the index of a large table once takes a fraction of the time of adding row after row, most of all for the words of messages.
 */
export async function dropIndices(client: pg.Client, tables: string[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index
     where indrelid = any($1::regclass[])
       and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))`,
    [tables.map(name)],
  )
  if (rows.length > 0) await client.query(`drop index ${rows.map((index) => index.name).join(', ')}`)
  return async () => {
    for (const { definition } of rows) await client.query(definition)
  }
}

/** Tells the planner how full tables are; until autovacuum comes by, it would take them for small ones. */
export async function analyzeTables(client: pg.Client, tables: string[]): Promise<void> {
  if (tables.length) await client.query(`analyze ${tables.map(name).join(', ')}`)
}

export async function emptyTables(client: pg.Client, tables: string[]): Promise<void> {
  if (tables.length) await client.query(`truncate ${tables.map(name).join(', ')}`)
}

export async function insertRows(
  client: pg.Client,
  table: string,
  list: string,
  rows: string[],
): Promise<void> {
  await client.query(
    `insert into ${name(table)} (${list}) overriding system value
     select ${list} from json_populate_recordset(null::${name(table)}, $1::json)`,
    [`[${rows.join(',')}]`],
  )
}

/** Returns the columns of a table that are not generated, separated by commas. */
export async function columnsOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ list: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as list from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [name(table)],
  )
  return rows[0]?.list ?? ''
}

export async function setSequence(client: pg.Client, sequence: string, last: string): Promise<void> {
  await client.query('select setval($1::regclass, $2::bigint)', [name(sequence), last])
}

/**
 * Records, for `doctor` and the figures, when the last backup was made and where it is. The database may be of the previous release, which
 * has fewer columns, because it is saved before it is upgraded.
 */
export async function noteBackup(
  client: pg.Client,
  backup: { made_at: Date; file: string; row_count: number; file_count: number; size_bytes: number },
): Promise<void> {
  const known = (await columnsOf(client, 'backups')).split(', ')
  const list = known.filter((column) => column in backup).join(', ')
  await client.query(
    `insert into backups (${list}) select ${list} from json_populate_record(null::backups, $1)`,
    [JSON.stringify(backup)],
  )
}

/** Quotes a name. Names come from the catalogue or from an archive: quoted, they cannot be read as other SQL. */
function name(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

type LastBackup = {
  made_at: Date
  file: string
  rows: number
  files: number
  bytes: number
}

/** The newest backup; undefined where none was ever made. */
export const lastBackup = (db: Kysely<Database>): Promise<LastBackup | undefined> =>
  db
    .selectFrom('backups')
    .select((row) => [
      'made_at',
      'file',
      row.cast<number>('row_count', 'float8').as('rows'),
      row.cast<number>('file_count', 'float8').as('files'),
      row.cast<number>('size_bytes', 'float8').as('bytes'),
    ])
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** A temporary database; `drop` removes it. */
export type Scratch = { url: string; drop(): Promise<void> }

/** Makes an empty database beside the one of `ownerUrl`, for the same user, by the rights of `adminUrl`. */
export async function makeDatabase(adminUrl: string, ownerUrl: string): Promise<Scratch> {
  const name = `hostdesk_drill_${Date.now().toString(36)}`
  const [user] = await ask<{ name: string }>(ownerUrl, 'select quote_ident(current_user) as name')
  await ask(adminUrl, `create database ${name} owner ${user?.name ?? 'current_user'}`)
  return {
    url: ownerUrl.replace(/(@[^/]*\/)[^?]*/, `$1${name}`),
    drop: async () => void (await ask(adminUrl, `drop database if exists ${name} with (force)`)),
  }
}

/** Removes everything in a database, and leaves an empty schema. */
export async function emptyDatabase(url: string): Promise<void> {
  await ask(url, 'drop schema public cascade; create schema public')
}

const ask = async <Row extends object>(url: string, statement: string): Promise<Row[]> =>
  withConnection(url, async (client) => (await client.query<Row>(statement)).rows)
