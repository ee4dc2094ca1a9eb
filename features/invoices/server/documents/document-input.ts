import type { Locale } from '#foundation/locale.ts'
import type { Invoice } from '#features/invoices/contract.ts'
import type { Statement } from '#features/invoices/statement-contract.ts'

/** The data that documents are made of. It is plain data, because it is copied into the worker thread. */
export type DocumentInput = {
  invoice: Invoice
  locale: Locale
  /** The days of issue of this document, and of the invoice that it credits or replaces: in the seller's time zone, as `2026-11-21`. */
  issued_on: string
  preceding_issued_on: string | null
  /** The country whose VAT rule applied; it stands for the buyer's country if that is not known. */
  vat_country: string
  operator: { name: string; color: string; logo: Logo | undefined }
}

/** The data of the statement of a month; `holder` is the customer's name. */
export type StatementInput = {
  statement: Statement
  holder: string
  locale: Locale
  operator: DocumentInput['operator']
  signed?: SignedPart
}

/** The signed file that a statement carries, its fingerprint, and the page that checks it; `issued_at` makes the PDF the same each time. */
export type SignedPart = { file: string; hash: string; check_url: string; issued_at: string }

export type Logo = { kind: 'png'; bytes: Uint8Array } | { kind: 'svg'; text: string }

/** The bytes of the documents; `xrechnung` is made only if it is among the invoice's `formats`. */
export type Documents = { pdf: Uint8Array; xrechnung?: Uint8Array }
