import type { HostRow } from '#features/hosts/server/hosts.ts'
import {
  atMost,
  heldBy,
  lowered,
  netFor,
  otherEdition,
  type PlanRow,
  type Price,
  takePromo,
} from '#features/licences/server/licences.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Wish = { promo?: string | undefined; announced_net?: bigint | null | undefined }

/**
 * Returns the price of a plan for a host, lowered by the promo code that was typed, whose use is counted here, or by the code that the last
 * order of the host has left (decision 197). Throws as `takePromo` does, and 409 `promo_other_edition`.
 */
export async function priceOfPurchase(
  app: App,
  tx: Tx,
  { host, plan }: { host: HostRow; plan: PlanRow },
  { promo: typed, announced_net }: Wish,
): Promise<Price> {
  const list = atMost(netFor(plan, host), announced_net)
  if (typed === undefined) return lowered(list, plan, heldBy(host))
  const price = lowered(list, plan, await takePromo(app, tx, host.user_id, typed))
  if (price.promo === null) throw otherEdition()
  return price
}
