import { balanceOf } from '#features/finance/server/finance.ts'
import { percentOf } from '#features/invoices/rules.ts'
import { priceNote } from '#features/invoices/server/invoices.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { BulkPreview } from '#features/sales/bulk-orders.ts'
import { PREVIEW_VALID_S } from '#features/sales/rules.ts'
import type { BulkPlan } from './bulk-plan.ts'
import { assertPayerPays } from './gate.ts'

type Payment = BulkPlan['payments'][number]
type Shown = BulkPreview['servers'][number]

/** Returns a preview as the caller may see it: it does not show another payer's balance, but it tells if that balance suffices. */
export async function bulkPreviewReply(app: App, tx: Tx, planned: BulkPlan): Promise<BulkPreview> {
  const money = (amount: bigint) => toMoney(amount, app.config.currency)
  const { as_of, payments, servers, refused, expected_total } = planned
  const own = payments.find(({ payer }) => payer === undefined)
  const withdrawal_url = own?.instruction
  const names = await displayNames(
    app,
    tx,
    payments.map(({ buyer_id }) => buyer_id),
  )
  const shownPayments: BulkPreview['payments'] = []
  for (const payment of payments) {
    const { payer, buyer_id, vat, charges, total, credit, pay_now } = payment
    const vat_note = priceNote(vat, app.config.company)
    const balance = await balanceOf(app, tx, buyer_id)
    const net = charges.reduce((sum, charge) => sum + charge.sum.net, 0n)
    shownPayments.push({
      payer: payer ? names.of(buyer_id).name : null,
      net: money(net),
      vat: money(total - net),
      vat_rate: percentOf(vat.rate_bp),
      ...(vat_note && { vat_note }),
      charge: money(total),
      credit: money(credit),
      pay_now: money(pay_now),
      balance_after: payer ? null : money(balance - pay_now),
      refusal: await refusalOf(tx, payment, balance),
    })
  }
  return {
    as_of: as_of.toISOString(),
    valid_until: new Date(as_of.getTime() + PREVIEW_VALID_S * 1000).toISOString(),
    servers: servers.flatMap((server) => {
      const shown = shownServer(app, server, planned)
      return shown ? [shown] : []
    }),
    payments: shownPayments,
    expected_total: money(expected_total),
    refused: refused.map(({ host, place, name, isNew, code }) => ({
      host_id: isNew ? null : host.public_id,
      place,
      name,
      code,
    })),
    ...(withdrawal_url === undefined ? {} : { withdrawal_url }),
  }
}

async function refusalOf(
  tx: Tx,
  { payer, pay_now, of_month }: Payment,
  balance: bigint,
): Promise<BulkPreview['payments'][number]['refusal']> {
  try {
    if (payer) await assertPayerPays(tx, payer, of_month)
  } catch (error) {
    const code = error instanceof HttpError ? error.errors[0]?.code : undefined
    if (code === 'insufficient_balance' || code === 'payment_limit_reached') return code
    throw error
  }
  return pay_now > 0n && balance < pay_now ? 'insufficient_balance' : null
}

/** The line of a server in the preview, with everything that is sold for the server; undefined if the server is refused. */
function shownServer(
  app: App,
  { host, place, name, isNew }: BulkPlan['servers'][number],
  { payments, upgrades, renewals }: BulkPlan,
): Shown | undefined {
  const money = (amount: bigint) => toMoney(amount, app.config.currency)
  const base = { host_id: isNew ? null : host.public_id, place, name }
  const renewal = renewals.get(host.id)
  if (renewal) {
    const ends_at = (host.paid_until ?? host.now).toISOString()
    const price = money(renewal.total)
    return {
      ...base,
      plan: renewal.plan.name,
      starts_at: ends_at,
      ends_at,
      credit: money(0n),
      price,
      payment: null,
    }
  }
  const payment = payments.findIndex(({ charges }) =>
    charges.some(({ licences }) => licences.some((licence) => licence.host.id === host.id)),
  )
  const lines = (payments[payment]?.charges ?? []).flatMap(({ licences, each }) =>
    licences.flatMap((licence, line) =>
      licence.host.id === host.id ? [{ licence, total: must(each[line]).total }] : [],
    ),
  )
  const [first, last] = [lines[0]?.licence, lines.at(-1)?.licence]
  if (!first || !last) return undefined
  return {
    ...base,
    plan: first.plan.name,
    starts_at: first.period.starts_at.toISOString(),
    ends_at: last.period.ends_at.toISOString(),
    credit: money(upgrades.get(host.id)?.credit ?? 0n),
    price: money(lines.reduce((sum, { total }) => sum + total, 0n)),
    payment,
  }
}
