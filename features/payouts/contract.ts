import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { waitingReply } from '#foundation/approvals.ts'
import { uuid } from '#foundation/fields.ts'
import { staff } from '#foundation/roles.ts'
import { idempotencyKey } from '#foundation/idempotency.ts'
import { money } from '#foundation/money.ts'
import { moneyGiven } from '#foundation/money-given.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { reason, refundPermission } from '#features/finance/contract.ts'
import { bankAccount, payout, staffPayout } from './shapes.ts'

/** Payouts as customers, and staff for them, ask for them (rule 61): money of the balance that goes back. */

export type Payout = z.infer<typeof payout>

export const listPayouts = route({
  id: 'listPayouts',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/payouts/',
  access: { who: 'customer', acts: 'own' },
  viewable: true,
  summary: 'The payouts, newest first, and how much can be paid out',
  query: z.strictObject(pageQuery),
  replies: {
    200: z.strictObject({
      ...pageOf(payout).shape,
      /** The part of the balance that may leave: paid, and neither spent nor given back. */
      payable: money,
    }),
  },
})

export const requestPayout = route({
  id: 'requestPayout',
  tag: 'Finances',
  method: 'POST',
  path: '/api/finances/payouts/',
  access: { who: 'customer', acts: 'own', proof: 'recent', whileBlocked: 'refused' },
  summary: 'Have money of the balance paid out to a bank account',
  description:
    'The money leaves the balance at once, and is on it again if the transfer fails. Vouchers and credit are never paid out. Needs a recent proof of identity.',
  headers: idempotencyKey,
  body: z.strictObject({ amount: moneyGiven(), ...bankAccount }),
  replies: { 201: payout },
  errors: {
    400: ['iban_invalid', 'iban_not_sepa', 'holder_not_latin'],
    409: ['more_than_payable', 'too_many_payouts'],
    422: ['idempotency_key_reused'],
  },
})

const own = ['own_account'] as const
const once = ['idempotency_key_reused'] as const

export const payToBank = route({
  id: 'payToBank',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/customers/{userId}/payouts/',
  access: staff(refundPermission),
  summary: 'Pay money of a balance out to a bank account',
  description:
    'As the customer would ask for it. It is on the list of payouts then. Above your allowance it waits for a second person: 202',
  params: z.strictObject({ userId: uuid }),
  headers: idempotencyKey,
  body: z.strictObject({ amount: moneyGiven(), ...bankAccount, reason }),
  replies: { 201: staffPayout, 202: waitingReply },
  errors: {
    400: ['iban_invalid', 'iban_not_sepa', 'holder_not_latin'],
    403: own,
    409: ['nothing_to_pay_out', 'already_proposed'],
    422: once,
  },
})

export const refundTopUp = route({
  id: 'refundTopUp',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/customers/{userId}/transactions/{id}/refund-to-source/',
  access: staff(refundPermission),
  summary: 'Give a payment back to the card or account that it came from',
  description:
    'By the provider of the payment; by default all of it that may leave the balance. Above your allowance it waits for a second person: 202',
  params: z.strictObject({ userId: uuid, id: uuid }),
  headers: idempotencyKey,
  body: z.strictObject({ amount: z.optional(moneyGiven()), reason }),
  replies: { 201: staffPayout, 202: waitingReply },
  errors: {
    403: own,
    404: ['not_found'],
    409: ['nothing_to_pay_out', 'not_refundable_to_source', 'already_proposed'],
    422: once,
  },
})
