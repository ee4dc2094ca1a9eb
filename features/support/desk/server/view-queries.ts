import { sql, type Kysely, type Selectable } from 'kysely'
import type { Database, DeskViews } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { ViewFilter } from '#features/support/desk/view-contract.ts'

type Db = Kysely<Database>
export type ViewRow = Omit<Selectable<DeskViews>, 'filter'> & { filter: ViewFilter }
type Fields = { name: string; shared: boolean; filter: ViewFilter; author_id: string }

/** Returns the views of a member of staff and those of all staff, by name. */
export async function viewsFor(db: Db, staff_id: string): Promise<ViewRow[]> {
  const { rows } = await sql<ViewRow>`
    select * from desk_views where shared or author_id = ${staff_id}::uuid order by lower(name), id`.execute(
    db,
  )
  return rows
}

/** Counts the views of all staff, or this member's own. */
export async function countViews(tx: Tx, shared: boolean, staff_id: string): Promise<number> {
  const theirs = shared ? sql`shared` : sql`not shared and author_id = ${staff_id}::uuid`
  const { rows } = await sql<{ views: number }>`
    select count(*)::int as views from desk_views where ${theirs}`.execute(tx)
  return rows[0]?.views ?? 0
}

export async function insertView(tx: Tx, view: Fields): Promise<ViewRow> {
  return tx
    .insertInto('desk_views')
    .values({ ...view, filter: JSON.stringify(view.filter) })
    .returningAll()
    .$narrowType<{ filter: ViewFilter }>()
    .executeTakeFirstOrThrow()
}

/** Locks a view that this member of staff may change; undefined if there is none. */
export async function lockView(tx: Tx, id: string, staff_id: string): Promise<ViewRow | undefined> {
  const { rows } = await sql<ViewRow>`
    select * from desk_views where id = ${id}::uuid and (shared or author_id = ${staff_id}::uuid)
    for update`.execute(tx)
  return rows[0]
}

/** Writes the fields of a view; the trigger counts its version. */
export async function updateView(tx: Tx, id: string, view: Fields): Promise<ViewRow> {
  return tx
    .updateTable('desk_views')
    .set({ ...view, filter: JSON.stringify(view.filter) })
    .where('id', '=', id)
    .returningAll()
    .$narrowType<{ filter: ViewFilter }>()
    .executeTakeFirstOrThrow()
}

export async function deleteView(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('desk_views').where('id', '=', id).execute()
}
