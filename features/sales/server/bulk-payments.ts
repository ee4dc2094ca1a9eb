import { vatFor, vatOver, type Amounts, type VatDecision } from '#features/invoices/server/invoices.ts'
import type { PayerRow } from '#features/payers/server/payers.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Due } from './gate.ts'
import { amountsOf, type SoldLicence } from './sale.ts'
import { creditBy, creditTo, type UpgradePlan } from './upgrade-plan.ts'

/** Licences that are charged together. A charge has each server once, so a second period of a server belongs to a second charge. */
export type Charge = { licences: SoldLicence[]; sum: Amounts; each: Amounts[] }

/** The payment of one account, in minor units. */
export type Payment = Due & {
  vat: VatDecision
  charges: Charge[]
  /** The credit that comes back to the same account. */
  credit: bigint
}

/**
 * Returns the payments of all accounts for their servers, the owner's first. `sold` has a list for each server, with a licence for each of
 * its periods.
 */
export async function paymentsOf(
  app: App,
  tx: Tx,
  sold: readonly SoldLicence[][],
  payers: ReadonlyMap<bigint, PayerRow>,
  upgrades: ReadonlyMap<bigint, UpgradePlan>,
): Promise<Payment[]> {
  const payerOf = (licences: readonly SoldLicence[]) => payers.get(must(licences[0]).host.id)
  const groups = Map.groupBy(sold, (licences) => payerOf(licences)?.agreement_id)
  const payments: Payment[] = []
  for (const group of groups.values()) {
    const first = must(group[0])
    const payer = payerOf(first)
    const buyer_id = payer?.payer_id ?? must(first[0]).host.user_id
    const net = group.flat().reduce((sum, licence) => sum + licence.net, 0n)
    const vat = vatOver(await vatFor(app, tx, buyer_id), net)
    const most = Math.max(...group.map(({ length }) => length))
    const charges = Array.from({ length: most }, (_, place) => {
      const licences = group.flatMap((each) => each[place] ?? [])
      return { licences, ...amountsOf(licences, vat) }
    })
    const total = charges.reduce((all, { sum }) => all + sum.total, 0n)
    const exchanges = [...upgrades.values()].flatMap((upgrade) => upgrade.exchanges)
    const credit = creditTo(exchanges, buyer_id)
    const of_month = total - (payer ? creditBy(exchanges, payer.agreement_id) : 0n)
    payments.push({ payer, buyer_id, vat, charges, total, credit, pay_now: total - credit, of_month })
  }
  return payments.toSorted(
    (one, other) => Number(one.payer !== undefined) - Number(other.payer !== undefined),
  )
}
