import { sql, type Insertable, type Selectable } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { BankOddParts } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { OddKind, OddReason, OddState } from '#features/banking/rules.ts'

type Db = App['db']

export type OddRow = Omit<Selectable<BankOddParts>, 'kind' | 'reason' | 'state'> & {
  kind: OddKind
  reason: OddReason
  state: OddState
}

/** Inserts the parts that are not on the list yet, and returns their number. */
export async function insertOddParts(tx: Tx, rows: readonly Insertable<BankOddParts>[]): Promise<number> {
  if (rows.length === 0) return 0
  const inserted = await tx
    .insertInto('bank_odd_parts')
    .values([...rows])
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .execute()
  return inserted.length
}

type Wanted = { state: OddState; after: { at: string; id: string } | undefined; limit: number }

/** Returns odd parts, the newest first. */
export async function listOddParts(db: Db, { state, after, limit }: Wanted): Promise<OddRow[]> {
  const isAfter = after ? sql`(noticed_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql`true`
  const { rows } = await sql<OddRow>`
    select * from bank_odd_parts where state = ${state} and ${isAfter} order by noticed_at desc, id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function countOddParts(db: Db): Promise<Record<OddState, number>> {
  const { rows } = await sql<Record<OddState, number>>`
    select count(*) filter (where state = 'open')::int as open, count(*) filter (where state = 'done')::int as done
    from bank_odd_parts`.execute(db)
  return rows[0] ?? { open: 0, done: 0 }
}

/** Changes the state of a part. Returns undefined if it has this state already, or there is no such part. */
export async function setOddState(
  tx: Tx,
  id: string,
  { state, by }: { state: OddState; by: string | null },
): Promise<OddRow | undefined> {
  const { rows } = await sql<OddRow>`
    update bank_odd_parts set state = ${state}, done_by = ${by}, done_at = case when ${state}::text = 'done' then now() end
    where id = ${id} and state <> ${state} returning *`.execute(tx)
  return rows[0]
}

export async function hasOddPart(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from bank_odd_parts where id = ${id}`.execute(db)
  return rows.length > 0
}
