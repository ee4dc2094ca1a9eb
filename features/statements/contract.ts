import * as z from 'zod/mini'
import { readFinancePermission } from '#features/finance/contract.ts'
import { seeMoney } from '#foundation/capability.ts'
import { route } from '#foundation/contract.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { staff } from '#foundation/roles.ts'
import { issuedStatement } from './shapes.ts'

/** Signed statements (decision 203): one for each month in which an account had transactions, never changed. */

const month = z.string().check(z.regex(/^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/, 'invalid'))
const own = { who: 'customer', acts: seeMoney } as const
const ofCustomer = z.strictObject({ userId: z.uuid() })
const oneOfCustomer = z.strictObject({ userId: z.uuid(), month })

export const listSignedStatements = route({
  id: 'listSignedStatements',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/signed-statements/',
  access: own,
  fromReplica: true,
  viewable: true,
  summary: 'The signed statements, newest first',
  description:
    'One for each month with transactions, from the 1st of the next month. Each names the hash of the one before; `/.well-known/verify-statement.mjs` checks them',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(issuedStatement) },
})

export const getSignedJson = route({
  id: 'getSignedJson',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/signed-statements/{month}/statement.json',
  access: own,
  summary: 'The signed statement of a month as JSON',
  description: 'In canonical form (RFC 8785), so that every byte of it is signed',
  params: z.strictObject({ month }),
  responseType: 'any',
  replies: { 200: null },
})

export const getSignedPdf = route({
  id: 'getSignedPdf',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/signed-statements/{month}/statement.pdf',
  access: own,
  summary: 'The signed statement of a month as PDF/A-3',
  description: 'With the JSON inside, and a signature of the whole PDF in its last lines',
  params: z.strictObject({ month }),
  responseType: 'application/pdf',
  replies: { 200: null },
})

export const listCustomerStatements = route({
  id: 'listCustomerStatements',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/customers/{userId}/signed-statements/',
  access: staff(readFinancePermission),
  fromReplica: true,
  summary: 'The signed statements of a customer, newest first',
  params: ofCustomer,
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(issuedStatement) },
})

export const getCustomerJson = route({
  id: 'getCustomerJson',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/customers/{userId}/signed-statements/{month}/statement.json',
  access: staff(readFinancePermission),
  summary: "The signed statement of a customer's month as JSON",
  params: oneOfCustomer,
  responseType: 'any',
  replies: { 200: null },
})

export const getCustomerPdf = route({
  id: 'getCustomerPdf',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/customers/{userId}/signed-statements/{month}/statement.pdf',
  access: staff(readFinancePermission),
  summary: "The signed statement of a customer's month as PDF/A-3",
  params: oneOfCustomer,
  responseType: 'application/pdf',
  replies: { 200: null },
})
