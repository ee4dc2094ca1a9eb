import * as contract from '#features/invoices/contract.ts'
import { must } from '#foundation/must.ts'
import type { InputOf } from '#foundation/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import * as queries from './queries.ts'
import { previewOf, reissueInvoice } from './reissue.ts'

type Body = InputOf<typeof contract.reissueInvoice>['body']
type Buyer = Exclude<Body['buyer'], 'profile'>

/** Returns the invoice with this number, and the buyer as printed on the invoice. Throws 404, also for a credit note. */
export async function findByNumber(app: App, number: string) {
  const row = await queries.invoiceByNumber(app.db, number)
  if (row?.kind !== 'invoice') throw notFound()
  const { name, company, street, apartment, zip, city, state, country, vat_id } = row.buyer
  const buyer: Buyer = { name, company, street, apartment, zip, city, state, country, vat_id }
  return { row, buyer }
}

type Found = Awaited<ReturnType<typeof findByNumber>>

/** Returns the preview of `hostdesk invoice reissue`; writes nothing. */
export function previewByCommand(app: App, { row }: Found, { buyer, vat }: Pick<Body, 'buyer' | 'vat'>) {
  const place =
    buyer === 'profile'
      ? {}
      : { country: buyer.country, zip: buyer.zip, city: buyer.city, vat_id: buyer.vat_id }
  return previewOf(app, row, { vat, ...place })
}

/** Runs `hostdesk invoice reissue` for a previewed invoice. The audit names the command line as the actor. */
export function reissueByCommand(app: App, { row }: Found, body: Body) {
  const { user_id, transaction_id, public_id } = row
  const parsed = must(contract.reissueInvoice.body.safeParse(body).data)
  return transaction(app, 'system', (tx) =>
    reissueInvoice(app, tx, { user_id, transaction_id, public_id }, parsed, { by: 'command line' }),
  )
}
