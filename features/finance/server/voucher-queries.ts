import { sql, type Kysely } from 'kysely'
import { must } from '#foundation/must.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = Kysely<Database>

export type NewVoucher = {
  code_hash: Buffer
  amount: bigint
  currency: string
  uses: number
  days: number | null
}

/** `days` from now it expires; never with null. */
export async function insertVoucher(tx: Tx, { days, ...voucher }: NewVoucher): Promise<void> {
  const expires_at = days === null ? null : sql<Date>`now() + make_interval(days => ${days})`
  await tx
    .insertInto('vouchers')
    .values({ ...voucher, expires_at })
    .execute()
}

export type Voucher = { id: bigint; amount: bigint; uses: number }

/** The voucher with one of these hashes that may still be redeemed, by the database's clock. */
export async function liveVoucher(
  db: Db,
  code_hashes: readonly Buffer[],
  currency: string,
): Promise<Voucher | undefined> {
  return db
    .selectFrom('vouchers')
    .select(['id', 'amount', 'uses'])
    .where('code_hash', 'in', code_hashes)
    .where('currency', '=', currency)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirst()
}

/** How often a voucher was redeemed, and whether by this customer. */
export async function usesOf(
  db: Db,
  voucher_id: bigint,
  user_id: string,
): Promise<{ used: number; by_user: boolean }> {
  const { rows } = await sql<{ used: number; by_user: boolean }>`
    select count(*)::int as used, coalesce(bool_or(user_id = ${user_id}), false) as by_user
    from redemptions where voucher_id = ${voucher_id}`.execute(db)
  return must(rows[0])
}

export async function insertRedemption(
  tx: Tx,
  redemption: { voucher_id: bigint; slot: number; uses: number; user_id: string; transaction_id: string },
): Promise<void> {
  await tx.insertInto('redemptions').values(redemption).execute()
}
