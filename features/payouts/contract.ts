import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { idempotencyKey } from '#foundation/idempotency.ts'
import { money } from '#foundation/money.ts'
import { moneyGiven } from '#foundation/money-given.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { bankAccount, payout } from './shapes.ts'

/** Payouts as customers ask for them (rule 61): money of the balance that goes to a bank account. */

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
