import { sql } from 'kysely'
import type { Counted } from '#foundation/server/acting.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Translated } from '#foundation/locale.ts'
import type { ChosenExtras } from '#features/licences/contract.ts'
import type { CheckoutPurpose, CheckoutState, PaidBulkAct, UpgradeScope } from '#features/sales/rules.ts'

type Db = App['db']

/** The order that a checkout does, as it was sent, with the names that were shown. */
export type CheckoutParams = {
  plan?: string
  plan_name?: Translated
  name?: string
  ipv4?: string
  ipv6?: string | null
  host_name?: string
  /** The end of the paid term that was shown: another end says that the server was paid for meanwhile. */
  paid_until?: string | null
  /** The order for several servers, with the ends that were shown of those that are there, by public id. */
  bulk?: {
    act: PaidBulkAct
    host_ids?: string[]
    hosts?: { name?: string; ipv4?: string; ipv6?: string | null; extras?: ChosenExtras }[]
    paid_until?: Record<string, string | null>
  }
  scope?: UpgradeScope
  as_of?: string
  order_reference?: string
  begin_now?: boolean
  promo?: string
  extras?: ChosenExtras
}

export type CheckoutRow = {
  top_up_id: bigint
  public_id: string
  user_id: string
  purpose: CheckoutPurpose
  params: CheckoutParams
  total: bigint
  currency: string
  state: CheckoutState
  refusal: string | null
  host: string | null
  person_id: string | null
  /** The charge that counts against the limits of a helper's grants since the beginning (decision 231), in minor units; null if none does. */
  counted: bigint | null
  counted_grants: string[] | null
  created_at: Date
  expires_at: Date
  ended_at: Date | null
  /** True once its time is over, by the database's clock. */
  is_over: boolean
}

const rows = sql`
  select c.top_up_id, c.public_id, c.user_id, c.purpose, c.params, c.total, c.currency, c.state, c.refusal, c.host, c.person_id, c.counted,
    c.counted_grants, c.created_at, c.expires_at, c.ended_at, c.expires_at <= now() as is_over
  from checkouts c`

type NewCheckout = Pick<
  CheckoutRow,
  'top_up_id' | 'public_id' | 'user_id' | 'currency' | 'purpose' | 'params' | 'total' | 'host' | 'person_id'
> & { counted?: Counted | undefined }

export async function insertCheckout(tx: Tx, row: NewCheckout, hours: number): Promise<void> {
  await sql`insert into checkouts (top_up_id, public_id, user_id, currency, purpose, params, total, host, person_id, counted,
      counted_grants, expires_at)
    values (${row.top_up_id}, ${row.public_id}, ${row.user_id}, ${row.currency}, ${row.purpose}, ${JSON.stringify(row.params)}::jsonb, ${row.total}, ${row.host},
      ${row.person_id}, ${row.counted?.amount ?? null}, ${row.counted ? [...row.counted.grants] : null}::uuid[], date_trunc('milliseconds', now()) + make_interval(hours => ${hours}))`.execute(
    tx,
  )
}

/** Returns a customer's checkout; undefined if there is none with this public id. */
export async function checkoutOf(
  db: Db,
  user_id: string,
  public_id: string,
): Promise<CheckoutRow | undefined> {
  const { rows: found } = await sql<CheckoutRow>`${rows}
    where c.public_id = ${public_id} and c.user_id = ${user_id}`.execute(db)
  return found[0]
}

/** Locks the checkout of a payment, and reads it by a second statement, because the first may have waited. The caller has locked the payment. */
export async function lockCheckout(tx: Tx, public_id: string): Promise<CheckoutRow | undefined> {
  await sql`select from checkouts c where c.public_id = ${public_id} for no key update`.execute(tx)
  const { rows: found } = await sql<CheckoutRow>`${rows} where c.public_id = ${public_id}`.execute(tx)
  return found[0]
}

type End = { state: Exclude<CheckoutState, 'open'>; refusal?: string; host?: string | undefined }

export async function endCheckout(tx: Tx, top_up_id: bigint, { state, refusal, host }: End): Promise<void> {
  await sql`update checkouts set state = ${state}, refusal = ${refusal ?? null}, host = coalesce(${host ?? null}, host),
    ended_at = now() where top_up_id = ${top_up_id}`.execute(tx)
}

/** Forgets what a checkout has counted. */
export async function forgetCounted(tx: Tx, top_up_id: bigint): Promise<void> {
  await sql`update checkouts set counted = null, counted_grants = null where top_up_id = ${top_up_id}`.execute(
    tx,
  )
}

/** The checkouts of a customer, the newest first: all of them, or the open ones. */
export async function checkoutsOf(
  db: Db,
  user_id: string,
  { before, limit, onlyOpen }: { before: string | undefined; limit: number; onlyOpen: boolean },
): Promise<CheckoutRow[]> {
  const { rows: found } = await sql<CheckoutRow>`${rows}
    where c.user_id = ${user_id} and c.top_up_id < coalesce(${before ?? null}::bigint, 9223372036854775807)
      ${onlyOpen ? sql`and c.state = 'open' and c.expires_at > now()` : sql``}
    order by c.top_up_id desc limit ${limit}`.execute(db)
  return found
}

export async function countOpenCheckouts(tx: Tx, user_id: string): Promise<number> {
  const { rows: found } = await sql<{ open: number }>`
    select count(*)::int as open from checkouts where user_id = ${user_id} and state = 'open' and expires_at > now()`.execute(
    tx,
  )
  return found[0]?.open ?? 0
}

/** Ends checkouts whose time is over. Rows that another transaction has locked are left to the next run. */
export async function expireCheckouts(tx: Tx, limit: number): Promise<CheckoutRow[]> {
  const { rows: ended } = await sql<CheckoutRow>`
    with due as materialized (
      select top_up_id from checkouts where state = 'open' and expires_at <= now()
      order by expires_at limit ${limit} for no key update skip locked),
    ended as (update checkouts c set state = 'expired', ended_at = now() from due where due.top_up_id = c.top_up_id
      returning c.top_up_id)
    ${rows} join ended on ended.top_up_id = c.top_up_id`.execute(tx)
  return ended
}

/** Deletes checkouts that ended so many days ago: what was typed in them is needed no more. */
export async function sweepCheckouts(tx: Tx, days: number): Promise<void> {
  await sql`delete from checkouts where ended_at < now() - make_interval(days => ${days})`.execute(tx)
}

/** A deleted account orders nothing more; money that still comes for it is kept for staff. */
export async function deleteCheckoutsOf(tx: Tx, user_id: string): Promise<void> {
  await sql`delete from checkouts where user_id = ${user_id}`.execute(tx)
}
