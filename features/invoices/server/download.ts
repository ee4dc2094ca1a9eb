import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { makeHarmless } from '#foundation/server/http/harmless.ts'
import { notFound } from '#foundation/server/http/problem.ts'
import type { Call } from '#foundation/server/http/serve.ts'
import type * as contract from '#features/invoices/contract.ts'
import { documentOf, keepDocuments, type Format } from './document-queries.ts'
import { paperOf } from './documents/paper-of.ts'
import { makeApart } from './documents/worker.ts'
import * as queries from './queries.ts'
import { invoiceFrom } from './read.ts'

export const pdf = (call: Call<typeof contract.getPdf>) => download(call, 'pdf')
export const xrechnung = (call: Call<typeof contract.getXrechnung>) => download(call, 'xrechnung')

type Download = Call<typeof contract.getPdf> | Call<typeof contract.getXrechnung>

async function download({ app, actor, params, reply }: Download, format: Format): Promise<null> {
  const owner = { user_id: actor.user_id, public_id: params.publicId }
  const { content, number } = await findDocument(app, owner, format)
  const { type, ending } = files[format]
  void makeHarmless(reply)
    .header('content-type', type)
    // The number is ours: letters, digits and hyphens.
    .header('content-disposition', `attachment; filename="${number}${ending}"`)
    .send(content)
  return null
}

/** A document of an invoice, made now if nobody made it yet; 404 where it is not this customer's. */
export async function findDocument(
  app: App,
  { user_id, public_id }: { user_id: string; public_id: string },
  format: Format,
): Promise<{ content: Buffer; number: string }> {
  const row = await queries.invoiceOf(app.db, user_id, public_id)
  if (!row) throw notFound()
  const content = (await documentOf(app.db, row.id, format)) ?? (await make(app, row))[format]
  return { content, number: row.number }
}

const files = {
  pdf: { type: 'application/pdf', ending: '.pdf' },
  xrechnung: { type: 'application/xml; charset=utf-8', ending: '-xrechnung.xml' },
} as const

/** Makes the documents of an invoice unless they are there. For the job that runs after each issue. */
export async function prepareDocuments(app: App, user_id: string, public_id: string): Promise<void> {
  const row = await queries.invoiceOf(app.db, user_id, public_id)
  if (row && !(await documentOf(app.db, row.id, 'xrechnung'))) await make(app, row)
}

/** Of several who make the same documents at once all get the bytes of the one who was kept first. */
async function make(app: App, row: queries.InvoiceRow): Promise<Record<Format, Buffer>> {
  const { id: invoice_id, user_id } = row
  const made = await makeApart(await paperOf(app, row, await invoiceFrom(app.db, row)))
  return transaction(app, { userId: user_id }, async (tx) => {
    await keepDocuments(tx, { invoice_id, user_id }, made)
    const [pdf, xrechnung] = [
      await documentOf(tx, invoice_id, 'pdf'),
      await documentOf(tx, invoice_id, 'xrechnung'),
    ]
    if (!pdf || !xrechnung) throw new Error('documents were kept, but are not there')
    return { pdf, xrechnung }
  })
}
