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

/** The invoice that the operator names by its number, with the buyer as it is printed there. Throws 404, for a credit note as well. */
export async function findByNumber(app: App, number: string) {
  const row = await queries.invoiceByNumber(app.db, number)
  if (row?.kind !== 'invoice') throw notFound()
  const { name, company, street, apartment, zip, city, state, country, vat_id } = row.buyer
  const buyer: Buyer = { name, company, street, apartment, zip, city, state, country, vat_id }
  return { row, buyer }
}

type Found = Awaited<ReturnType<typeof findByNumber>>

/** The preview of `hostdesk invoice reissue`; nothing is written. */
export function previewByCommand(app: App, { row }: Found, { buyer, vat }: Pick<Body, 'buyer' | 'vat'>) {
  const place = buyer === 'profile' ? {} : { country: buyer.country, vat_id: buyer.vat_id }
  return previewOf(app, row, { vat, ...place })
}

/** `hostdesk invoice reissue`, for what was previewed. The audit says that it was the command line. */
export function reissueByCommand(app: App, { row }: Found, body: Body) {
  const { user_id, transaction_id, public_id } = row
  const parsed = must(contract.reissueInvoice.body.safeParse(body).data)
  return transaction(app, 'system', (tx) =>
    reissueInvoice(app, tx, { user_id, transaction_id, public_id }, parsed, { by: 'command line' }),
  )
}
