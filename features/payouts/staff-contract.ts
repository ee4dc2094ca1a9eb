import * as z from 'zod/mini'
import { waitingReply } from '#foundation/approvals.ts'
import { route } from '#foundation/contract.ts'
import { requiredText, uuid } from '#foundation/fields.ts'
import { idempotencyKey } from '#foundation/idempotency.ts'
import { byTimeOrAmount, pageOf, pageQuery } from '#foundation/paging.ts'
import { staff } from '#foundation/roles.ts'
import { bankBookPermission, bankReadPermission, reason } from '#features/finance/contract.ts'
import { payoutStates } from './rules.ts'
import { payoutFile, staffPayout } from './shapes.ts'

/** Payouts as staff send them. */

export type StaffPayout = z.infer<typeof staffPayout>
export type PayoutFile = z.infer<typeof payoutFile>

const tag = 'Staff finances'
const publicId = z.string().check(z.regex(/^[\w-]{22}$/))
const one = z.strictObject({ userId: uuid, id: publicId })
const fileId = z.strictObject({ id: z.string().check(z.regex(/^PF-[0-9A-F]{10}$/)) })
const own = ['own_account'] as const
const once = ['idempotency_key_reused'] as const

export const listStaffPayouts = route({
  id: 'listStaffPayouts',
  tag,
  method: 'GET',
  path: '/api/staff/payouts/',
  access: staff(bankReadPermission),
  summary: 'Payouts of all customers',
  description: 'Payouts of all customers by state, by file, or by the reference on the transfer',
  query: z.strictObject({
    ...pageQuery,
    state: z.optional(z.enum(payoutStates)),
    file: z.optional(fileId.shape.id),
    reference: z.optional(requiredText(40)),
    sort: byTimeOrAmount,
  }),
  replies: { 200: pageOf(staffPayout) },
})

export const markPayoutSent = route({
  id: 'markPayoutSent',
  tag,
  method: 'POST',
  path: '/api/staff/customers/{userId}/payouts/{id}/sent/',
  access: staff(bankBookPermission),
  summary: 'Record that a payout to a bank account was sent',
  params: one,
  replies: { 200: staffPayout },
  errors: { 403: own, 404: ['not_found'], 409: ['payout_ended'] },
})

export const returnPayout = route({
  id: 'returnPayout',
  tag,
  method: 'POST',
  path: '/api/staff/customers/{userId}/payouts/{id}/return/',
  access: staff(bankBookPermission),
  summary: 'Record that a payout failed or came back',
  description:
    'The money is on the balance again; the customer reads the reason. Above your allowance it waits for a second person: 202',
  params: one,
  headers: idempotencyKey,
  body: z.strictObject({ reason }),
  replies: { 201: staffPayout, 202: waitingReply },
  errors: { 403: own, 404: ['not_found'], 409: ['payout_ended', 'already_proposed'], 422: once },
})

export const listPayoutFiles = route({
  id: 'listPayoutFiles',
  tag,
  method: 'GET',
  path: '/api/staff/payout-files/',
  access: staff(bankReadPermission),
  summary: 'Files of payouts',
  query: z.strictObject({ ...pageQuery, sort: byTimeOrAmount }),
  replies: { 200: pageOf(payoutFile) },
})

export const makePayoutFile = route({
  id: 'makePayoutFile',
  tag,
  method: 'POST',
  path: '/api/staff/payout-files/',
  access: staff(bankBookPermission, 'found'),
  summary: 'Put the payouts that wait into a file for the bank',
  description:
    'At most 500, oldest first, but for those of your own accounts. A payout is in one file only; the file can be downloaded again.',
  headers: idempotencyKey,
  replies: { 201: payoutFile },
  errors: { 409: ['no_payouts_wait'], 422: once },
})

export const getSepaFile = route({
  id: 'getSepaFile',
  tag,
  method: 'GET',
  path: '/api/staff/payout-files/{id}/sepa.xml',
  access: staff(bankReadPermission),
  summary: 'A file of payouts as SEPA credit transfers (pain.001.001.09)',
  params: fileId,
  responseType: 'application/xml',
  replies: { 200: null },
  errors: { 404: ['not_found'], 409: ['payout_file_erased', 'payout_file_not_sepa'] },
})

export const getPayoutCsv = route({
  id: 'getPayoutCsv',
  tag,
  method: 'GET',
  path: '/api/staff/payout-files/{id}/payouts.csv',
  access: staff(bankReadPermission),
  summary: 'A file of payouts as CSV',
  params: fileId,
  responseType: 'text/csv',
  replies: { 200: null },
  errors: { 404: ['not_found'], 409: ['payout_file_erased'] },
})

export const markFileSent = route({
  id: 'markFileSent',
  tag,
  method: 'POST',
  path: '/api/staff/payout-files/{id}/sent/',
  access: staff(bankBookPermission, 'found'),
  summary: 'Record that all payouts of a file were sent',
  params: fileId,
  replies: { 200: payoutFile },
  errors: { 404: ['not_found'] },
})
