import * as z from 'zod/mini'
import { transaction } from '#features/finance/contract.ts'
import { transactionTypes } from '#features/finance/rules.ts'
import { invoiceSummary } from '#features/invoices/contract.ts'
import { invoiceKinds, vatKinds } from '#features/invoices/rules.ts'
import { money } from '#foundation/money.ts'
import { bigCount, count, day, named, time, uuidText } from '#foundation/printed.ts'
import { exportFailures, exportKinds, exportStates } from './rules.ts'

/** The shapes in the replies of the calls of this feature. */

const vatSum = z.strictObject({
  vat_kind: z.enum(vatKinds),
  /** The country in which the VAT is due; the customer's country if no VAT is due. */
  country: z.string(),
  /** Percent, as '19' or '25.5'. */
  vat_rate: z.string(),
  /** The VAT ID of the buyer, with reverse charge; empty otherwise. */
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
  /** The date of the document: the day in the time zone of the company. */
  issued_on: day(),
  total: money,
  /** The payment or refund that belongs to the document; null if no money moved. */
  transaction: z.nullable(
    z.strictObject({ id: uuidText(), type: z.enum(transactionTypes), amount: money, created_at: time() }),
  ),
})
named('ChainedInvoice', chained)

export const listedTransaction = z.strictObject({
  ...transaction.shape,
  /** The reference of an announced bank transfer; null otherwise. */
  reference: z.nullable(z.string()),
  /** The name is empty where the account was deleted. */
  customer: z.strictObject({ id: uuidText(), name: z.string() }),
})
named('ListedTransaction', listedTransaction)

export const bookExport = z.strictObject({
  id: uuidText(),
  kind: z.enum(exportKinds),
  from: day(),
  /** The last day. */
  to: day(),
  state: z.enum(exportStates),
  /** The member of staff who asked for the file; null if the database no longer has their account. */
  made_by: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
  created_at: time(),
  /** The time at which the file is removed; this record of the file stays. */
  expires_at: z.nullable(time()),
  name: z.nullable(z.string()),
  /** The number of postings, documents, transactions or lines in the file. */
  rows: z.nullable(bigCount()),
  bytes: z.nullable(bigCount()),
  /** SHA-256 of the file, in hex. */
  sha256: z.nullable(z.string()),
  /** True if the sums of the file equal the ledger's; null if they are not compared. */
  agrees: z.nullable(z.boolean()),
  failure: z.nullable(z.enum(exportFailures)),
})
named('BookExport', bookExport)

/** A customer's balance; the name is empty where the account was deleted. */
export const balanceOfCustomer = z.strictObject({
  customer: z.strictObject({ id: uuidText(), name: z.string() }),
  balance: money,
  /** The part that vouchers and credit gave. The rest is money. */
  gift: money,
})
named('BalanceOfCustomer', balanceOfCustomer)

/** The debt of a customer, above zero; `since` is null where nobody wrote down when it began. */
export const debtOfCustomer = z.strictObject({
  customer: z.strictObject({ id: uuidText(), name: z.string() }),
  debt: money,
  since: z.nullable(time()),
  days: z.nullable(count()),
})
named('DebtOfCustomer', debtOfCustomer)
export type DebtOfCustomer = z.infer<typeof debtOfCustomer>

export const deferredOfMonth = z.strictObject({
  month: z.string(),
  documents: count(),
  deferred: money,
})

export const vatOfQuarter = z.strictObject({
  quarter: z.string(),
  first_day: z.string(),
  last_day: z.string(),
  /** False while documents may still be added. */
  is_over: z.boolean(),
  sales: z.array(vatSum),
  corrections: z.array(vatSum),
  /** The VAT of all documents of the quarter. */
  vat: money,
  /** The VAT of these documents in the ledger's accounts. If it is not equal to `vat`, the books are wrong. */
  booked: money,
})

export const revenueOfMonth = z.strictObject({
  month: z.string(),
  vat_kind: z.enum(vatKinds),
  documents: count(),
  net: money,
  vat: money,
})

export const renewalsOfDay = z.strictObject({
  day: day(),
  covered: count(),
  covered_total: money,
  uncovered: count(),
  uncovered_total: money,
})

export const churnOfMonth = z.strictObject({
  month: z.string(),
  running: count(),
  ended: count(),
  /** False while more licences may still count as ended in this month. */
  is_final: z.boolean(),
})
