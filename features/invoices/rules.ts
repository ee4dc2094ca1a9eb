/** What a line of an invoice can be for; each has its text `invoices_line_CODE`. */
export const lineCodes = ['licence_order', 'licence_renewal', 'partial_refund', 'text'] as const

/** What can be noted below the lines; each has its text `invoices_note_CODE`. */
export const noteCodes = [
  'reverse_charge',
  'outside_eu',
  'paid',
  'given_back',
  'credit_note_of',
  'text',
] as const

export const invoiceKinds = ['invoice', 'credit_note'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]

/**
 * By which rule VAT was asked for:
 * - `standard`: the seller's country, at its rate
 * - `oss`: a consumer elsewhere in the EU, at the rate there (one-stop shop)
 * - `reverse_charge`: a business elsewhere in the EU, which owes the VAT itself
 * - `outside_eu`: not taxable here
 */
export const vatKinds = ['standard', 'oss', 'reverse_charge', 'outside_eu'] as const
export type VatKind = (typeof vatKinds)[number]

/** A rate in basis points as percent: 1900n is '19', 2550n is '25.5'. */
export function percentOf(rate_bp: bigint): string {
  const hundredths = (rate_bp % 100n).toString().padStart(2, '0').replace(/0+$/, '')
  return `${rate_bp / 100n}${hundredths === '' ? '' : `.${hundredths}`}`
}
