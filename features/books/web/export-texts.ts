import type { ExportKind } from '#features/books/rules.ts'
import { m } from '#texts/messages.js'

type Text = () => string

export const exportTexts: Readonly<Record<ExportKind, { name: Text; about: Text }>> = {
  datev: { name: m.books_export_datev, about: m.books_export_datev_text },
  vat: { name: m.books_export_vat, about: m.books_export_vat_text },
  invoices: { name: m.books_export_invoices, about: m.books_export_invoices_text },
  transactions: { name: m.books_export_transactions, about: m.books_export_transactions_text },
  documents: { name: m.books_export_documents, about: m.books_export_documents_text },
  audit: { name: m.books_export_audit, about: m.books_export_audit_text },
}
