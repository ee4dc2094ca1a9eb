import * as z from 'zod/mini'
import { vatKinds } from '#features/invoices/rules.ts'
import { route } from '#foundation/contract.ts'
import { money } from '#foundation/money.ts'
import { count, named } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'

/** Reports of the sales, for staff. */

const readPermission = permission('books.read', ['billing', 'admin'])

const quarter = z.string().check(z.regex(/^(?:19|20|21)\d\d-Q[1-4]$/, 'invalid'))

const vatSum = z.strictObject({
  vat_kind: z.enum(vatKinds),
  /** The country in which the VAT is due; the customer's where none is. */
  country: z.string(),
  /** Percent, as '19' or '25.5'. */
  vat_rate: z.string(),
  /** Of the buyer, with reverse charge; empty otherwise. */
  vat_id: z.string(),
  /** Of corrections: the quarter of the corrected invoices. */
  corrected_quarter: z.nullable(z.string()),
  documents: count(),
  net: money,
  vat: money,
})
named('VatSum', vatSum)

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
    200: z.strictObject({
      quarter: z.string(),
      first_day: z.string(),
      last_day: z.string(),
      /** False while documents may still be added. */
      is_over: z.boolean(),
      sales: z.array(vatSum),
      corrections: z.array(vatSum),
      /** Of all documents of the quarter. */
      vat: money,
      /** The VAT of these documents in the ledger's accounts: equal, or the books are wrong. */
      booked: money,
    }),
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
