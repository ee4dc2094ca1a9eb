import { partsRequested } from '#features/finance/contract.ts'
import type { SpendingPart } from '#features/finance/rules.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { badRequest, notFound } from '#foundation/server/http/http-error.ts'

type Spending = { user_id: string; transaction_id: string }
type Wanted = Spending & {
  part?: { order_id: string } | SpendingPart | undefined
  amount?: bigint | undefined
}

/**
 * Returns the part of a spending that a refund gives back; undefined for a refund of the whole, as of a spending for one order. `left` is
 * the rest of the whole spending (minor units). Throws 404 for an order that the spending has not paid, 400 `required` about `order_id`
 * for a refund that names no order and is less than the rest of a spending for several orders.
 */
export async function partOfSpending(
  app: App,
  tx: Tx,
  { part, amount, ...spending }: Wanted,
  left: bigint,
): Promise<SpendingPart | undefined> {
  const parts = await partsOf(app, tx, spending)
  const found = part && parts.find(({ order_id }) => order_id === part.order_id)
  if (part && !found) throw notFound()
  if (parts.length < 2) return undefined
  if (part && 'left' in part) return part
  if (!part && (amount ?? left) !== left) throw badRequest('required', 'order_id')
  return found
}

async function partsOf(app: App, tx: Tx, spending: Spending): Promise<SpendingPart[]> {
  const parts: SpendingPart[] = []
  await emit(app, tx, partsRequested, { ...spending, add: (part) => void parts.push(part) })
  return parts
}
