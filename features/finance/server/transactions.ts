import type { App } from '#foundation/server/app.ts'
import { toMoney } from '#foundation/money.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/finance/contract.ts'
import {
  newestTransactions,
  transactionById,
  transactionsOf,
  type Filter,
  type TransactionRow,
} from './transactions-queries.ts'

/** Answers `GET /api/finances/transactions/`. */
export const list = handler(contract.listTransactions, async ({ app, actor, query }) => {
  return { status: 200, body: await pageOfTransactions(app, actor.user_id, query) }
})

/** One page of a customer's transactions, newest first. */
export async function pageOfTransactions(
  { db, config }: App,
  user_id: string,
  { limit, cursor, ...filter }: Filter & { limit: number; cursor?: string | undefined },
) {
  const [before] = placeIn(cursor, [placeKinds.number]) ?? []
  const { currency } = config
  const isWhole = before === undefined && !filter.type && !filter.from && !filter.to
  const rows = isWhole
    ? await newestTransactions(db, { user_id, currency, limit: limit + 1 })
    : await transactionsOf(db, { user_id, currency }, spanOf(filter), { before, limit: limit + 1 })
  return pageFrom(rows, limit, ({ seq }) => [String(seq)], toTransactionReply)
}

/** Returns the filter with its times in UTC, as the database reads them; they may be written with any offset. */
export const spanOf = ({ type, from, to }: Filter): Filter => ({
  type,
  from: from && new Date(from).toISOString(),
  to: to && new Date(to).toISOString(),
})

/** Returns a transaction in the form of the contract; undefined if it is not this customer's. */
export async function findTransaction(
  db: App['db'],
  user_id: string,
  transaction_id: string,
): Promise<contract.Transaction | undefined> {
  const row = await transactionById(db, user_id, transaction_id)
  return row && toTransactionReply(row)
}

export function toTransactionReply(row: TransactionRow): contract.Transaction {
  const { id, type, description, invoice_id, host_id, currency } = row
  return {
    id,
    type,
    amount: toMoney(row.amount, currency),
    balance_after: toMoney(row.balance_after, currency),
    created_at: row.created_at.toISOString(),
    description,
    invoice_id,
    host_id,
  }
}
