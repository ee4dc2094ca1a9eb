import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { ByTime } from '#foundation/paging.ts'
import { inOrderOfIds } from '#foundation/server/database/order.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']

/** A promo code as it was made. Amounts in minor units of `currency`, before VAT. */
export type PromoCode = {
  id: bigint
  code: string
  percent: number | null
  amount: bigint | null
  currency: string
  /** Null for each edition. */
  editions: string[] | null
  first_order_only: boolean
  renewals: number
  uses: number
  used: number
  note: string
  expires_at: Date | null
  is_expired: boolean
  created_at: Date
  /** A member of staff; null for the command line. */
  made_by: string | null
  ended_at: Date | null
}

const codes = sql`
  select c.id, c.code, c.percent, c.amount, c.currency, c.editions, c.first_order_only, c.renewals, c.uses, c.note, c.expires_at,
    coalesce(c.expires_at <= now(), false) as is_expired, c.created_at, c.made_by, c.ended_at,
    (select count(*)::int from promo_uses u where u.promo_id = c.id) as used
  from promo_codes c`

export type NewPromoCode = Pick<
  PromoCode,
  | 'code'
  | 'percent'
  | 'amount'
  | 'currency'
  | 'editions'
  | 'first_order_only'
  | 'renewals'
  | 'uses'
  | 'note'
  | 'expires_at'
  | 'made_by'
>

/** Returns the id of the new code; undefined if there is or was one like it. */
export async function insertPromoCode(tx: Tx, promo: NewPromoCode): Promise<bigint | undefined> {
  const row = await tx
    .insertInto('promo_codes')
    .values(promo)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function promoByCode(db: Db, code: string): Promise<PromoCode | undefined> {
  const { rows } = await sql<PromoCode>`${codes} where c.code = ${code}`.execute(db)
  return rows[0]
}

export async function promoById(db: Db, id: bigint): Promise<PromoCode | undefined> {
  const { rows } = await sql<PromoCode>`${codes} where c.id = ${id}`.execute(db)
  return rows[0]
}

type Page = { sort?: ByTime; after?: { id: string } | undefined; limit: number }

/** Returns the codes by their age, from the code `after` on. */
export async function promosInOrder(db: Db, { sort = 'newest', after, limit }: Page): Promise<PromoCode[]> {
  const order = inOrderOfIds(sql`c.id`, sort === 'newest')
  const isLater = after ? order.isAfter('', sql`${after.id}::bigint`) : sql`true`
  const { rows } =
    await sql<PromoCode>`${codes} where ${isLater} order by ${order.by} limit ${limit}`.execute(db)
  return rows
}

export async function setEnded(tx: Tx, id: bigint, ended_by: string | null): Promise<void> {
  await sql`update promo_codes set ended_at = now(), ended_by = ${ended_by} where id = ${id}`.execute(tx)
}

/** True if this account has used the code; a new one (null) has not. */
export async function hasUsed(db: Db, promo_id: bigint, user_id: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from promo_uses where promo_id = ${promo_id} and user_id = ${user_id}`.execute(db)
  return rows.length > 0
}

/** True if anything was ever paid for this account's servers; never for a new one (null). */
export async function hasPaidOrder(db: Db, user_id: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from licence_orders where user_id = ${user_id} and transaction_id is not null limit 1`.execute(db)
  return rows.length > 0
}

/** The promo codes that an account has used, the oldest first. */
export async function promoUsesOf(db: Db, user_id: string): Promise<{ code: string; used_at: string }[]> {
  const { rows } = await sql<{ code: string; used_at: Date }>`
    select c.code, u.used_at from promo_uses u join promo_codes c on c.id = u.promo_id
    where u.user_id = ${user_id} order by u.used_at, u.promo_id`.execute(db)
  return rows.map(({ code, used_at }) => ({ code, used_at: used_at.toISOString() }))
}

export async function insertPromoUse(
  tx: Tx,
  { promo_id, slot, uses, user_id }: { promo_id: bigint; slot: number; uses: number; user_id: string },
): Promise<void> {
  await tx.insertInto('promo_uses').values({ promo_id, slot, uses, user_id }).execute()
}
