import type { HostRow } from '#features/hosts/server/hosts.ts'
import {
  atMost,
  heldBy,
  lowered,
  netFor,
  netOf,
  otherEdition,
  type PlanRow,
  type Price,
  type Promo,
  takePromo,
} from '#features/licences/server/licences.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { sharesOf } from '#features/invoices/server/invoices.ts'
import { must } from '#foundation/must.ts'
import type { SoldLicence } from './sale-lines.ts'

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

/**
 * Returns the licences of an order for several servers at the prices of the promo code that was typed, or of the code that each server has
 * left. An amount is taken off once: its servers share it by their prices, and each keeps its share (decision 197). The rests of an upgrade
 * stay as they are. Throws 409 `promo_other_edition` if the typed code lowers none of them.
 */
export function loweredTogether(
  sold: readonly SoldLicence[][],
  { act, promo }: { act: string; promo?: Promo | undefined },
): SoldLicence[][] {
  if (act === 'upgrade') return [...sold]
  const held = sold.map((licences) => licences.map((licence) => atPrice(licence, heldBy(licence.host))))
  if (!promo) return held
  const holds = sold.flat().filter((licence) => atPrice(licence, promo).promo)
  if (holds.length === 0 && sold.flat().length > 0) throw otherEdition()
  const shares = promo.amount === null ? [] : sharesOf(holds.map(planNet), BigInt(promo.amount))
  return sold.map((licences, place) =>
    licences.map((licence, at) => {
      const share = shares[holds.indexOf(licence)]
      return holds.includes(licence)
        ? atPrice(licence, share ? { ...promo, amount: share.vat.toString() } : promo)
        : must(held[place]?.[at])
    }),
  )
}

const atPrice = (licence: SoldLicence, promo: Promo | null): SoldLicence => {
  const price = lowered(planNet(licence), licence.plan, promo)
  return price.promo ? { ...licence, ...price, net: price.net + netOf(licence.extras ?? []) } : licence
}

/** The price of the plan alone: a code lowers no extra. */
const planNet = ({ net, extras = [] }: SoldLicence): bigint => net - netOf(extras)
