import type { Invoice as Structured } from '@e-invoice-eu/core'

type Fields = { [name: string]: unknown }

/**
 * What the library wants other than its own schema says, as of 2.3. In CII it reads the reference to the invoice that is
 * credited one level higher. And what somebody typed is decoded once and never encoded again where it looks like an
 * entity, so that `&nbsp;` in a name would make the document no XML. The tests see both in what comes out.
 */
export function forLibrary(invoice: Structured, format: 'CII' | 'XRECHNUNG-UBL'): Structured {
  const safe = escaped(invoice) as { 'ubl:Invoice': Fields }
  if (format === 'CII') {
    const root = safe['ubl:Invoice']
    const references = root['cac:BillingReference'] as Fields[] | undefined
    if (references)
      root['cac:BillingReference'] = references.map((one) => {
        // The date would come out in a namespace that the XML schema does not know there; it is optional (BT-26).
        const { 'cbc:IssueDate': _, ...number } = one['cac:InvoiceDocumentReference'] as Fields
        return number
      })
  }
  return safe as unknown as Structured
}

// All that XML 1.0 has no way to write.
// oxlint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(unwritable, '').replaceAll('&', '&amp;amp;')
  if (Array.isArray(value)) return value.map(escaped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, escaped(inner)]))
}
