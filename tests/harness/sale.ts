import { charge, giftPart, linkInvoice } from '#features/finance/server/finance.ts'
import { loweredBy, prepareInvoice, totalsOf, vatFor } from '#features/invoices/server/invoices.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'

type Vat = Awaited<ReturnType<typeof vatFor>>

/** Makes a sale as an order does, without a server: the charge with its VAT (by default that of the customer), and the invoice. */
export const sell = (app: App, sale: { user_id: string; nets: readonly bigint[]; vat?: Vat }) =>
  transaction(app, 'system', async (tx) => {
    const { user_id, nets, vat = await vatFor(app, tx, user_id) } = sale
    const description = { code: 'licence_order', params: { host: 'otter', plan: 'Standard' } } as const
    const amounts = totalsOf(nets, vat.rate_bp)
    const gift = await giftPart(app, tx, { user_id, amount: amounts.total })
    const { money } = loweredBy(amounts, gift, vat.rate_bp)
    const { transaction_id } = await charge(app, tx, {
      user_id,
      amount: amounts.total,
      gift,
      vat: { country: vat.country, amount: money.vat },
      type: 'spend',
      description,
    })
    const lines = nets.map((net) => ({ description, quantity: 1n, net }))
    const { public_id } = await prepareInvoice(app, tx, { user_id, transaction_id, lines, vat, gift })
    await linkInvoice(tx, { user_id, transaction_id, invoice_id: public_id })
    return { transaction_id, public_id, ...amounts }
  })
