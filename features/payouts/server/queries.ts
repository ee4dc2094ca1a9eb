import { sql, type Kysely } from 'kysely'
import { must } from '#foundation/must.ts'
import type { ByTimeOrAmount } from '#foundation/paging.ts'
import { byNumber, orderOf } from '#foundation/server/database/order.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import type { PayoutState, PayoutWay } from '#features/payouts/rules.ts'
import type { Piece } from '#features/finance/server/finance.ts'

type Db = Kysely<Database>

export type PayoutRow = {
  id: bigint
  public_id: string
  reference: string
  user_id: string
  amount: bigint
  currency: string
  way: PayoutWay
  state: PayoutState
  top_up_id: bigint | null
  provider: ProviderName
  account_id: string | null
  file_id: string | null
  requested_by: string | null
  reason: string
  failure: string
  asked_at: Date | null
  /** The provider's own id of the refund that it was, once that is known. */
  provider_reference: string | null
  created_at: Date
  ended_at: Date | null
  iban_end: string | null
  iban_sealed: string | null
  holder: string | null
  /** The address of a deleted account, which is kept beside its bank account, or at the payout where that is a refund to the source. */
  address_sealed: string | null
}

const payouts = sql`
  select p.id, p.public_id, p.reference, p.user_id, p.amount, p.currency, p.way, p.state, p.top_up_id, p.provider, p.account_id, p.file_id,
    p.requested_by, p.reason, p.failure, p.asked_at, p.provider_reference, p.created_at, p.ended_at, a.iban_end, a.iban_sealed, a.holder,
    coalesce(p.address_sealed, a.address_sealed) as address_sealed
  from payouts p left join payout_accounts a on a.id = p.account_id`

type NewPayout = Pick<
  PayoutRow,
  | 'public_id'
  | 'reference'
  | 'user_id'
  | 'amount'
  | 'currency'
  | 'way'
  | 'top_up_id'
  | 'provider'
  | 'account_id'
> &
  Pick<PayoutRow, 'requested_by' | 'reason'>

/** Writes a payout; undefined if its reference is taken. */
export async function insertPayout(tx: Tx, made: NewPayout): Promise<bigint | undefined> {
  const row = await tx
    .insertInto('payouts')
    .values(made)
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function insertBookings(
  tx: Tx,
  payout_id: bigint,
  kind: 'out' | 'back',
  pieces: readonly Piece[],
): Promise<void> {
  await tx
    .insertInto('payout_bookings')
    .values(pieces.map((piece, place) => ({ payout_id, kind, place, ...piece })))
    .execute()
}

/** The bookings that took the money of a payout, in the order in which they were booked. */
export async function takenBy(tx: Tx, payout_id: bigint): Promise<Piece[]> {
  const { rows } = await sql<Piece>`
    select transaction_id, amount from payout_bookings where payout_id = ${payout_id} and kind = 'out' order by place`.execute(
    tx,
  )
  return rows
}

export async function payoutWith(db: Db, public_id: string): Promise<PayoutRow | undefined> {
  const { rows } = await sql<PayoutRow>`${payouts} where p.public_id = ${public_id}`.execute(db)
  return rows[0]
}

/** Locks a payout until the transaction ends, so that its ends take turns, and reads it as the one before left it. */
export async function lockPayout(tx: Tx, public_id: string): Promise<PayoutRow | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    select id from payouts where public_id = ${public_id} for no key update`.execute(tx)
  return rows[0] && must(await payoutWith(tx, public_id))
}

/** Locks the refunds of a payment that are under way, or that were made by this refund of the provider. */
export async function lockRefundsOf(
  tx: Tx,
  top_up_id: bigint,
  provider_reference: string,
): Promise<PayoutRow[]> {
  const { rows } = await sql<{ public_id: string }>`
    select public_id from payouts
    where top_up_id = ${top_up_id} and (state = 'requested' or provider_reference = ${provider_reference})
    order by id for no key update`.execute(tx)
  const found: PayoutRow[] = []
  for (const { public_id } of rows) found.push(must(await payoutWith(tx, public_id)))
  return found
}

export async function payoutsOf(
  db: Db,
  user_id: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<PayoutRow[]> {
  const { rows } = await sql<PayoutRow>`${payouts}
    where p.user_id = ${user_id} and p.id < coalesce(${before ?? null}::bigint, 9223372036854775807)
    order by p.id desc limit ${limit}`.execute(db)
  return rows
}

/** Returns how many payouts of a customer are under way. */
export async function countUnderWay(tx: Tx, user_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from payouts where user_id = ${user_id} and state = 'requested'`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Returns how many payouts to bank accounts wait for staff. */
export async function countRequested(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from payouts where state = 'requested' and way = 'bank'`.execute(db)
  return rows[0]?.count ?? 0
}

type End = { state: Exclude<PayoutState, 'requested'>; failure?: string }

export async function endPayout(tx: Tx, id: bigint, { state, failure = '' }: End): Promise<void> {
  await sql`update payouts set state = ${state}, failure = ${failure}, ended_at = date_trunc('milliseconds', now())
    where id = ${id}`.execute(tx)
}

export async function setRequestedAt(tx: Tx, id: bigint): Promise<void> {
  await sql`update payouts set asked_at = now() where id = ${id} and asked_at is null`.execute(tx)
}

/**
 * Returns the refunds that a provider has taken, and that are under way for a day since it was asked last; from now on they count as asked.
 */
export async function refundsToCheck(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ public_id: string }>`
    update payouts set asked_at = now() where id in (
      select id from payouts
      where state = 'requested' and way = 'source' and provider_reference is not null and asked_at < now() - interval '1 day'
      order by asked_at limit ${limit} for no key update skip locked)
    returning public_id`.execute(tx)
  return rows.map(({ public_id }) => public_id)
}

export async function setProviderReference(tx: Tx, id: bigint, provider_reference: string): Promise<void> {
  await tx.updateTable('payouts').set({ provider_reference }).where('id', '=', id).execute()
}

export type PayoutFilter = {
  state?: PayoutState | undefined
  file?: string | undefined
  reference?: string | undefined
}

type Page = { sort?: ByTimeOrAmount; after?: { place: string; id: string } | undefined; limit: number }

/** The payouts of all customers in this order. */
export async function payoutsInOrder(
  db: Db,
  { state, file, reference }: PayoutFilter,
  { sort = 'newest', after, limit }: Page,
): Promise<PayoutRow[]> {
  const id = sql`p.id`
  const order = orderOf(sort, { time: byNumber(id), amount: sql`p.amount`, id })
  const conditions = [
    after ? order.isAfter(after.place, sql`${after.id}::bigint`) : sql`true`,
    ...(state ? [sql`p.state = ${state}`] : []),
    ...(file === undefined ? [] : [sql`p.file_id = ${file}`]),
    ...(reference === undefined ? [] : [sql`p.reference = ${reference}`]),
  ]
  const { rows } = await sql<PayoutRow>`${payouts} where ${sql.join(conditions, sql` and `)}
    order by ${order.by} limit ${limit}`.execute(db)
  return rows
}
