import { toMoney } from '#foundation/money.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import * as events from '#features/finance/event-contract.ts'
import * as queries from './ledger-queries.ts'
import type { TopUpRow } from './top-up-queries.ts'
import { toTopUpReply } from './top-up-reply.ts'
import { toTransactionReply } from './transactions.ts'
import type { TransactionRow } from './transactions-queries.ts'

type Linked = Parameters<typeof queries.linkInvoice>[1]

/** The documents of the transactions that a database transaction has booked, for their events. */
const documents = new WeakMap<Tx, Map<string, string>>()

/** Links a transaction to its invoice or credit note (by its public id). A link cannot be changed. */
export async function linkInvoice(tx: Tx, linked: Linked): Promise<void> {
  const known = documents.get(tx) ?? new Map<string, string>()
  documents.set(tx, known.set(linked.transaction_id, linked.invoice_id))
  await queries.linkInvoice(tx, linked)
}

type Booked = Omit<TransactionRow, 'seq' | 'invoice_id'>

/** Records a movement of the balance, with the document that it has got by the end of the transaction. */
export function recordTransaction(tx: Tx, user_id: string, booked: Booked): void {
  const read = async () => {
    const invoice_id = documents.get(tx)?.get(booked.id) ?? null
    return toTransactionReply({ ...booked, invoice_id, seq: 0n })
  }
  record(tx, user_id, events.transactionCreated, read, { host: booked.host_id })
}

/** Records how a top-up ended. */
export function recordTopUp(app: App, tx: Tx, topUp: TopUpRow, status: 'paid' | 'failed' | 'expired'): void {
  const kind = status === 'paid' ? events.topUpSucceeded : events.topUpFailed
  record(tx, topUp.user_id, kind, async () => toTopUpReply(app, { ...topUp, status }))
}

/** Records that a balance (minor units) does not cover `needed`, or is below zero. */
export function recordLowBalance(
  { config: { currency } }: App,
  tx: Tx,
  { user_id, balance, needed }: { user_id: string; balance: bigint; needed: bigint | null },
): void {
  const due = needed === null ? null : toMoney(needed, currency)
  record(tx, user_id, events.balanceLow, { balance: toMoney(balance, currency), needed: due })
}
