import { randomUUID } from 'node:crypto'
import { bookRefund, charge, linkInvoice } from '#features/finance/server/finance.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import { prepareInvoice } from '#features/invoices/server/invoices.ts'
import { acceptBeginNow } from '#features/legal/server/legal.ts'
import { beginCredit } from '#features/payers/server/payers.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { instructionFor } from './plans.ts'
import { insertOrder, writePeriods } from './queries.ts'
import type { Exchange, UpgradePlan } from './upgrade-plan.ts'

/** Credits all, then cuts the periods, then charges: the credits count for the charges. */
export async function writeUpgrade(
  app: App,
  tx: Tx,
  host: HostRow,
  planned: UpgradePlan,
  { order_reference }: { order_reference?: string | undefined },
): Promise<{ credits: string[]; charges: string[] }> {
  const { user_id, name } = host
  const credits: string[] = []
  for (const { period, credit: amount } of planned.exchanges) {
    if (amount === 0n) continue
    const description = { code: 'upgrade_credit', params: { host: name, plan: period.plan_name } } as const
    const { transaction_id } = period
    const by = { user_id: period.buyer_id, transaction_id, amount }
    const credited = { ...by, reason: '', cause: 'upgrade', description } as const
    if (period.buyer_id !== user_id) await beginCredit(tx, transaction_id)
    credits.push((await bookRefund(app, tx, credited)).transaction_id)
  }
  await writePeriods(
    tx,
    planned.exchanges.map(({ period, from }) => ({ ...period, ends_at: from, ended: 'upgraded' })),
  )
  const charges: string[] = []
  for (const exchange of planned.exchanges)
    charges.push(await buyRest(app, tx, host, planned, exchange, order_reference))
  return { credits, charges }
}

/** Buys the rest of a period: an order of its own, so that a refund or a withdrawal later is of it alone. Returns its transaction. */
async function buyRest(
  app: App,
  tx: Tx,
  host: HostRow,
  { plan, vat, payer, now }: UpgradePlan,
  { period: cut, from, price }: Exchange,
  order_reference: string | undefined,
): Promise<string> {
  const { user_id, id: host_id, public_id } = host
  const buyer_id = payer?.payer_id ?? user_id
  const { currency } = app.config
  const line = { code: 'licence_upgrade', params: { host: host.name, plan: plan.name } } as const
  const { transaction_id } = await charge(app, tx, {
    user_id: buyer_id,
    amount: price.total,
    type: payer ? 'inner_spending' : 'spend',
    vat: { country: vat.country, amount: price.vat },
    description: line,
    host_id: public_id,
  })
  const { ends_at, anchor_day, term_starts_at } = cut
  const invoice = await prepareInvoice(app, tx, {
    user_id: buyer_id,
    transaction_id,
    host_id: public_id,
    vat,
    order_reference,
    lines: [{ description: line, quantity: 1n, net: price.net, period: { starts_at: from, ends_at } }],
  })
  if (invoice.total !== price.total) throw new Error('the invoice asks for another amount than was charged')
  const documents = { transaction_id, invoice_id: invoice.public_id }
  const sold = { plan: plan.slug, plan_name: plan.name, term: plan.term, currency, vat_rate_bp: vat.rate_bp }
  const order_id = randomUUID()
  const paid_by = { payer_id: payer?.payer_id ?? null, agreement_id: payer?.agreement_id ?? null }
  const what = { ...sold, ...price, ...documents, ...paid_by }
  const order = { ...what, id: order_id, user_id, host_id, kind: 'upgrade' } as const
  const period = { starts_at: from, ends_at, anchor_day, term_starts_at }
  await insertOrder(tx, { ...order, ipv4: must(host.ipv4), ordered_at: now, period })
  const instruction = payer ? undefined : instructionFor(app, vat)
  if (instruction !== undefined) await acceptBeginNow(tx, { user_id, order_id, url: instruction })
  await linkInvoice(tx, { user_id: buyer_id, ...documents })
  return transaction_id
}
