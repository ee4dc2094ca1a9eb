import * as z from 'zod/mini'
import { identifier, requiredText } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'
import { count, emailText, named, time, uuidText } from '#foundation/printed.ts'
import { plainNumber } from '#foundation/typed-code.ts'
import { providerNames } from '#features/finance/rules.ts'
import { payoutStates, payoutWays } from './rules.ts'

/** A bank account as a person types it. */
export const bankAccount = {
  iban: identifier(plainNumber, 42),
  holder: requiredText(70),
}

export const payout = z.strictObject({
  id: z.string(),
  state: z.enum(payoutStates),
  way: z.enum(payoutWays),
  amount: money,
  /** The reference on the transfer. */
  reference: z.string(),
  /** The last four characters of the IBAN; null for a payment that goes back to its source, and once the account is erased. */
  iban_end: z.nullable(z.string()),
  created_at: time(),
  /** When it was sent, failed or came back; null while it is under way. */
  ended_at: z.nullable(time()),
  /** The reason why it failed or came back, in words of staff or of the provider; otherwise empty. */
  failure: z.string(),
})
named('Payout', payout)

const person = z.strictObject({ id: uuidText(), name: z.string() })

/** A payout as staff see it. */
export const staffPayout = z.strictObject({
  ...payout.shape,
  provider: z.enum(providerNames),
  /** The account in full; null where there is none, or once it is erased. */
  account: z.nullable(z.strictObject({ iban: z.string(), holder: z.string() })),
  file: z.nullable(z.string()),
  /** The member of staff who asked for it; null for the customer. */
  requested_by: z.nullable(person),
  reason: z.string(),
  customer: z.strictObject({ ...person.shape, email: emailText() }),
})
named('StaffPayout', staffPayout)

export const payoutFile = z.strictObject({
  id: z.string(),
  payouts: count(),
  total: money,
  /** How many of its payouts were not confirmed as sent yet. */
  under_way: count(),
  created_at: time(),
  created_by: z.nullable(person),
  /** False where the file can be had as CSV alone, because the settings name no account in euros. */
  is_sepa: z.boolean(),
  /** True once an account in it was erased: then it cannot be downloaded any more. */
  is_erased: z.boolean(),
})
named('PayoutFile', payoutFile)
