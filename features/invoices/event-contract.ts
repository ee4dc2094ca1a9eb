import { seeMoney } from '#foundation/capability.ts'
import { published } from '#foundation/published.ts'
import { invoice } from './contract.ts'

/** Account events of documents. */

export const invoiceIssued = published('invoice.issued', {
  summary: 'An invoice was issued. Its files are ready a moment later.',
  data: invoice,
  opens: seeMoney,
})
export const creditNoteIssued = published('credit_note.issued', {
  summary: 'A credit note was issued, for a refund or because a new invoice replaces the old one.',
  data: invoice,
  opens: seeMoney,
})
