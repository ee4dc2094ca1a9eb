import { sql, type Kysely } from 'kysely'
import { must } from '#foundation/must.ts'
import { batchedRows } from '#foundation/server/database/batched.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import { recordLocked } from '#foundation/server/database/lock-order.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Spending } from '#features/finance/gifts.ts'
import type { Description, TransactionType } from '#features/finance/rules.ts'
import { locks } from './locks.ts'

type Db = Kysely<Database>

type Owned = { user_id: string; currency: string }
type Money = { balance: bigint; gift: bigint }

/**
 * Returns the balance of a customer, and how much of it is a gift, in minor units; nothing of both before the first transaction. Calls made
 * at the same time ask together.
 */
export const moneyOf = batchedRows(async (db: Db, owners: readonly Owned[]): Promise<Money[]> => {
  const ids = owners.map(({ user_id }) => user_id)
  const { rows } = await sql<Money & { user_id: string }>`
    select user_id, balance, gift from balances where currency = ${must(owners[0]).currency}
      and user_id = any(${arrayOf(ids, 'uuid')})`.execute(db)
  const found = new Map(rows.map(({ user_id, balance, gift }) => [user_id, { balance, gift }]))
  return ids.map((id) => found.get(id) ?? { balance: 0n, gift: 0n })
})

/** Returns the ids of the customers whose balance is below zero. It reads all balances, so it is for a job, not for a page. */
export async function overdrawnCustomers(db: Db, currency: string): Promise<string[]> {
  const rows = await db
    .selectFrom('balances')
    .select('user_id')
    .where('currency', '=', currency)
    .where('balance', '<', 0n)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/**
 * Locks the balances of these customers until the transaction ends, in the order of their accounts (rule 9), and returns them in minor units;
 * a customer without a transaction has none. An act locks all its balances by one call: a second call for another customer is refused.
 */
export async function lockBalances(
  tx: Tx,
  user_ids: readonly string[],
  currency: string,
): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ user_id: string; balance: bigint }>`
    select user_id, balance from lock_balances(${[...user_ids]}::uuid[], ${currency})`.execute(tx)
  recordLocked(tx, locks.balances, user_ids)
  return new Map(rows.map(({ user_id, balance }) => [user_id, balance]))
}

/** Locks one balance; undefined before the first transaction. Calls made at the same time lock theirs together. */
export const lockBalance = batchedRows(async (tx: Tx, owners: readonly Owned[]) => {
  const currency = must(owners[0]).currency
  const found = await lockBalances(
    tx,
    owners.map(({ user_id }) => user_id),
    currency,
  )
  return owners.map(({ user_id }) => found.get(user_id))
})

export type Account = {
  kind: 'customer' | 'payments' | 'promotions' | 'revenue' | 'vat'
  user_id: string | null
  name: string
  currency: string
}

/** Returns the number of an account. The first use creates the account, once even if several transactions use it first at the same time. */
export async function accountId(tx: Tx, { kind, user_id, name, currency }: Account): Promise<bigint> {
  const account = { kind, user_id, name, currency }
  const found = await findAccount(tx, account)
  if (found !== undefined) return found
  const made = await tx
    .insertInto('ledger_accounts')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id ?? must(await findAccount(tx, account))
}

const findAccount = batchedRows(async (tx: Tx, accounts: readonly Account[]) => {
  const { rows } = await sql<{ place: number; id: bigint }>`
    with wanted as (
      select * from unnest(${accounts.map(({ kind }) => kind)}::text[], ${accounts.map(({ user_id }) => user_id)}::uuid[],
        ${accounts.map(({ name }) => name)}::text[], ${accounts.map(({ currency }) => currency)}::text[])
        with ordinality as w (kind, user_id, name, currency, place))
    select place::int, a.id from wanted w join ledger_accounts a on a.user_id = w.user_id and a.currency = w.currency
    union all
    select place::int, a.id from wanted w join ledger_accounts a
      on a.user_id is null and a.kind = w.kind and a.name = w.name and a.currency = w.currency
    where w.user_id is null`.execute(tx)
  const found = new Map(rows.map(({ place, id }) => [place, id]))
  return accounts.map((_, index) => found.get(index + 1))
})

export type Booking = {
  id: string
  type: TransactionType
  user_id: string
  currency: string
  host_id: string | null
  description: Description
  reverses: string | null
}

/** `gift` is the part of a customer's side that is a gift, with the sign of `amount`; the database decides it for all types but refunds. */
type Side = { account_id: bigint; amount: bigint; gift: bigint }

type Entry = { gift: bigint; created_at: Date }

/**
 * Writes the head of a transaction and all its sides; triggers number the customer's entry and keep the balance.
 * Returns the balance after the transaction, and how much of the movement is a gift (signed as the movement).
 */
export const insertTransaction = batchedRows(
  async (tx: Tx, bookings: readonly (Booking & { sides: readonly Side[] })[]) => {
    const column = <Key extends keyof Booking>(name: Key) => bookings.map((booking) => booking[name])
    await sql`
      insert into transactions (id, type, user_id, currency, host_id, description, reverses)
      select * from unnest(${column('id')}::uuid[], ${column('type')}::text[], ${column('user_id')}::uuid[],
        ${column('currency')}::text[], ${column('host_id')}::text[],
        ${bookings.map(({ description }) => JSON.stringify(description))}::jsonb[], ${column('reverses')}::uuid[])`.execute(
      tx,
    )
    // The sides are in the order of the accounts, in which every transaction takes their locks (rule 9).
    const sides = bookings
      .flatMap(({ id, currency, sides: its }) =>
        its.map((side) => ({ ...side, transaction_id: id, currency })),
      )
      .toSorted((one, other) => Number(one.account_id - other.account_id))
    const { rows } = await sql<Entry & { transaction_id: string; balance_after: bigint | null }>`
      insert into entries (transaction_id, account_id, currency, amount, gift)
      select * from unnest(${sides.map(({ transaction_id }) => transaction_id)}::uuid[],
        ${sides.map(({ account_id }) => String(account_id))}::bigint[], ${sides.map(({ currency }) => currency)}::text[],
        ${sides.map(({ amount }) => String(amount))}::bigint[], ${sides.map(({ gift }) => String(gift))}::bigint[])
      returning transaction_id, balance_after, gift, created_at`.execute(tx)
    // The operator's side has no balance.
    const after = new Map(
      rows.flatMap(({ transaction_id, balance_after, gift, created_at }) =>
        balance_after === null ? [] : [[transaction_id, { balance_after, gift, created_at }] as const],
      ),
    )
    return bookings.map(({ id }) => must(after.get(id)))
  },
)

export type Spent = {
  type: TransactionType
  currency: string
  host_id: string | null
  amount: bigint
  given_back: bigint
  gift: bigint
  gift_back: bigint
}

/**
 * Returns a transaction of this customer: `amount` and the `gift` in it are signed; `given_back` and `gift_back` (positive) are how much of
 * them later transactions took back.
 */
export async function spentBy(db: Db, user_id: string, id: string): Promise<Spent | undefined> {
  const { rows } = await sql<Spent>`
    select t.type, t.currency, t.host_id, e.amount, e.gift, coalesce(abs(b.amount), 0)::bigint as given_back,
      coalesce(abs(b.gift), 0)::bigint as gift_back
    from transactions t join entries e on e.transaction_id = t.id and e.of_customer, lateral (
      select sum(back.amount) as amount, sum(back.gift) as gift from transactions r
        join entries back on back.transaction_id = r.id and back.of_customer where r.reverses = t.id) b
    where t.id = ${id} and t.user_id = ${user_id}`.execute(db)
  return rows[0]
}

/** A spending as the rules of gifts see it. */
export const spendingOf = ({ amount, gift, given_back: total_back, gift_back }: Spent): Spending => ({
  total: -amount,
  gift: -gift,
  total_back,
  gift_back,
})

type Linked = { user_id: string; transaction_id: string; invoice_id: string }

/** Links a transaction to its invoice or credit note (by its public id). A link cannot be changed. */
export const linkInvoice = batchedRows(async (tx: Tx, documents: readonly Linked[]): Promise<void[]> => {
  const column = (name: keyof Linked) => documents.map((document) => document[name])
  await sql`
    insert into transaction_documents (user_id, transaction_id, invoice_id)
    select * from unnest(${column('user_id')}::uuid[], ${column('transaction_id')}::uuid[], ${column('invoice_id')}::text[])`.execute(
    tx,
  )
  return []
})

/** Returns the id of the transaction that moved the money of a document (a public id); undefined if none did. */
export async function transactionOfDocument(db: Db, invoice_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('transaction_documents')
    .select('transaction_id')
    .where('invoice_id', '=', invoice_id)
    .executeTakeFirst()
  return row?.transaction_id
}

/** The public id of the document of a transaction `t`: the newest invoice if the sale was invoiced again, else the document in `d`. */
export const documentOf = sql<string | null>`coalesce((
    select n.public_id from ledger_documents n
    where n.transaction_id = t.id and n.kind = 'invoice' and n.version > 1 order by n.version desc limit 1), d.invoice_id)`
