import * as z from 'zod/mini'
import { transactionTypes } from '#features/finance/rules.ts'
import { invoiceSummary } from '#features/invoices/contract.ts'
import { invoiceKinds, vatKinds } from '#features/invoices/rules.ts'
import { money } from '#foundation/money.ts'
import { count, named, time, uuidText } from '#foundation/printed.ts'

/** The shapes in the replies of the calls of this feature. */

export const vatSum = z.strictObject({
  vat_kind: z.enum(vatKinds),
  /** The country in which the VAT is due; the customer's country if no VAT is due. */
  country: z.string(),
  /** Percent, as '19' or '25.5'. */
  vat_rate: z.string(),
  /** The VAT id of the buyer, with reverse charge; empty otherwise. */
  vat_id: z.string(),
  /** The quarter of the corrected invoices, if these documents are corrections; null otherwise. */
  corrected_quarter: z.nullable(z.string()),
  documents: count(),
  net: money,
  vat: money,
})
named('VatSum', vatSum)

export const listedInvoice = z.strictObject({
  ...invoiceSummary.shape,
  customer_id: uuidText(),
  /** The company, or else the person, as the document names them. */
  buyer: z.string(),
  vat_kind: z.enum(vatKinds),
  country: z.string(),
  vat_rate: z.string(),
})
named('ListedInvoice', listedInvoice)

export const chained = z.strictObject({
  id: z.string(),
  number: z.string(),
  kind: z.enum(invoiceKinds),
  /** True for a credit note over the whole of its invoice. */
  cancels: z.boolean(),
  issued_at: time(),
  total: money,
  /** The payment or refund that belongs to the document; null if no money moved. */
  transaction: z.nullable(
    z.strictObject({ id: uuidText(), type: z.enum(transactionTypes), amount: money, created_at: time() }),
  ),
})
named('ChainedInvoice', chained)
