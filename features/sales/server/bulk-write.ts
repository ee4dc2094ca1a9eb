import { findTransaction } from '#features/finance/server/finance.ts'
import type { Transaction } from '#features/finance/contract.ts'
import { announceHost } from '#features/hosts/server/hosts.ts'
import type { InvoiceSummary } from '#features/invoices/contract.ts'
import { requireParties, summaryReply } from '#features/invoices/server/invoices.ts'
import { requireTerms } from '#features/legal/server/legal.ts'
import { payFor } from '#features/payers/server/payers.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { atOnce } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { assertStillFirst, insertClaim, refusedFor } from '#features/licences/server/licences.ts'
import type { BulkPlan, RefusedServer } from './bulk-plan.ts'
import { assertMayBuy, passGate, type Passed } from './gate.ts'
import { writeSale, type Sold, type SoldLicence } from './sale.ts'
import { creditAndCut, moveLicence, recordUpgrade, type UpgradeOrigin } from './upgrade-orders.ts'

type Wished = { order_reference?: string | undefined; begin_now?: boolean | undefined }
type Payment = BulkPlan['payments'][number]
type Documents = { transactions: Transaction[]; invoices: InvoiceSummary[] }

/**
 * Throws the refusals of a bulk as a whole, and lets its payments pass the gate: 401, 403 `account_blocked`, 400 `required`@begin_now, 409
 * `billing_address_required`, `terms_not_accepted` or `terms_changed`, and those of `passGate`.
 */
export async function assertPayable(
  app: App,
  tx: Tx,
  user_id: string,
  { payments, credited, servers, now }: BulkPlan,
  { begin_now, promo }: Wished & { promo?: string | undefined },
): Promise<Passed[]> {
  await assertMayBuy(tx, user_id)
  for (const { buyer_id, total, instruction } of payments) {
    if (instruction !== undefined && begin_now !== true) throw badRequest('required', 'begin_now')
    await requireParties(app, tx, { user_id: buyer_id, total })
  }
  // A running licence is renewed under the terms of its order.
  const runsOn = ({ paid_until }: { paid_until: Date | null }) => paid_until !== null && paid_until > now
  if (!servers.every(({ host }) => runsOn(host))) await requireTerms(app, tx, user_id)
  if (promo === undefined) return passGate(app, tx, payments, credited)
  // The owner's balance is locked, too, where other accounts pay: orders with codes for the first order take turns.
  const passed = await passGate(app, tx, payments, [...credited, user_id])
  await assertStillFirst(tx, user_id, promo)
  return passed
}

/** Claims the addresses of all servers, and returns the servers whose address another licence claimed since the plan was made. */
export async function claimAll(tx: Tx, { servers, payments, upgrades }: BulkPlan): Promise<RefusedServer[]> {
  if (upgrades.size > 0) return []
  const claims = await atOnce(
    licencesOf(payments).map(async ({ host, period: { starts_at, ends_at } }) => {
      const { user_id, id: host_id, ipv4, ipv6 } = host
      return [host_id, await insertClaim(tx, { user_id, host_id, ipv4, ipv6, starts_at, ends_at })] as const
    }),
  )
  return refusedFor(servers, new Map(claims))
}

/** Writes the credits, then one charge and one invoice for each account that pays. Returns the documents of the owner. */
export async function writeBulk(
  app: App,
  tx: Tx,
  user_id: string,
  planned: BulkPlan,
  passed: readonly Passed[],
  { order_reference }: Wished,
  origin: UpgradeOrigin,
): Promise<Documents> {
  const { payments, upgrades, servers } = planned
  const transactions: string[] = []
  for (const { host } of servers) {
    const upgrade = upgrades.get(host.id)
    if (upgrade) transactions.push(...(await creditAndCut(app, tx, host, upgrade)))
  }
  const sold: { payment: Payment; sale: Sold }[] = []
  for (const [place, payment] of payments.entries()) {
    const { payer, vat, charges, instruction } = payment
    if (payer) await payFor(tx, payer)
    for (const { licences } of charges) {
      const terms = { vat, payment: must(passed[place]), now: planned.now, order_reference, instruction }
      const sale = await writeSale(app, tx, { ...terms, licences })
      if (sale) sold.push({ payment, sale })
    }
  }
  await moveUpgraded(app, tx, planned, origin)
  for (const { payment, sale } of sold)
    if (payment.payer === undefined) transactions.push(sale.transaction_id)
  const found = await Promise.all(transactions.map((id) => findTransaction(tx, user_id, id)))
  const invoices = await numberAll(app, tx, sold)
  return { transactions: found.filter((one) => one !== undefined), invoices }
}

/** Issues the invoices last, because every other purchase waits for the counter of their numbers. Each is in the name of its payer. */
async function numberAll(
  app: App,
  tx: Tx,
  sold: readonly { payment: Payment; sale: Sold }[],
): Promise<InvoiceSummary[]> {
  const invoices: InvoiceSummary[] = []
  for (const { payment, sale } of sold) {
    if (payment.payer) await payFor(tx, payment.payer)
    const issued = await sale.invoice.issue()
    if (!payment.payer)
      invoices.push(summaryReply({ ...issued, status: 'paid', cancels: false }, app.config.timeZone))
  }
  return invoices
}

async function moveUpgraded(
  app: App,
  tx: Tx,
  { servers, upgrades, payments }: BulkPlan,
  origin: UpgradeOrigin,
): Promise<void> {
  const paid = new Map<bigint, bigint>()
  for (const { licences, each } of payments.flatMap(({ charges }) => charges))
    for (const [line, { host }] of licences.entries())
      paid.set(host.id, (paid.get(host.id) ?? 0n) + must(each[line]).total)
  for (const { host } of servers) {
    const upgrade = upgrades.get(host.id)
    if (!upgrade) continue
    await moveLicence(app, tx, host, upgrade)
    await announceHost(tx, host)
    await recordUpgrade(tx, host, { ...upgrade, charge: paid.get(host.id) ?? 0n }, origin)
  }
}

const licencesOf = (payments: readonly Payment[]): SoldLicence[] =>
  payments.flatMap(({ charges }) => charges.flatMap(({ licences }) => licences))
