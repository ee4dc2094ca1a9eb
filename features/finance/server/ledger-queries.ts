import { sql, type Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Description, TransactionType } from '#features/finance/rules.ts'

type Db = Kysely<Database>

/** The balance of a customer, in minor units; undefined before the first transaction. */
export async function balanceRow(db: Db, user_id: string, currency: string): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('balances')
    .select('balance')
    .where('user_id', '=', user_id)
    .where('currency', '=', currency)
    .executeTakeFirst()
  return row?.balance
}

/** The balance, locked against changes by others until the transaction ends. */
export async function lockBalance(tx: Tx, user_id: string, currency: string): Promise<bigint | undefined> {
  const row = await tx
    .selectFrom('balances')
    .select('balance')
    .where('user_id', '=', user_id)
    .where('currency', '=', currency)
    .forUpdate()
    .executeTakeFirst()
  return row?.balance
}

export type Account = {
  kind: 'customer' | 'payments' | 'promotions' | 'revenue'
  user_id: string | null
  name: string
}

/** The number of an account, which comes to be with its first use, however many use it first at once. */
export async function accountId(tx: Tx, account: Account, currency: string): Promise<bigint> {
  const find = () => {
    const query = tx.selectFrom('ledger_accounts').select('id').where('currency', '=', currency)
    return account.user_id === null
      ? query.where('user_id', 'is', null).where('kind', '=', account.kind).where('name', '=', account.name)
      : query.where('user_id', '=', account.user_id)
  }
  const found = await find().executeTakeFirst()
  if (found) return found.id
  const made = await tx
    .insertInto('ledger_accounts')
    .values({ ...account, currency })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return (made ?? (await find().executeTakeFirstOrThrow())).id
}

export type Booking = {
  id: string
  type: TransactionType
  user_id: string
  currency: string
  host_id: string | null
  description: Description
  reverses: string | null
}

/**
 * Writes the head and both sides; the triggers number the customer's entry and keep the balance. Returns the
 * balance after it.
 */
export async function insertTransaction(
  tx: Tx,
  { description, ...head }: Booking,
  sides: readonly { account_id: bigint; amount: bigint }[],
): Promise<bigint> {
  await tx
    .insertInto('transactions')
    .values({ ...head, description: JSON.stringify(description) })
    .execute()
  const booked = await tx
    .insertInto('entries')
    .values(sides.map((side) => ({ ...side, transaction_id: head.id, currency: head.currency })))
    .returning(['balance_after'])
    .execute()
  const after = booked.find(({ balance_after }) => balance_after !== null)?.balance_after
  if (after === undefined || after === null) throw new Error('a transaction without a customer')
  return after
}

export type Spent = {
  type: TransactionType
  currency: string
  host_id: string | null
  amount: bigint
  given_back: bigint
}

/** A transaction of this customer: its signed amount, and how much of it later ones took back (a positive amount). */
export async function spentBy(db: Db, user_id: string, id: string): Promise<Spent | undefined> {
  const { rows } = await sql<Spent>`
    select t.type, t.currency, t.host_id, e.amount,
      coalesce((select abs(sum(back.amount)) from transactions r
        join entries back on back.transaction_id = r.id and back.of_customer where r.reverses = t.id), 0)::bigint as given_back
    from transactions t join entries e on e.transaction_id = t.id and e.of_customer
    where t.id = ${id} and t.user_id = ${user_id}`.execute(db)
  return rows[0]
}

/** Ties a transaction to its invoice or credit note (their public id), once and for good. */
export async function linkInvoice(
  tx: Tx,
  document: { user_id: string; transaction_id: string; invoice_id: string },
): Promise<void> {
  await tx.insertInto('transaction_documents').values(document).execute()
}
