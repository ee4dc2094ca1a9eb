import type { App } from '#foundation/server/app.ts'
import type { Invoice } from '#features/invoices/contract.ts'
import type { InvoiceRow } from '#features/invoices/server/queries.ts'
import { dayIn } from '#features/invoices/rules.ts'
import type { Logo, DocumentInput } from './document-input.ts'

/** The input of an invoice's documents: the invoice as it was issued, and the operator's current logo and colours. */
export function buildInput(app: App, row: InvoiceRow, invoice: Invoice): DocumentInput {
  const { timeZone } = app.config
  return {
    // Credit notes and a reissue may come later, but the documents show the invoice as it was on the day of issue.
    invoice: { ...invoice, status: 'paid', credit_notes: [], replaced_by: null },
    locale: row.locale,
    issued_on: dayIn(row.issued_at, timeZone),
    preceding_issued_on: precedingDay(row, timeZone),
    vat_country: row.vat_country,
    operator: operatorInput(app),
  }
}

/** The operator's name, colour and logo, as documents show them. */
export function operatorInput({ config: { operator } }: App): DocumentInput['operator'] {
  return {
    name: operator.name,
    color: operator.accentColor ?? '#1f2430',
    logo: logoOf(operator),
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

/** Returns undefined for a WebP picture, which a PDF cannot hold: then the operator's name is printed, as without a logo. */
function logoOf({ logo }: App['config']['operator']): Logo | undefined {
  if (logo?.type === 'image/svg+xml') return { kind: 'svg', text: logo.bytes.toString() }
  return logo?.type === 'image/png' ? { kind: 'png', bytes: logo.bytes } : undefined
}
