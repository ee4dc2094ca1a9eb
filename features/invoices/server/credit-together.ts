import { vatOf } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { priceOf, type Amounts } from './amounts.ts'
import { leftOf, lockCredits } from './credit.ts'
import * as queries from './queries.ts'

/** Locks several sales that are credited together, in one order: after the servers and before the balances (rule 9). */
export async function lockSales(
  tx: Tx,
  sales: readonly { user_id: string; transaction_id: string }[],
): Promise<void> {
  const byKey = new Map(sales.map((sale) => [`${sale.user_id} ${sale.transaction_id}`, sale]))
  for (const [, sale] of [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await lockCredits(tx, sale)
}

/**
 * Returns the total (minor units) of a credit note over `net`, at the VAT rate of the sale's newest invoice; at most the rest of the sale,
 * or `part`, the rest of one of its servers. Undefined if the transaction paid no invoice. Reads only.
 */
export async function creditTotal(
  db: App['db'],
  { user_id, transaction_id }: { user_id: string; transaction_id: string },
  net: bigint,
  part?: Amounts,
): Promise<bigint | undefined> {
  const original = await queries.invoicePaidBy(db, user_id, transaction_id)
  if (!original) return undefined
  const left = part ?? priceOf(await leftOf(db, original))
  const total = net + vatOf(net, original.vat_rate_bp)
  // Earlier credit notes, each rounded, may have taken a unit more of the VAT than their share.
  return net >= left.net || total > left.total ? left.total : total
}

/** Returns the rest of the price of a sale, with its gifts, that no credit note has taken yet; undefined if the transaction paid no invoice. */
export async function leftOfSale(
  db: App['db'],
  { user_id, transaction_id }: { user_id: string; transaction_id: string },
): Promise<Amounts | undefined> {
  const original = await queries.invoicePaidBy(db, user_id, transaction_id)
  return original && priceOf(await leftOf(db, original))
}
