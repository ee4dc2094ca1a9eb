import { sql, type Kysely } from 'kysely'
import type { ByTimeOrAmount } from '#foundation/paging.ts'
import { byMoment, orderOf } from '#foundation/server/database/order.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = Kysely<Database>

export type FileRow = {
  id: string
  payer_name: string | null
  payer_iban: string | null
  payer_bic: string | null
  payouts: number
  total: bigint
  currency: string
  created_by: string | null
  created_at: Date
}

export type ListedFile = FileRow & { under_way: number; is_erased: boolean }

/**
 * Locks the payouts to bank accounts that wait for a file, oldest first, and returns them. Two members at once take turns: the second finds
 * those that the first has left.
 */
export async function lockWaiting(
  tx: Tx,
  limit: number,
): Promise<{ id: bigint; amount: bigint; user_id: string }[]> {
  const { rows } = await sql<{ id: bigint; amount: bigint; user_id: string }>`
    select id, amount, user_id from payouts
    where state = 'requested' and way = 'bank' and file_id is null and account_id is not null
    order by id limit ${limit} for no key update`.execute(tx)
  return rows
}

export async function insertFile(tx: Tx, file: Omit<FileRow, 'created_at'>): Promise<boolean> {
  const made = await tx
    .insertInto('payout_files')
    .values(file)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** Puts payouts into a file; one that is in a file already stays there. Returns how many it has put. */
export async function putInto(tx: Tx, file_id: string, ids: readonly bigint[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update payouts set file_id = ${file_id} where id = any(${ids.map(String)}::bigint[]) and file_id is null`.execute(
    tx,
  )
  return Number(numAffectedRows)
}

const files = sql`
  f.id, f.payer_name, f.payer_iban, f.payer_bic, f.payouts, f.total, f.currency, f.created_by, f.created_at,
    (select count(*)::int from payouts p where p.file_id = f.id and p.state = 'requested') as under_way,
    exists (select from payouts p where p.file_id = f.id and p.account_id is null) as is_erased`

export async function fileWith(db: Db, id: string): Promise<ListedFile | undefined> {
  const { rows } = await sql<ListedFile>`select ${files} from payout_files f where f.id = ${id}`.execute(db)
  return rows[0]
}

type Page = { sort: ByTimeOrAmount; after: { place: string; id: string } | undefined; limit: number }

/** The files in this order, each with its place in it. */
export async function filesInOrder(
  db: Db,
  { sort, after, limit }: Page,
): Promise<(ListedFile & { place: string })[]> {
  const order = orderOf(sort, { time: byMoment(sql`f.created_at`), amount: sql`f.total`, id: sql`f.id` })
  const isLater = after ? order.isAfter(after.place, sql`${after.id}::text`) : sql`true`
  const { rows } = await sql<ListedFile & { place: string }>`
    select ${files}, ${order.place} as place from payout_files f where ${isLater}
    order by ${order.by} limit ${limit}`.execute(db)
  return rows
}

export type FiledPayout = {
  public_id: string
  reference: string
  amount: bigint
  currency: string
  created_at: Date
  account_id: string | null
  iban_sealed: string | null
  holder: string | null
}

/** All payouts of a file, in the order in which they were asked for, whatever became of them: a file is the same at each download. */
export async function payoutsIn(db: Db, file_id: string): Promise<FiledPayout[]> {
  const { rows } = await sql<FiledPayout>`
    select p.public_id, p.reference, p.amount, p.currency, p.created_at, p.account_id, a.iban_sealed, a.holder
    from payouts p left join payout_accounts a on a.id = p.account_id where p.file_id = ${file_id} order by p.id`.execute(
    db,
  )
  return rows
}

/** The payouts of a file that are under way, in one order. */
export async function underWayIn(tx: Tx, file_id: string): Promise<{ public_id: string; user_id: string }[]> {
  const { rows } = await sql<{ public_id: string; user_id: string }>`
    select public_id, user_id from payouts where file_id = ${file_id} and state = 'requested' order by id`.execute(
    tx,
  )
  return rows
}
