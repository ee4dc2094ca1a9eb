import * as z from 'zod/mini'
import { readFinancePermission } from '#features/finance/contract.ts'
import { transactionTypes } from '#features/finance/rules.ts'
import { invoice, readInvoicesPermission } from '#features/invoices/contract.ts'
import { invoiceKinds, vatKinds } from '#features/invoices/rules.ts'
import { readAuditPermission } from '#foundation/audit.ts'
import { liveEvent, route } from '#foundation/contract.ts'
import { calendarDay, moment, opaqueText } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'
import { byTimeOrAmount, pageOf, pageQuery } from '#foundation/paging.ts'
import { count, day, digitsOr, named, time, uuidText } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'
import {
  balanceOfCustomer,
  churnOfMonth,
  debtOfCustomer,
  renewalsOfDay,
  revenueOfMonth,
  vatOfQuarter,
  bookExport,
  chained,
  deferredOfMonth,
  listedInvoice,
  listedTransaction,
} from './shapes.ts'
import { exportKinds } from './rules.ts'

/** All invoices and credit notes, and reports of the sales, for staff. */

export const readPermission = permission('books.read', ['billing', 'admin'])

const exportPermission = permission('books.export', ['billing', 'admin'], { proof: 'recent' })

const quarter = z.string().check(z.regex(/^(?:19|20|21)\d\d-Q[1-4]$/, 'invalid'))

export const getVatOfQuarter = route({
  id: 'getVatOfQuarter',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/books/vat/',
  access: staff(readPermission),
  fromReplica: true,
  summary: 'The VAT of a quarter, by kind, country and rate',
  description:
    'Net and VAT of a quarter’s documents, by kind, country and rate. Credit notes for invoices of earlier quarters are apart.',
  query: z.strictObject({ quarter }),
  replies: {
    200: vatOfQuarter,
  },
})
named('VatOfQuarter', getVatOfQuarter.replies[200])
export type VatOfQuarter = z.infer<(typeof getVatOfQuarter.replies)[200]>

export const downloadVatOfQuarter = route({
  id: 'downloadVatOfQuarter',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/books/vat.csv',
  access: staff(readPermission),
  fromReplica: true,
  summary: 'The VAT of a quarter as CSV',
  description: 'The VAT of a quarter as CSV in the language of the account (text/csv, UTF-8)',
  query: z.strictObject({ quarter }),
  responseType: 'text/csv',
  replies: { 200: null },
})

const month = z.string().check(z.regex(/^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/, 'invalid'))

/** The months from `from` to `to`, both included; 24 at most, and the last 24 if none are named. */
export const months = z.strictObject({ from: z.optional(month), to: z.optional(month) })
export const answered = { first_month: z.string(), last_month: z.string() }

export const getRevenue = route({
  id: 'getRevenue',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/books/revenue/',
  access: staff(readPermission),
  fromReplica: true,
  summary: 'What was sold, by month and kind of VAT',
  description:
    'Invoices less credit notes by month, in the operator’s time zone, and kind of VAT; what has no documents is left out. 24 months at most, and the last 24 if none are named',
  query: months,
  replies: {
    200: z.strictObject({
      ...answered,
      rows: z.array(revenueOfMonth),
    }),
  },
  errors: { 400: ['period_too_long'] },
})
named('Revenue', getRevenue.replies[200])

const owedToCustomers = {
  /** Prepaid and not used: the sum of all balances above zero. */
  owed: money,
  /** The part of all balances that vouchers and credit gave, which is owed to nobody. */
  gifts: money,
  /** The debts of customers, by chargebacks: the sum of all balances below zero. */
  debts: money,
}

export const getLiability = route({
  id: 'getLiability',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/books/liability/',
  access: staff(readPermission),
  fromReplica: true,
  summary: 'Prepaid money that is owed to customers',
  description:
    'Prepaid money that was owed to customers at a moment, or is now, and what they owed; with the ends of the last months that were closed before it, 24 at most',
  query: z.strictObject({ at: z.optional(moment) }),
  replies: {
    200: z.strictObject({
      at: time(),
      ...owedToCustomers,
      months: z.array(z.strictObject({ month: z.string(), ...owedToCustomers })),
    }),
  },
})
named('Liability', getLiability.replies[200])

export const getBalances = route({
  id: 'getBalances',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/books/balances/',
  access: staff(readPermission),
  fromReplica: true,
  summary: 'Balances by customer at the end of a day',
  description:
    'The sums of all balances at the end of a day, in the operator’s time zone, by default today: what is owed to customers, how much of it was given, and what they owe; with the 50 largest, and the 50 largest debts with their age. The file has all of them',
  query: z.strictObject({ day: z.optional(calendarDay) }),
  replies: {
    200: z.strictObject({
      day: day(),
      ...owedToCustomers,
      customers: count(),
      largest: z.array(balanceOfCustomer),
      debtors: z.array(debtOfCustomer),
    }),
  },
})
named('Balances', getBalances.replies[200])

export const downloadBalances = route({
  id: 'downloadBalances',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/books/balances.csv',
  access: staff(readPermission),
  fromReplica: true,
  summary: 'Balances by customer at the end of a day as CSV',
  description: 'All balances at the end of a day as CSV in the language of the account (text/csv, UTF-8)',
  query: z.strictObject({ day: z.optional(calendarDay) }),
  responseType: 'text/csv',
  replies: { 200: null },
})

export const getDeferred = route({
  id: 'getDeferred',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/books/deferred/',
  access: staff(readPermission),
  fromReplica: true,
  summary: 'Deferred income by month',
  description:
    'The net of documents that is for time after the end of a month, by day and without gifts. 24 months at most, and the last 24 if none are named',
  query: months,
  replies: { 200: z.strictObject({ ...answered, rows: z.array(deferredOfMonth) }) },
  errors: { 400: ['period_too_long'] },
})
named('DeferredIncome', getDeferred.replies[200])

export const downloadDeferred = route({
  id: 'downloadDeferred',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/books/deferred.csv',
  access: staff(readPermission),
  fromReplica: true,
  summary: 'Deferred income at the end of a month by document, as CSV',
  description:
    'Deferred income at the end of a month, document by document, as CSV in the language of the account (text/csv, UTF-8)',
  query: z.strictObject({ month }),
  responseType: 'text/csv',
  replies: { 200: null },
})

export const getRenewals = route({
  id: 'getRenewals',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/books/renewals/',
  access: staff(readPermission),
  fromReplica: true,
  summary: 'Automatic renewals of the next days',
  description:
    'The automatic renewals that are charged in the next days, by day: those that the balance covers as it is now, in the order in which they come, and the others. Totals with the VAT of the last order',
  query: z.strictObject({ days: digitsOr(30, /^(?:[1-9]|[1-8]\d|9[0-2])$/, 1, 92) }),
  replies: {
    200: z.strictObject({
      days: z.array(renewalsOfDay),
    }),
  },
})
named('Renewals', getRenewals.replies[200])

export const getChurn = route({
  id: 'getChurn',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/books/churn/',
  access: staff(readPermission),
  fromReplica: true,
  summary: 'Licences that ended and were not renewed, by month',
  description:
    'By month: the licences that ran when it began, and those that ended in it and were not renewed within 7 days. 24 months at most, and the last 24 if none are named',
  query: months,
  replies: {
    200: z.strictObject({
      ...answered,
      rows: z.array(churnOfMonth),
    }),
  },
  errors: { 400: ['period_too_long'] },
})
named('Churn', getChurn.replies[200])

const invoiceFilter = {
  q: z.optional(opaqueText(200)),
  kind: z.optional(z.enum(invoiceKinds)),
  /** Issued on this day or later, in the operator's time zone. */
  from: z.optional(calendarDay),
  /** Issued on this day or before. */
  to: z.optional(calendarDay),
  /** The country in which the VAT is due; the customer's country if no VAT is due. */
  country: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/, 'invalid'))),
  vat_kind: z.optional(z.enum(vatKinds)),
}

export type ListedInvoice = z.infer<typeof listedInvoice>

export const listAllInvoices = route({
  id: 'listAllInvoices',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/invoices/',
  access: staff(readInvoicesPermission),
  fromReplica: true,
  summary: 'Invoices and credit notes of all customers',
  description:
    'Invoices and credit notes of all customers, by the time of their issue or by their sum, in which credit notes are negative. `q` is the number of a document, or whatever finds a customer; days are those of the operator’s time zone',
  query: z.strictObject({ ...pageQuery, ...invoiceFilter, sort: byTimeOrAmount }),
  replies: { 200: pageOf(listedInvoice) },
})

export const sumInvoices = route({
  id: 'sumInvoices',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/invoices/totals/',
  access: staff(readInvoicesPermission),
  fromReplica: true,
  summary: 'The sums of the invoices of a filter',
  description:
    'Count and sums of the documents that the list shows for the same filter, less the credit notes; of at most 24 months, the last ones where `from` is left out',
  query: z.strictObject(invoiceFilter),
  replies: {
    200: z.strictObject({
      first_day: day(),
      last_day: day(),
      count: count(),
      net: money,
      vat: money,
      total: money,
    }),
  },
  errors: { 400: ['period_too_long'] },
})
named('InvoiceTotals', sumInvoices.replies[200])

const oneInvoice = z.strictObject({ publicId: z.string().check(z.regex(/^[\w-]{22}$/)) })

export const getAnyInvoice = route({
  id: 'getAnyInvoice',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/invoices/{publicId}/',
  access: staff(readInvoicesPermission),
  summary: "A customer's invoice with all documents of its sale",
  description:
    "A customer's invoice or credit note as it was issued, with all documents of the same sale and the transactions that they belong to, oldest first",
  params: oneInvoice,
  replies: {
    200: z.strictObject({
      invoice,
      /** The name is empty where the account was deleted. */
      customer: z.strictObject({ id: uuidText(), name: z.string() }),
      chain: z.array(chained),
    }),
  },
})
named('InvoiceWithChain', getAnyInvoice.replies[200])
export type InvoiceWithChain = z.infer<(typeof getAnyInvoice.replies)[200]>

export const getAnyPdf = route({
  id: 'getAnyPdf',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/invoices/{publicId}/pdf',
  access: staff(readInvoicesPermission),
  summary: "A customer's invoice as PDF/A-3 with its XML inside",
  params: oneInvoice,
  responseType: 'application/pdf',
  replies: { 200: null },
})

export const getAnyXrechnung = route({
  id: 'getAnyXrechnung',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/invoices/{publicId}/xrechnung.xml',
  access: staff(readInvoicesPermission),
  summary: "A customer's invoice as XRechnung (UBL)",
  params: oneInvoice,
  responseType: 'application/xml',
  replies: { 200: null },
  errors: { 409: ['xrechnung_incomplete'] },
})

export type ListedTransaction = z.infer<typeof listedTransaction>

export const listAllTransactions = route({
  id: 'listAllTransactions',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/transactions/',
  access: staff(readFinancePermission),
  fromReplica: true,
  summary: 'The transactions of all customers',
  description:
    'The transactions of all customers, by time or amount. `q` is the id of a transaction, or whatever finds a customer (at most 50 of them); days are those of the operator’s time zone',
  query: z.strictObject({
    ...pageQuery,
    q: z.optional(opaqueText(200)),
    type: z.optional(z.enum(transactionTypes)),
    from: z.optional(calendarDay),
    to: z.optional(calendarDay),
    sort: byTimeOrAmount,
  }),
  replies: { 200: pageOf(listedTransaction) },
})

export type BookExport = z.infer<typeof bookExport>

export const askForExport = route({
  id: 'askForExport',
  tag: 'Staff books',
  method: 'POST',
  path: '/api/staff/books/exports/',
  access: { ...staff(exportPermission, 'none'), kinds: { audit: readAuditPermission } },
  summary: 'Request an accounting export',
  description:
    'Has a file made, of at most 24 months, and answers at once. `datev` takes whole months and holds a batch of postings and a control sheet for each; `vat` takes one quarter; `documents` are all invoices and credit notes as PDF and XML. Whoever asks again while it is being made gets the same one.',
  limits: ['book_export'],
  body: z.strictObject({ kind: z.enum(exportKinds), from: calendarDay, to: calendarDay }),
  replies: { 202: bookExport },
  errors: { 403: ['not_allowed'], 409: ['datev_not_set_up', 'seller_incomplete'] },
})

export const listExports = route({
  id: 'listExports',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/books/exports/',
  access: staff(readPermission),
  summary: 'The accounting exports, newest first',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(bookExport) },
})

export const fetchExport = route({
  id: 'fetchExport',
  tag: 'Staff books',
  method: 'GET',
  path: '/api/staff/books/exports/{exportId}/file',
  access: { ...staff(exportPermission), kinds: { audit: readAuditPermission } },
  summary: 'The file of an accounting export',
  params: z.strictObject({ exportId: z.uuid() }),
  responseType: 'any',
  replies: { 200: null },
  errors: { 403: ['not_allowed'], 409: ['export_not_ready'] },
})

/** An export was asked for, made or failed. */
export const EXPORTS_CHANGED = liveEvent('book_exports.changed')
