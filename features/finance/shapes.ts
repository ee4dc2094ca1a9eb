import * as z from 'zod/mini'
import { sentenceParams } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'
import { emailText, named, time, urlText, uuidText } from '#foundation/printed.ts'
import { descriptionCodes, providerNames, topUpStatuses, transactionTypes } from './rules.ts'
import { eventKinds, unbookedCauses } from './payment-events.ts'

const description = z.strictObject({
  code: z.enum(descriptionCodes),
  params: sentenceParams(),
})

/** One line of the customer's account. */
export const transaction = z.strictObject({
  id: z.string(),
  type: z.enum(transactionTypes),
  /** The amount that the balance gained, or (negative) lost. */
  amount: money,
  balance_after: money,
  created_at: time(),
  description,
  /** The public id of the invoice or credit note, if there is one. */
  invoice_id: z.nullable(z.string()),
  host_id: z.nullable(z.string()),
})
named('Transaction', transaction)

const upcomingCharge = z.strictObject({
  host_id: z.string(),
  host_name: z.string(),
  due_at: time(),
  total: money,
})
named('UpcomingCharge', upcomingCharge)

export const finances = z.strictObject({
  balance: money,
  /** The part of the balance that vouchers and credit gave: it is spent first, and never paid out. */
  gift: money,
  /** The due time of the first charge that the balance will not cover; null if there is none within ten years. */
  lasts_until: z.nullable(time()),
  /** Earliest first. */
  upcoming: z.array(upcomingCharge),
  top_up: z.strictObject({
    providers: z.array(z.enum(providerNames)),
    min: money,
    max: money,
    /** The highest balance that a top-up may lead to. */
    balance_cap: money,
  }),
})
named('Finances', finances)

export const topUp = z.strictObject({
  id: z.string(),
  status: z.enum(topUpStatuses),
  provider: z.enum(providerNames),
  amount: money,
  created_at: time(),
  /** The provider's payment page; null if payment happens elsewhere, or is already made. */
  redirect_url: z.nullable(urlText()),
  /** The reference of a bank transfer; null with other providers. */
  bank: z.nullable(
    z.strictObject({
      reference: z.string(),
      /** Name, IBAN and bank, in the operator's words. */
      account: z.string(),
      /** The IBAN from `account`, to be copied alone; null if `account` holds none. */
      iban: z.nullable(z.string()),
      /** The content of a QR code for banking apps (EPC069-12); null unless the currency is EUR and an IBAN is known. */
      epc: z.nullable(z.string()),
    }),
  ),
})
named('TopUp', topUp)

/** A top-up with its customer, as staff search for it by the details on a bank statement. */
export const announcedTopUp = z.strictObject({
  ...topUp.shape,
  /** The name is empty where nobody has entered one, or the account was deleted. */
  customer: z.strictObject({ id: uuidText(), name: z.string(), email: emailText() }),
})
named('CustomerTopUp', announcedTopUp)

const person = z.strictObject({ id: uuidText(), name: z.string() })

/** An event that a payment provider, a bank or staff reported, and that is not booked, or only in part. */
export const unbookedEvent = z.strictObject({
  id: uuidText(),
  provider: z.enum(providerNames),
  /** The provider's own id of the event. */
  event_id: z.string(),
  kind: z.enum(eventKinds),
  cause: z.enum(unbookedCauses),
  /** The part that is not booked; null for the whole payment. */
  amount: z.nullable(money),
  /** The provider's own id of the payment. */
  payment_reference: z.nullable(z.string()),
  reason: z.string(),
  /** The public id and the bank reference of the top-up. */
  top_up: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  customer: z.nullable(person),
  created_at: time(),
  /** `by` is null where the event was booked by itself after all. */
  done: z.nullable(z.strictObject({ at: time(), by: z.nullable(person), note: z.string() })),
})
named('UnbookedEvent', unbookedEvent)
