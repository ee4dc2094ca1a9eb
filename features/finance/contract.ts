import * as z from 'zod/mini'
import { event, place, route } from '#foundation/contract.ts'
import { money } from '#foundation/money.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { descriptionCodes, providerNames, transactionTypes } from './rules.ts'
import type { Upcoming } from './rules.ts'

/** The prepaid balance: what came in, what went out, and how to put more on it (rows F-01, rules 6 to 10, 12, 14). */

// A day that the month lacks would roll over into the next.
const isDay = (day: string) => !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)

/** An RFC 3339 time; a day that no calendar has is refused. */
const time = z.string().check(
  z.regex(/^(?:19|20|21)\d\d-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/, 'invalid'),
  z.refine((text) => !Number.isNaN(Date.parse(text)) && isDay(text.slice(0, 10)), { error: 'invalid' }),
)

const description = z.strictObject({
  code: z.enum(descriptionCodes),
  params: z.record(z.string(), z.string()),
})

/** One line of the customer's account. */
export const transaction = z.strictObject({
  id: z.string(),
  type: z.enum(transactionTypes),
  /** Signed: what the balance gained or lost. */
  amount: money,
  balance_after: money,
  created_at: z.string(),
  description,
  /** The public id of the invoice or credit note, where there is one. */
  invoice_id: z.nullable(z.string()),
  host_id: z.nullable(z.string()),
})
export type Transaction = z.infer<typeof transaction>

const upcomingCharge = z.strictObject({
  host_id: z.string(),
  host_name: z.string(),
  due_at: z.string(),
  total: money,
})

export const getFinances = route({
  method: 'GET',
  path: '/api/finances/',
  who: 'customer',
  summary: 'The balance, how long it lasts, what falls due by itself, and how it can be topped up',
  replies: {
    200: z.strictObject({
      balance: money,
      /** When the balance will not suffice; null where nothing falls due, or not within ten years. */
      lasts_until: z.nullable(z.string()),
      /** Earliest first. */
      upcoming: z.array(upcomingCharge),
      top_up: z.strictObject({
        providers: z.array(z.enum(providerNames)),
        min: money,
        max: money,
        /** The balance may not be filled above this. */
        balance_cap: money,
      }),
    }),
  },
})

const filter = {
  type: z.optional(z.enum(transactionTypes)),
  /** From this time on. */
  from: z.optional(time),
  /** Before this time. */
  to: z.optional(time),
}

export const listTransactions = route({
  method: 'GET',
  path: '/api/finances/transactions/',
  who: 'customer',
  summary: 'The transactions, newest first, by type and time',
  query: z.strictObject({ ...pageQuery, ...filter }),
  replies: { 200: pageOf(transaction) },
})

export const downloadTransactions = route({
  method: 'GET',
  path: '/api/finances/transactions.csv',
  who: 'customer',
  summary: 'The same, all of them, as CSV in the language of the account (text/csv, UTF-8)',
  query: z.strictObject(filter),
  replies: { 200: null },
})

/** Asked whenever a customer looks at the finances: whoever will charge the balance by itself says when and what. */
export const upcomingAsked = event<{ user_id: string; add: (charge: Upcoming) => void }>(
  'finance.upcoming_asked',
)

/** A refund is about to be posted and has locked nothing yet: whoever must lock rows of their own does it now (rule 9). */
export const refundBegins = event<{ user_id: string; transaction_id: string; host_id: string | null }>(
  'finance.refund_begins',
)

/** A spending was given back, `amount` of it (minor units, positive), by the transaction `refund_transaction_id`. */
export const refunded = event<{
  user_id: string
  transaction_id: string
  refund_transaction_id: string
  amount: bigint
  /** What was spent minus what was given back before and now: zero where all of it is back. */
  left: bigint
  host_id: string | null
  reason: string
}>('finance.refunded')

/** A balance rose; its row is locked, so a reaction only asks for a job. */
export const balanceRose = event<{ user_id: string }>('finance.balance_rose')

/** The balance changed: tells open pages to ask anew. */
export const BALANCE_CHANGED = 'balance.changed'

/** @public Invoices fill this place of the finances page with their list. */
export const financesInvoices = place<object>('finance.invoices')
