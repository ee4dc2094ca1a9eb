import * as z from 'zod/mini'
import { readFinancePermission, transaction } from '#features/finance/contract.ts'
import { seeMoney } from '#foundation/capability.ts'
import { route } from '#foundation/contract.ts'
import { money } from '#foundation/money.ts'
import { day, named } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'

/** The statement of a month: what the balance was, all that moved it with the numbers of the documents, and what it was then. */

const month = z.string().check(z.regex(/^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/, 'invalid'))
const format = z.enum(['pdf', 'csv'])

const statementRow = z.strictObject({
  transaction,
  /** The day in the installation's time zone, to which the month belongs. */
  day: day(),
  /** The number of the invoice or credit note; null where there is none. */
  number: z.nullable(z.string()),
})

const statement = z.strictObject({
  month: z.string(),
  /** False while something may still be booked in it. */
  is_over: z.boolean(),
  opening: money,
  closing: money,
  /** The sums of what came in and of what (below zero) went out. */
  received: money,
  spent: money,
  /** All transactions, oldest first. */
  rows: z.array(statementRow),
})
named('Statement', statement)
export type Statement = z.infer<typeof statement>

const own = { who: 'customer', acts: seeMoney } as const
const ofCustomer = z.strictObject({ userId: z.uuid(), month })
const tooLong = { 409: ['statement_too_long'] } as const
const fileText = 'A PDF/A or CSV (UTF-8), in the language of the customer'

export const getStatement = route({
  id: 'getStatement',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/statements/{month}/',
  access: own,
  fromReplica: true,
  viewable: true,
  summary: 'The statement of a month',
  description:
    'Balances and transactions of a month in the installation’s time zone; 2,000 transactions at most',
  params: z.strictObject({ month }),
  replies: { 200: statement },
  errors: tooLong,
})

export const downloadStatement = route({
  id: 'downloadStatement',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/statements/{month}/file',
  access: own,
  summary: 'The statement of a month as PDF or CSV',
  description: fileText,
  params: z.strictObject({ month }),
  query: z.strictObject({ format }),
  responseType: 'any',
  replies: { 200: null },
  errors: tooLong,
})

export const getCustomerStatement = route({
  id: 'getCustomerStatement',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/customers/{userId}/statements/{month}/',
  access: staff(readFinancePermission),
  fromReplica: true,
  summary: "The statement of a customer's month",
  params: ofCustomer,
  replies: { 200: statement },
  errors: tooLong,
})

export const downloadCustomerStatement = route({
  id: 'downloadCustomerStatement',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/customers/{userId}/statements/{month}/file',
  access: staff(readFinancePermission),
  summary: "The statement of a customer's month as PDF or CSV",
  description: fileText,
  params: ofCustomer,
  query: z.strictObject({ format }),
  responseType: 'any',
  replies: { 200: null },
  errors: tooLong,
})
