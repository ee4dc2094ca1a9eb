import { type Kysely, sql } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { ProviderName, TopUpStatus } from '#features/finance/rules.ts'
import type { App } from '#foundation/server/app.ts'
import type { ByTimeOrAmount } from '#foundation/paging.ts'
import { byNumber, orderOf } from '#foundation/server/database/order.ts'
import { batched } from '#foundation/server/database/batched.ts'

type Db = Kysely<Database>

export type TopUpRow = {
  id: bigint
  public_id: string
  user_id: string
  provider: ProviderName
  amount: bigint
  currency: string
  status: TopUpStatus
  reference: string | null
  redirect_url: string | null
  payment_reference: string | null
  /** True if an order waits for the money (features/sales). */
  for_checkout: boolean
  /** The saved method that is charged for it (features/methods); null for a payment that the customer makes. */
  method_id: string | null
  /** The provider's own id of that charge, as its answer told it. */
  charge_reference: string | null
  created_at: Date
}

export const columns = sql`t.id, t.public_id, t.user_id, t.provider, t.amount, t.currency, t.status, t.reference, t.redirect_url,
  t.payment_reference, t.for_checkout, t.method_id, t.charge_reference, t.created_at`

type NewTopUp = Pick<TopUpRow, 'public_id' | 'user_id' | 'provider' | 'amount' | 'currency' | 'reference'> &
  Partial<Pick<TopUpRow, 'for_checkout' | 'method_id'>>

/** Returns undefined if the reference is taken: the caller tries again with another reference. */
export async function insertTopUp(tx: Tx, row: NewTopUp): Promise<TopUpRow | undefined> {
  const { rows } = await sql<TopUpRow>`
    insert into top_ups as t (public_id, user_id, provider, amount, currency, reference, for_checkout, method_id)
    values (${row.public_id}, ${row.user_id}, ${row.provider}, ${row.amount}, ${row.currency}, ${row.reference},
      ${row.for_checkout ?? false}, ${row.method_id ?? null})
    on conflict (reference) do nothing returning ${columns}`.execute(tx)
  return rows[0]
}

/** Returns a customer's top-up; undefined if the customer has none with this public id. */
export async function topUpOf(db: Db, user_id: string, public_id: string): Promise<TopUpRow | undefined> {
  const { rows } = await sql<TopUpRow>`
    select ${columns} from top_ups t where t.public_id = ${public_id} and t.user_id = ${user_id}`.execute(db)
  return rows[0]
}

/** The top-up of any customer: for payment events, which name no customer, and for the page of the test provider. */
export async function topUpByPublicId(db: Db, public_id: string): Promise<TopUpRow | undefined> {
  const { rows } =
    await sql<TopUpRow>`select ${columns} from top_ups t where t.public_id = ${public_id}`.execute(db)
  return rows[0]
}

export async function topUpByPayment(
  db: Db,
  provider: string,
  payment_reference: string,
): Promise<TopUpRow | undefined> {
  const { rows } = await sql<TopUpRow>`
    select ${columns} from top_ups t where t.provider = ${provider} and t.payment_reference = ${payment_reference}
    order by t.id limit 1`.execute(db)
  return rows[0]
}

export async function topUpWithId(db: Db, id: bigint): Promise<TopUpRow | undefined> {
  const { rows } = await sql<TopUpRow>`select ${columns} from top_ups t where t.id = ${id}`.execute(db)
  return rows[0]
}

/** Locks a top-up, so that its payment events take turns, and reads it as the previous event left it. */
export async function lockTopUp(tx: Tx, id: bigint): Promise<TopUpRow> {
  const { rows } =
    await sql<TopUpRow>`select ${columns} from top_ups t where t.id = ${id} for no key update`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`no top-up ${id}`)
  return row
}

/** Locks a top-up unless somebody holds it: for callers that hold its balance already, after which nobody may wait for it (rule 9). */
export async function lockTopUpIfFree(tx: Tx, id: bigint): Promise<boolean> {
  const { rows } = await sql`select from top_ups t where t.id = ${id} for no key update skip locked`.execute(
    tx,
  )
  return rows.length > 0
}

export async function setStatus(tx: Tx, id: bigint, status: TopUpStatus): Promise<void> {
  await tx.updateTable('top_ups').set({ status }).where('id', '=', id).execute()
}

export async function setPayment(tx: Tx, id: bigint, payment_reference: string): Promise<void> {
  await tx.updateTable('top_ups').set({ payment_reference }).where('id', '=', id).execute()
}

export async function setRedirect(tx: Tx, id: bigint, redirect_url: string): Promise<void> {
  await tx.updateTable('top_ups').set({ redirect_url }).where('id', '=', id).execute()
}

/** Keeps the provider's id of a charge. It is no `payment_reference`: that one is known once the signed event has told it. */
export async function setCharge(tx: Tx, id: bigint, charge_reference: string): Promise<void> {
  await tx.updateTable('top_ups').set({ charge_reference }).where('id', '=', id).execute()
}

export type Place = { before: string | undefined; limit: number }

/** Returns a customer's bank transfers that have not arrived yet, newest first. */
export async function waitingOf(db: Db, user_id: string, { before, limit }: Place): Promise<TopUpRow[]> {
  const { rows } = await sql<TopUpRow>`
    select ${columns} from top_ups t
    where t.user_id = ${user_id} and t.provider = 'bank' and t.status = 'pending' and not t.for_checkout
      and t.id < coalesce(${before ?? null}::bigint, 9223372036854775807)
    order by t.id desc limit ${limit}`.execute(db)
  return rows
}

export async function countWaiting(tx: Tx, user_id: string): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from top_ups
    where user_id = ${user_id} and provider = 'bank' and status = 'pending'`.execute(tx)
  return rows[0]?.waiting ?? 0
}

export async function expireAllOf(tx: Tx, user_id: string): Promise<void> {
  await sql`update top_ups set status = 'expired' where status = 'pending' and user_id = ${user_id}`.execute(
    tx,
  )
}

export type TopUpFilter = {
  status?: string | undefined
  provider?: string | undefined
  reference?: string | undefined
}

type Page = { sort?: ByTimeOrAmount; after?: { place: string; id: string } | undefined; limit: number }

/** The top-ups of all customers in this order. */
export async function topUpsInOrder(
  db: Db,
  { status, provider, reference }: TopUpFilter,
  { sort = 'newest', after, limit }: Page,
): Promise<TopUpRow[]> {
  const id = sql`t.id`
  const order = orderOf(sort, { time: byNumber(id), amount: sql`t.amount`, id })
  const conditions = [
    after ? order.isAfter(after.place, sql`${after.id}::bigint`) : sql`true`,
    ...(status ? [sql`t.status = ${status}`] : []),
    ...(provider ? [sql`t.provider = ${provider}`] : []),
    ...(reference === undefined ? [] : [sql`t.reference = ${reference}`]),
  ]
  const { rows } = await sql<TopUpRow>`
    select ${columns} from top_ups t where ${sql.join(conditions, sql` and `)} order by ${order.by} limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Returns the number of pending top-ups of each provider, and the age of the oldest (seconds). */
export async function countPending(db: Db): Promise<{ provider: string; count: number; oldest_s: number }[]> {
  const { rows } = await sql<{ provider: string; count: number; oldest_s: number }>`
    select provider, count(*)::int as count, extract(epoch from now() - min(created_at))::float8 as oldest_s
    from top_ups where status = 'pending' group by provider order by provider`.execute(db)
  return rows
}

/**
 * Returns the countries of the cards and bank accounts by which a customer paid: of the newest payment that says it, and of all within 90
 * days before. The attack is a small payment by a friend's card abroad, right before an order. Payments that were taken back do not count. One
 * that makes an account, in this very transaction, counts for the order that it pays (decision 202).
 */
export const payingCountries = async (db: App['db'], user_id: string): Promise<readonly string[]> =>
  (await countries(db, user_id)) ?? []

const countries = batched(async (db: App['db'], ids: readonly string[]) => {
  const { rows } = await sql<{ user_id: string; countries: string[] }>`
    select user_id, array_agg(distinct paid_from order by paid_from) as countries
    from (
      select t.user_id, p.paid_from, p.created_at, max(p.created_at) over (partition by t.user_id) as newest
      from top_ups t join payment_events p on p.top_up_id = t.id
      where t.user_id = any(${ids}::uuid[]) and p.kind = 'paid' and p.paid_from is not null
        and (t.status = 'paid' and p.transaction_id is not null or t.status = 'pending' and t.created_at >= date_trunc('milliseconds', now()))) paid
    where created_at >= newest - interval '90 days' group by user_id`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row.countries]))
})
