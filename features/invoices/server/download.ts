import type { App } from '#foundation/server/app.ts'
import { lockByName, transaction } from '#foundation/server/database/transaction.ts'
import { setDownloadHeaders } from '#foundation/server/http/download-headers.ts'
import { notFound, HttpError } from '#foundation/server/http/http-error.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import * as contract from '#features/invoices/contract.ts'
import { formatsOf, type Format } from '#features/invoices/rules.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { NotFound } from '#foundation/server/operator-errors.ts'
import { documentOf, keepDocuments, versionsOf } from './document-queries.ts'
import { buildInput } from './documents/build-input.ts'
import { renderInWorker } from './documents/worker.ts'
import * as queries from './queries.ts'
import { invoiceFrom } from './read.ts'

export const pdf = handler(contract.getPdf, (call) => download(call, 'pdf'))
export const xrechnung = handler(contract.getXrechnung, (call) => download(call, 'xrechnung'))

type Download = Call<typeof contract.getPdf> | Call<typeof contract.getXrechnung>

async function download({ app, actor, params, query, reply }: Download, format: Format): Promise<null> {
  const owner = { user_id: actor.user_id, public_id: params.publicId }
  const version = query.version === undefined ? undefined : Number(query.version)
  return sendDocument(app, reply, owner, { format, version })
}

/** Sends a document of this customer as a file. Throws as `findDocument` does. */
export async function sendDocument(
  app: App,
  reply: Download['reply'],
  owner: { user_id: string; public_id: string },
  wanted: { format: Format; version?: number | undefined },
): Promise<null> {
  const { format } = wanted
  const { content, number } = await findDocument(app, owner, wanted)
  const { type, ending } = files[format]
  void setDownloadHeaders(reply)
    .header('content-type', type)
    // The number needs no escaping: this product made it of letters, digits and hyphens.
    .header('content-disposition', `attachment; filename="${number}${ending}"`)
    .send(content)
  return null
}

/**
 * Returns a document of an invoice, made now if it does not exist yet. Throws 404 if the invoice is not this
 * customer's or has no such version, 409 `xrechnung_incomplete` if details that XRechnung requires are missing.
 */
export async function findDocument(
  app: App,
  { user_id, public_id }: { user_id: string; public_id: string },
  { format, version }: { format: Format; version?: number | undefined },
): Promise<{ content: Buffer; number: string }> {
  const row = await queries.invoiceOf(app.db, user_id, public_id)
  if (!row) throw notFound()
  const { number } = row
  if (!formatsOf({ from: row.seller, to: row.buyer }).includes(format))
    throw new HttpError(409, [{ code: 'xrechnung_incomplete' }])
  const content = await documentOf(app.db, row.id, { format, version })
  if (content) return { content, number }
  if ((version ?? 1) !== 1) throw notFound()
  const made = await make(app, row)
  const now = made[format]
  if (!now) throw notFound()
  return { content: now, number }
}

export const files = {
  pdf: { type: 'application/pdf', ending: '.pdf' },
  xrechnung: { type: 'application/xml; charset=utf-8', ending: '-xrechnung.xml' },
} as const

/** Makes the documents of an invoice, and of the credit note in the same mail, unless they exist. The job after each issue calls it. */
export async function prepareDocuments(app: App, user_id: string, public_id: string): Promise<void> {
  const row = await queries.invoiceOf(app.db, user_id, public_id)
  const beside = row && (await queries.creditNoteBeside(app.db, row))
  for (const document of [beside, row])
    if (document && !(await documentOf(app.db, document.id, { format: 'pdf' }))) await make(app, document)
}

/** Makes the documents. If several requests make the same ones at once, all get the bytes that were stored first. */
async function make(app: App, row: queries.InvoiceRow): Promise<Partial<Record<Format, Buffer>>> {
  const { id: invoice_id, user_id } = row
  const made = await renderInWorker(buildInput(app, row, await invoiceFrom(app, app.db, row)))
  // The documents of a deleted account are made, too.
  return transaction(app, 'system', async (tx) => {
    await keepDocuments(tx, { invoice_id, user_id, version: 1 }, made)
    const pdf = await documentOf(tx, invoice_id, { format: 'pdf', version: 1 })
    const xrechnung = await documentOf(tx, invoice_id, { format: 'xrechnung', version: 1 })
    if (!pdf) throw new Error('documents were kept, but are not there')
    return { pdf, ...(xrechnung ? { xrechnung } : {}) }
  })
}

/**
 * Draws an issued invoice again with the current program: number, parties and amounts stay, and so do earlier
 * versions. Returns the number of the new version. Throws NotFound for an unknown number and after the retention period.
 */
export async function redraw(app: App, number: string): Promise<number> {
  const row = await queries.invoiceByNumber(app.db, number)
  if (!row) throw new NotFound(`There is no invoice ${number}, or the law has let it go.`)
  const { id: invoice_id, user_id } = row
  await prepareDocuments(app, user_id, row.public_id)
  const made = await renderInWorker(buildInput(app, row, await invoiceFrom(app, app.db, row)))
  return transaction(app, 'system', async (tx) => {
    // Two redraws of the same invoice must not both write the same version.
    await lockByName(tx, `redraw:${invoice_id}`)
    const version = ((await versionsOf(tx, invoice_id)).at(-1)?.version ?? 0) + 1
    await keepDocuments(tx, { invoice_id, user_id, version }, made)
    await recordAction(tx, {
      user_id,
      act: 'invoice.redrawn',
      detail: { by: 'command line', number, version },
    })
    return version
  })
}
