import type { Kysely } from 'kysely'
import type { Kept } from '#foundation/server/config.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type KeptVersion = {
  section: string
  version: number
  settings: Kept
  changed_by: string | null
  changed_at: Date
}

/** Returns the newest version of each section. */
export async function presentVersions(db: Kysely<Database>): Promise<KeptVersion[]> {
  const rows = await db
    .selectFrom('kept_settings')
    .distinctOn('section')
    .selectAll()
    .orderBy('section')
    .orderBy('version', 'desc')
    .execute()
  return rows.map(withSettings)
}

/** Returns how many versions there are: another number says that something was changed. */
export async function countVersions(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('kept_settings')
    .select((has) => has.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the newest versions of some sections, the newest first. */
export async function newestVersions(
  db: Kysely<Database>,
  sections: readonly string[],
  limit: number,
): Promise<KeptVersion[]> {
  const rows = await db
    .selectFrom('kept_settings')
    .selectAll()
    .where('section', 'in', sections)
    .orderBy('changed_at', 'desc')
    .orderBy('section')
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()
  return rows.map(withSettings)
}

/** Returns what a version of a section keeps; undefined if there is no such version. */
export async function settingsOf(
  db: Kysely<Database>,
  section: string,
  version: number,
): Promise<Kept | undefined> {
  const row = await db
    .selectFrom('kept_settings')
    .select('settings')
    .where('section', '=', section)
    .where('version', '=', version)
    .executeTakeFirst()
  return row && withSettings(row).settings
}

/** Adds a version of a section. Returns false if there is one of this number already. */
export async function insertVersion(
  tx: Tx,
  { section, version, settings, changed_by }: Omit<KeptVersion, 'changed_at'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('kept_settings')
    .values({ section, version, settings: JSON.stringify(settings), changed_by })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

// Every version was written by `insertVersion`: names and texts, nothing else.
function withSettings<Row extends { settings: unknown }>(row: Row): Omit<Row, 'settings'> & { settings: Kept }
function withSettings(row: object): object {
  return row
}
