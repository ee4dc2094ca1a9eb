import type { Locale } from '#foundation/locale.ts'
import type { Invoice } from '#features/invoices/contract.ts'

/** The data that documents are made of: plain, to be copied into the worker thread. */
export type DocumentInput = {
  invoice: Invoice
  locale: Locale
  /** Days in the seller's time zone, `2026-11-21`. */
  issued_on: string
  preceding_issued_on: string | null
  /** The default country for VAT, if the customer's country is not known. */
  vat_country: string
  operator: { name: string; color: string; logo: Logo | undefined }
}

export type Logo = { kind: 'png'; bytes: Uint8Array } | { kind: 'svg'; text: string }

/** XRechnung only if it is among the invoice's `formats`. */
export type Documents = { pdf: Uint8Array; xrechnung?: Uint8Array }
