import { sql, type Kysely } from 'kysely'
import { must } from '#foundation/must.ts'
import type { ByTimeOrAmount } from '#foundation/paging.ts'
import { byNumber, orderOf } from '#foundation/server/database/order.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = Kysely<Database>

export type NewVoucher = {
  code_hash: Buffer
  amount: bigint
  currency: string
  uses: number
  /** The expiry; null if the voucher never expires. `days` counts from now. */
  expires: { at: Date } | { days: number } | null
  note: string
  made_by: string | null
}

/** Returns the id of the new voucher; undefined if a voucher has this code already. */
export async function insertVoucher(
  tx: Tx,
  { expires, ...voucher }: NewVoucher,
): Promise<bigint | undefined> {
  const days = expires && 'days' in expires ? expires.days : null
  const at = expires && 'at' in expires ? expires.at : null
  const expires_at = days === null ? at : sql<Date>`now() + make_interval(days => ${days})`
  const row = await tx
    .insertInto('vouchers')
    .values({ ...voucher, expires_at })
    .onConflict((conflict) => conflict.column('code_hash').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export type Voucher = { id: bigint; amount: bigint; uses: number; made_by: string | null }

/** Returns the voucher with one of these hashes, unless it is void or, by the database's clock, expired. It may be used up. */
export async function liveVoucher(
  db: Db,
  code_hashes: readonly Buffer[],
  currency: string,
): Promise<Voucher | undefined> {
  return db
    .selectFrom('vouchers')
    .select(['id', 'amount', 'uses', 'made_by'])
    .where('code_hash', 'in', code_hashes)
    .where('currency', '=', currency)
    .where('voided_at', 'is', null)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirst()
}

/** Returns true if a voucher of any state has one of these hashes. */
export async function isHashKnown(db: Db, code_hashes: readonly Buffer[]): Promise<boolean> {
  const row = await db
    .selectFrom('vouchers')
    .select('id')
    .where('code_hash', 'in', code_hashes)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns how often a voucher was redeemed, whether this customer redeemed it, and whether it is void by now. */
export async function usesOf(
  db: Db,
  voucher_id: bigint,
  user_id: string,
): Promise<{ used: number; by_user: boolean; is_void: boolean }> {
  const { rows } = await sql<{ used: number; by_user: boolean; is_void: boolean }>`
    select count(*)::int as used, coalesce(bool_or(user_id = ${user_id}), false) as by_user,
      (select voided_at is not null from vouchers where id = ${voucher_id}) as is_void
    from redemptions where voucher_id = ${voucher_id}`.execute(db)
  return must(rows[0])
}

export async function insertRedemption(
  tx: Tx,
  redemption: { voucher_id: bigint; slot: number; uses: number; user_id: string; transaction_id: string },
): Promise<void> {
  await tx.insertInto('redemptions').values(redemption).execute()
}

/** A voucher as staff see it: everything but its code, which only its recipients have. */
export type MadeVoucher = {
  id: bigint
  amount: bigint
  currency: string
  uses: number
  used: number
  note: string
  expires_at: Date | null
  is_expired: boolean
  created_at: Date
  made_by: string | null
  voided_at: Date | null
  void_reason: string | null
}

const made = sql`
  v.id, v.amount, v.currency, v.uses, v.note, v.expires_at, coalesce(v.expires_at <= now(), false) as is_expired, v.created_at,
    v.made_by, v.voided_at, v.void_reason, (select count(*)::int from redemptions r where r.voucher_id = v.id) as used`

type Page = { sort?: ByTimeOrAmount; after?: { place: string; id: string } | undefined; limit: number }

/** Returns the vouchers in this order, each with its place in it. */
export async function vouchersInOrder(
  db: Db,
  { sort = 'newest', after, limit }: Page,
): Promise<(MadeVoucher & { place: string })[]> {
  const id = sql`v.id`
  const order = orderOf(sort, { time: byNumber(id), amount: sql`v.amount`, id })
  const isLater = after ? order.isAfter(after.place, sql`${after.id}::bigint`) : sql`true`
  const { rows } = await sql<MadeVoucher & { place: string }>`
    select ${made}, ${order.place} as place from vouchers v where ${isLater} order by ${order.by} limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function voucherById(db: Db, id: bigint): Promise<MadeVoucher | undefined> {
  const { rows } = await sql<MadeVoucher>`select ${made} from vouchers v where v.id = ${id}`.execute(db)
  return rows[0]
}

export async function setVoid(
  tx: Tx,
  id: bigint,
  { voided_by, void_reason }: { voided_by: string | null; void_reason: string },
): Promise<void> {
  await sql`update vouchers set voided_at = now(), voided_by = ${voided_by}, void_reason = ${void_reason} where id = ${id}`.execute(
    tx,
  )
}
