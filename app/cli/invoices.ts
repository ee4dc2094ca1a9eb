import { listAllInvoices } from '#features/books/contract.ts'
import { exportByCommand, pageOfAllInvoices } from '#features/books/server/books.ts'
import { redraw } from '#features/invoices/server/invoices.ts'
import { calendarDay } from '#foundation/fields.ts'
import { decimalText } from '#foundation/money.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { inNewFile } from './new-file.ts'
import type { Options } from './options.ts'
import { linesOf, MOST, rowsOf } from './pages.ts'
import { withApp } from './with-app.ts'

/** `invoice list`, with the same filters as the call of staff. Throws WrongUse for a value that this call would refuse. */
export const listInvoicesBy = (surroundings: CommandEnvironment, options: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const { find: q, vat: vat_kind, kind, from, to, country } = options
    const read = listAllInvoices.query.safeParse({
      limit: String(MOST),
      q,
      kind,
      from,
      to,
      country,
      vat_kind,
    })
    if (!read.success) {
      const [wrong] = read.error.issues[0]?.path ?? []
      throw new WrongUse(`--${OPTIONS[String(wrong)] ?? String(wrong)} has a value that is not possible.`)
    }
    const { rows, has_more } = await rowsOf(options, (cursor: string | undefined) =>
      pageOfAllInvoices(app, { ...read.data, cursor }),
    ).catch((error: unknown) => {
      if (error instanceof HttpError) throw new WrongUse('--to lies before --from.')
      throw error
    })
    const invoices = rows.map(({ net, vat, total, ...invoice }) => ({
      ...invoice,
      net: decimalText(net),
      vat: decimalText(vat),
      total: decimalText(total),
      currency: total.currency,
    }))
    const lines = invoices.map(
      ({ number, kind: document, issued_on, buyer, country: due, vat_rate, total, currency }) =>
        `${number}  ${issued_on}  ${document === 'credit_note' ? '-' : ''}${total} ${currency}  ${due} ${vat_rate} %  ${buyer}`,
    )
    return { lines: linesOf(lines, 'No invoice fits.', has_more), data: { invoices, has_more } }
  })

const OPTIONS: Readonly<Record<string, string>> = { q: 'find', vat_kind: 'vat' }

/** `invoice redraw NUMBER`: draws the documents anew, as the present release draws them, where a validator found fault with them. Throws NotFound for an unknown number. */
export const redrawInvoice = (surroundings: CommandEnvironment, number: string) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const version = await redraw(app, number.trim())
    const line = `${number} has version ${version} of its documents now; those before are kept.`
    return { lines: [line], data: { number, version } }
  })

const FORMATS = { csv: 'invoices', zip: 'documents', datev: 'datev', vat: 'vat' } as const

/** `invoice export FILE`. Exit code 1 if the file (DATEV or VAT) differs from the ledger. Throws WrongUse, and Refused without DATEV. */
export const exportInvoicesBy = (surroundings: CommandEnvironment, file: string, options: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const [from, to] = (['from', 'to'] as const).map((name) => {
      const read = calendarDay.safeParse(options[name])
      if (!read.success) throw new WrongUse(`Say --${name} as a day, like 2026-01-31.`)
      return read.data
    })
    const kind = Object.entries(FORMATS).find(([format]) => format === (options['format'] ?? 'csv'))?.[1]
    if (!kind) throw new WrongUse(`--format is one of ${Object.keys(FORMATS).join(', ')}.`)
    const made = await inNewFile(file, (opened) =>
      exportByCommand(app, { kind, from: from ?? '', to: to ?? '' }, opened),
    )
    const { rows, bytes, agrees } = made
    const sha256 = made.sha256.toString('hex')
    const lines = [
      `Wrote ${rows} rows, ${bytes} bytes to ${file}.`,
      ...(agrees === false ? ['It differs from the ledger: do not use it.'] : []),
    ]
    return { lines, data: { file, kind, from, to, rows, bytes, sha256, agrees }, failed: agrees === false }
  })
