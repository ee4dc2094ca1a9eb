import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/invoices/contract.ts'
import { dayIn, formatsOf, percentOf, serviceDays } from '#features/invoices/rules.ts'
import { explain } from './explain.ts'
import { versionsOf, type Version } from './document-queries.ts'
import * as queries from './queries.ts'
import { summariesOf } from './summary-queries.ts'

export const list = handler(contract.listInvoices, async ({ app, actor, query }) => {
  return { status: 200, body: await pageOfInvoices(app, app.db, actor.user_id, query) }
})

/** Returns a page of a customer's invoices, newest first. `db` may be a transaction. */
export async function pageOfInvoices(
  app: App,
  db: App['db'],
  user_id: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const before = placeIn(cursor, [placeKinds.number])?.[0]
  const rows = await summariesOf(db, user_id, { limit: limit + 1, before })
  return pageFrom(
    rows,
    limit,
    ({ id }) => [id.toString()],
    (row) => ({ ...summaryReply(row, app.config.timeZone), ...(row.is_merged ? { is_merged: true } : {}) }),
  )
}

export const get = handler(contract.getInvoice, async ({ app, actor, params: { publicId } }) => {
  const invoice = await findInvoice(app, app.db, actor.user_id, publicId)
  if (!invoice) throw notFound()
  return { status: 200, body: invoice }
})

/** Returns an invoice in the form of the contract; undefined if this customer has none with this id. */
export async function findInvoice(
  app: Pick<App, 'config'>,
  db: App['db'],
  user_id: string,
  public_id: string,
): Promise<contract.Invoice | undefined> {
  const row = await queries.invoiceOf(db, user_id, public_id)
  if (!row) return undefined
  return invoiceFrom(app, db, row)
}

export async function invoiceFrom(
  { config }: Pick<App, 'config'>,
  db: App['db'],
  row: queries.InvoiceRow,
): Promise<contract.Invoice> {
  const lines = await queries.linesOf(db, row.id)
  const credits = await queries.creditNotesOf(db, row.id)
  const versions = await versionsOf(db, row.id)
  const invoice = invoiceReply(row, lines, { credits, versions, timeZone: config.timeZone })
  return { ...invoice, explained: explain(row, lines, invoice.vat_rate) }
}

/** The invoice of a credit note; `cancels` if all of it is credited. */
export type Credited = Pick<queries.InvoiceRow, 'public_id' | 'number' | 'issued_at'> & { cancels: boolean }

/** Returns a newly issued document in the form of the contract, made of the values that were written, without another query. */
export function issuedReply(
  { config }: Pick<App, 'config'>,
  issued: queries.IssuedInvoice,
  credited?: Credited,
): contract.Invoice {
  const row = {
    ...issued,
    status: 'paid' as const,
    cancels: credited?.cancels ?? false,
    original_id: credited?.public_id ?? null,
    original_number: credited?.number ?? null,
    original_issued_at: credited?.issued_at ?? null,
    replaced_id: null,
    replaced_number: null,
    replaced_issued_at: null,
    successor_id: null,
    successor_number: null,
  }
  return invoiceReply(row, issued.lines, { credits: [], versions: [], timeZone: config.timeZone })
}

function invoiceReply(
  row: queries.InvoiceRow,
  lines: readonly queries.Line[],
  {
    credits,
    versions,
    timeZone,
  }: { credits: readonly queries.CreditRow[]; versions: readonly Version[]; timeZone: string },
): contract.Invoice {
  const vat_rate = percentOf(row.vat_rate_bp)
  return {
    ...summaryReply(row, timeZone),
    from: row.seller,
    to: row.buyer,
    lines: lines.map((line) => lineReply(line, { vat_rate, currency: row.currency, timeZone })),
    allowance: toMoney(row.allowance, row.currency),
    gift: toMoney(row.gift, row.currency),
    vat_kind: row.vat_kind,
    vat_rate,
    buyer_reference: row.buyer_reference,
    order_reference: row.order_reference,
    notes: [...row.notes],
    formats: formatsOf({ from: row.seller, to: row.buyer }),
    document_versions: versions.map(({ version, made_at }) => ({ version, made_at: made_at.toISOString() })),
    credit_note_of: referenceOf(row.original_id, row.original_number),
    replaces: referenceOf(row.replaced_id, row.replaced_number),
    replaced_by: referenceOf(row.successor_id, row.successor_number),
    credit_notes: credits.map(({ public_id, number, total }) => ({
      id: public_id,
      number,
      total: toMoney(total, row.currency),
    })),
    host_id: row.host_id,
  }
}

const referenceOf = (id: string | null, number: string | null) =>
  id !== null && number !== null ? { id, number } : null

/** A document as lists show it. */
export function summaryReply(row: queries.SummaryRow, timeZone: string): contract.InvoiceSummary {
  const issued_at = row.issued_at.toISOString()
  return {
    id: row.public_id,
    number: row.number,
    kind: row.kind,
    cancels: row.cancels,
    status: row.status,
    issued_at,
    issued_on: dayIn(row.issued_at, timeZone),
    // The total is taken from the balance when the invoice is issued: an invoice is never overdue.
    due_at: issued_at,
    net: toMoney(row.net, row.currency),
    vat: toMoney(row.vat, row.currency),
    total: toMoney(row.total, row.currency),
  }
}

const lineReply = (
  line: queries.Line,
  { vat_rate, currency, timeZone }: { vat_rate: string; currency: string; timeZone: string },
) => ({
  description: line.description,
  quantity: line.quantity.toString(),
  cost: toMoney(line.cost, currency),
  price: toMoney(line.price, currency),
  ...(line.reduction && {
    allowance: { amount: toMoney(line.allowance, currency), reduction: line.reduction },
  }),
  vat_rate,
  period: line.starts_at && line.ends_at ? periodReply(line.starts_at, line.ends_at, timeZone) : null,
})

const periodReply = (starts_at: Date, ends_at: Date, timeZone: string) => ({
  starts_at: starts_at.toISOString(),
  ends_at: ends_at.toISOString(),
  ...serviceDays({ starts_at, ends_at }, timeZone),
})
