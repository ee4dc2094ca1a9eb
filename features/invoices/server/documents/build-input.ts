import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { App } from '#foundation/server/app.ts'
import type { Invoice } from '#features/invoices/contract.ts'
import type { InvoiceRow } from '#features/invoices/server/queries.ts'
import { dayIn } from '#features/invoices/rules.ts'
import type { Logo, DocumentInput } from './document-input.ts'

/** The input of an invoice's documents: the invoice as it was issued, and the operator's current logo and colours. */
export async function buildInput(app: App, row: InvoiceRow, invoice: Invoice): Promise<DocumentInput> {
  const { operator, timeZone } = app.config
  return {
    // Credit notes and a reissue may come later, but the documents show the invoice as it was on the day of issue.
    invoice: { ...invoice, status: 'paid', credit_notes: [], replaced_by: null },
    locale: row.locale,
    issued_on: dayIn(row.issued_at, timeZone),
    preceding_issued_on: precedingDay(row, timeZone),
    vat_country: row.vat_country,
    operator: {
      name: operator.name,
      color: operator.accentColor ?? '#1f2430',
      logo: operator.logoFile === undefined ? undefined : await logoFrom(operator.logoFile),
    },
  }
}

/** Returns the day of the invoice that this document credits or replaces; null if it does neither. */
function precedingDay(
  { original_issued_at, replaced_issued_at }: InvoiceRow,
  timeZone: string,
): string | null {
  const at = original_issued_at ?? replaced_issued_at
  return at && dayIn(at, timeZone)
}

/** Returns undefined for a WebP file, which a PDF cannot hold: then the operator's name is printed, as without a logo. */
async function logoFrom(file: string): Promise<Logo | undefined> {
  const ending = path.extname(file).toLowerCase()
  if (ending === '.svg') return { kind: 'svg', text: await readFile(file, 'utf8') }
  return ending === '.png' ? { kind: 'png', bytes: await readFile(file) } : undefined
}
