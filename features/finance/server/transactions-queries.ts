import { sql, type Kysely } from 'kysely'
import { must } from '#foundation/must.ts'
import { batchedRows } from '#foundation/server/database/batched.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import { documentOf } from './ledger-queries.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Description, TransactionType } from '#features/finance/rules.ts'

type Db = Kysely<Database>

export type TransactionRow = {
  id: string
  type: TransactionType
  currency: string
  amount: bigint
  balance_after: bigint
  created_at: Date
  description: Description
  host_id: string | null
  invoice_id: string | null
  /** The number of the transaction among the customer's own: newer ones have higher numbers, without gaps. */
  seq: bigint
}

export type Filter = {
  type?: TransactionType | undefined
  from?: string | undefined
  to?: string | undefined
  /** Only numbers above this one. */
  after?: bigint | undefined
}

const columns = sql`t.id, t.type, t.currency, e.amount, e.balance_after, e.created_at, t.description, t.host_id,
  ${documentOf} as invoice_id, e.seq`
const joined = sql`join transactions t on t.id = e.transaction_id
  left join transaction_documents d on d.transaction_id = e.transaction_id`

/**
 * Returns a customer's transactions with numbers below `before`, newest first. Numbers and times of an account rise
 * together, so a period is a range of numbers, and every page is read from one range of an index, however old it is.
 */
export async function transactionsOf(
  db: Db,
  { user_id, currency }: { user_id: string; currency: string },
  { type, from, to, after }: Filter,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<TransactionRow[]> {
  const account = sql`(select id from ledger_accounts where user_id = ${user_id} and currency = ${currency})`
  const conditions = [
    sql`e.account_id = ${account}`,
    sql`e.seq < coalesce(${before ?? null}::bigint, 9223372036854775807)`,
    ...(after === undefined ? [] : [sql`e.seq > ${after}`]),
    ...(type ? [sql`e.type = ${type}`] : []),
    ...(from
      ? [
          sql`e.seq >= (select seq from entries where account_id = ${account} and seq is not null
          and created_at >= ${from}::timestamptz order by created_at, seq limit 1)`,
        ]
      : []),
    ...(to
      ? [
          sql`e.seq <= (select seq from entries where account_id = ${account} and seq is not null
          and created_at < ${to}::timestamptz order by created_at desc, seq desc limit 1)`,
        ]
      : []),
  ]
  const { rows } = await sql<TransactionRow>`
    select ${columns} from entries e ${joined}
    where ${sql.join(conditions, sql` and `)} order by e.seq desc limit ${limit}`.execute(db)
  return rows
}

type Newest = { user_id: string; currency: string; limit: number }

/** Returns the newest transactions of a customer. Calls made at the same time ask together. */
export const newestTransactions = batchedRows(
  async (db: Db, asked: readonly Newest[]): Promise<TransactionRow[][]> => {
    const owners = asked.map(({ user_id }) => user_id)
    const limits = asked.map(({ limit }) => limit)
    const { rows } = await sql<TransactionRow & { place: number }>`
      select asked.place::int, ${columns}
      from unnest(${arrayOf(owners, 'uuid')}, ${arrayOf(limits, 'bigint')}) with ordinality as asked (user_id, most, place)
      join ledger_accounts a on a.user_id = asked.user_id and a.currency = ${must(asked[0]).currency}
      cross join lateral (
        select * from entries where account_id = a.id and seq is not null order by seq desc limit asked.most) e
      ${joined} order by e.seq desc`.execute(db)
    const found = Map.groupBy(rows, ({ place }) => place)
    return asked.map((_, place) => found.get(place + 1) ?? [])
  },
)

export async function transactionById(
  db: Db,
  user_id: string,
  id: string,
): Promise<TransactionRow | undefined> {
  const { rows } = await sql<TransactionRow>`
    select ${columns} from entries e ${joined}
    where e.transaction_id = ${id} and e.user_id = ${user_id}`.execute(db)
  return rows[0]
}
