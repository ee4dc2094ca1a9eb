import { seeMoney, spendMoney } from '#foundation/capability.ts'
import * as z from 'zod/mini'
import { waitingReply } from '#foundation/approvals.ts'
import { event, route, liveEvent } from '#foundation/contract.ts'
import { code, moment, requiredText, uuid } from '#foundation/fields.ts'
import { idempotencyKey } from '#foundation/idempotency.ts'
import { money } from '#foundation/money.ts'
import { moneyGiven } from '#foundation/money-given.ts'
import { permission, staff } from '#foundation/roles.ts'
import { byTimeOrAmount, pageOf, pageQuery } from '#foundation/paging.ts'
import { terms, termsErrors, termsRefusal } from '#features/legal/contract.ts'
import { providerNames, topUpStatuses, transactionTypes, VOUCHER_LENGTH, type ProviderName } from './rules.ts'
import { announcedTopUp, finances, topUp, transaction, unbookedEvent } from './shapes.ts'

export { methodReported, savedMethodCharged } from './method-events.ts'
export type { MethodEvent, SavedDetails } from './method-events.ts'
export { topUp, transaction } from './shapes.ts'

/** The prepaid balance: what came in, what went out, and how to put more on it (rows F-01, rules 6 to 10, 12, 14). */

const publicId = z.string().check(z.regex(/^[\w-]{22}$/))
/** The reason why a member of staff moves money. The customer reads it with the transaction, so it must not mention other people. */
export const reason = requiredText(200)

export type Transaction = z.infer<typeof transaction>

export const getFinances = route({
  id: 'getFinances',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/',
  access: { who: 'customer', acts: seeMoney },
  viewable: true,
  tool: 'read',
  summary: 'The balance, upcoming charges, and how to top up',
  description: 'The balance, how long it lasts, which charges are due next, and how it can be topped up',
  replies: {
    200: finances,
  },
})

const filter = {
  type: z.optional(z.enum(transactionTypes)),
  /** The earliest time, included. */
  from: z.optional(moment),
  /** The end of the period, not included. */
  to: z.optional(moment),
}

export const listTransactions = route({
  id: 'listTransactions',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/transactions/',
  access: { who: 'customer', acts: seeMoney },
  fromReplica: true,
  viewable: true,
  tool: 'read',
  summary: 'The transactions, newest first, by type and time',
  query: z.strictObject({ ...pageQuery, ...filter }),
  replies: { 200: pageOf(transaction) },
})

export const downloadTransactions = route({
  id: 'downloadTransactions',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/transactions.csv',
  access: { who: 'customer', acts: seeMoney },
  fromReplica: true,
  summary: 'The transactions as CSV',
  description: 'All matching transactions as CSV in the language of the account (text/csv, UTF-8)',
  query: z.strictObject(filter),
  responseType: 'text/csv',
  replies: { 200: null },
})

export const redeemVoucher = route({
  id: 'redeemVoucher',
  tag: 'Finances',
  method: 'POST',
  path: '/api/finances/vouchers/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  summary: 'Redeem a voucher',
  description: 'Redeem a voucher; wrong codes are counted, and a 429 states when to try again',
  headers: idempotencyKey,
  body: z.strictObject({ code: code(VOUCHER_LENGTH) }),
  replies: { 201: transaction },
  errors: {
    400: ['voucher_invalid', 'balance_cap'],
    403: ['own_account'],
    409: ['voucher_used'],
    422: ['idempotency_key_reused'],
  },
})

export type TopUp = z.infer<typeof topUp>

export const startTopUp = route({
  id: 'startTopUp',
  tag: 'Finances',
  method: 'POST',
  path: '/api/finances/top-ups/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'allowed' },
  summary: 'Begin to top up the balance',
  description: 'Begin to top up the balance. The money counts once the provider confirms it.',
  headers: idempotencyKey,
  body: z.strictObject({ amount: moneyGiven(), provider: z.enum(providerNames), terms }),
  replies: { 201: topUp, 409: termsRefusal },
  errors: {
    400: ['amount_too_small', 'amount_too_large', 'amount_too_fine', 'balance_cap', 'provider_not_offered'],
    409: ['too_many_transfers', ...termsErrors],
    422: ['idempotency_key_reused'],
    503: ['payment_provider_unavailable'],
  },
})

export const getTopUp = route({
  id: 'getTopUp',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/top-ups/{id}/',
  access: { who: 'customer', acts: seeMoney },
  summary: 'The state of a top-up',
  params: z.strictObject({ id: publicId }),
  replies: { 200: topUp },
})

export const listWaitingTransfers = route({
  id: 'listWaitingTransfers',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/top-ups/',
  access: { who: 'customer', acts: seeMoney },
  viewable: true,
  summary: 'The pending bank transfers, newest first',
  description: 'The pending bank transfers, newest first. A transfer for an order is with its checkout.',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(topUp) },
})

export const cancelTransfer = route({
  id: 'cancelTransfer',
  tag: 'Finances',
  method: 'DELETE',
  path: '/api/finances/top-ups/{id}/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'allowed' },
  summary: 'Cancel a pending bank transfer',
  description:
    'Cancelling again answers the same. Money that arrives afterwards is credited and makes it `paid`.',
  params: z.strictObject({ id: publicId }),
  replies: { 200: topUp },
  errors: { 404: ['not_found'], 409: ['top_up_not_pending'] },
})

export const readFinancePermission = permission('finance.read', ['support', 'billing', 'admin'])
export const creditPermission = permission('finance.credit', ['support', 'billing', 'admin'], {
  proof: 'recent',
})
export const refundPermission = permission('finance.refund', ['billing', 'admin'], { proof: 'recent' })
export const chargeBackPermission = permission('finance.charge_back', ['billing', 'admin'], {
  proof: 'recent',
})
export const bankReadPermission = permission('banking.read', ['billing', 'admin'])
export const bankBookPermission = permission('banking.book', ['billing', 'admin'], { proof: 'recent' })

const own = ['own_account'] as const
const once = ['idempotency_key_reused'] as const
const customerParams = z.strictObject({ userId: uuid })
const topUpParams = z.strictObject({ userId: uuid, id: publicId })

/**
 * `gift` is the part of the balance that vouchers and credit gave, `held` what was taken from payments and is not booked, `payable` what a
 * pay-out may take of the rest.
 */
const customerBalance = { balance: money, gift: money, held: money, payable: money }

export const customerTransactions = route({
  id: 'customerTransactions',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/customers/{userId}/transactions/',
  access: staff(readFinancePermission),
  fromReplica: true,
  tool: 'read',
  summary: "A customer's transactions, newest first",
  params: customerParams,
  query: z.strictObject({ ...pageQuery, ...filter }),
  replies: { 200: z.strictObject({ ...pageOf(transaction).shape, ...customerBalance }) },
})

export const giveCredit = route({
  id: 'giveCredit',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/customers/{userId}/credits/',
  access: staff(creditPermission),
  tool: 'propose',
  summary: 'Add credit for a customer, as a voucher would; not yourself',
  description:
    'Give a customer credit, as a voucher would; not yourself. Above your allowance it waits for a second person: 202',
  params: customerParams,
  headers: idempotencyKey,
  body: z.strictObject({ amount: moneyGiven(), reason }),
  replies: { 201: transaction, 202: waitingReply },
  errors: { 400: ['balance_cap'], 403: own, 409: ['already_proposed'], 422: once },
})

export type CustomerTopUp = z.infer<typeof announcedTopUp>

export const listTopUps = route({
  id: 'listTopUps',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/top-ups/',
  access: staff(bankReadPermission),
  fromReplica: true,
  summary: 'Top-ups of all customers',
  description: 'Top-ups of all customers by state, provider and bank reference',
  query: z.strictObject({
    ...pageQuery,
    status: z.optional(z.enum(topUpStatuses)),
    provider: z.optional(z.enum(providerNames)),
    reference: z.optional(requiredText(40)),
    sort: byTimeOrAmount,
  }),
  replies: { 200: pageOf(announcedTopUp) },
})

export const confirmTopUp = route({
  id: 'confirmTopUp',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/customers/{userId}/top-ups/{id}/confirm/',
  access: staff(bankBookPermission),
  summary: 'Confirm that a bank transfer has arrived',
  description:
    'Confirm that a bank transfer has arrived; `amount` if it differs from the announced one. Above your allowance it waits for a second person: 202',
  params: topUpParams,
  headers: idempotencyKey,
  body: z.strictObject({ amount: z.optional(moneyGiven()), reason }),
  replies: { 201: transaction, 202: waitingReply },
  errors: { 403: own, 409: ['top_up_not_pending', 'already_proposed'], 422: once },
})

export const chargeBackTopUp = route({
  id: 'chargeBackTopUp',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/customers/{userId}/top-ups/{id}/charge-back/',
  access: staff(chargeBackPermission),
  summary: 'Record that a payment was charged back',
  description: 'Record that a payment was charged back, whole or in part; the balance may become negative',
  params: topUpParams,
  headers: idempotencyKey,
  body: z.strictObject({ amount: z.optional(moneyGiven()), reason }),
  replies: { 201: transaction },
  errors: { 403: ['own_account'], 409: ['nothing_to_charge_back'], 422: ['idempotency_key_reused'] },
})

export const correctTransaction = route({
  id: 'correctTransaction',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/customers/{userId}/transactions/{id}/correction/',
  access: staff(chargeBackPermission),
  summary: 'Undo what staff booked by mistake',
  description:
    'Take back a transfer that was confirmed for the wrong customer, or give again what was recorded as charged back or paid out by mistake; the customer reads the reason. Above your allowance it waits for a second person: 202',
  params: z.strictObject({ userId: uuid, id: uuid }),
  headers: idempotencyKey,
  body: z.strictObject({ reason }),
  replies: { 201: transaction, 202: waitingReply },
  errors: { 403: own, 409: ['not_correctable', 'nothing_to_charge_back', 'already_proposed'], 422: once },
})

export const payOut = route({
  id: 'payOut',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/customers/{userId}/pay-outs/',
  access: staff(refundPermission),
  summary: 'Record that money of a balance was paid back to its customer',
  description:
    'At most what was paid and not given back; `reference` is that of the transfer. Above your allowance it waits for a second person: 202',
  params: customerParams,
  headers: idempotencyKey,
  body: z.strictObject({ amount: moneyGiven(), reference: requiredText(100), reason }),
  replies: { 201: transaction, 202: waitingReply },
  errors: { 403: own, 409: ['nothing_to_pay_out', 'already_proposed'], 422: once },
})

export const writeOffDebt = route({
  id: 'writeOffDebt',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/customers/{userId}/write-offs/',
  access: staff(refundPermission),
  summary: 'Write off a debt, or a part of it',
  description: 'Above your allowance it waits for a second person: 202',
  params: customerParams,
  headers: idempotencyKey,
  body: z.strictObject({ amount: moneyGiven(), reason }),
  replies: { 201: transaction, 202: waitingReply },
  errors: { 403: own, 409: ['no_such_debt', 'already_proposed'], 422: once },
})

export type UnbookedEvent = z.infer<typeof unbookedEvent>

export const listUnbookedEvents = route({
  id: 'listUnbookedEvents',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/unbooked-events/',
  access: staff(bankReadPermission),
  summary: 'Payment events that could not be booked, newest first',
  query: z.strictObject({ ...pageQuery, state: z._default(z.enum(['open', 'done']), 'open') }),
  replies: { 200: pageOf(unbookedEvent) },
})

export const settleUnbookedEvent = route({
  id: 'settleUnbookedEvent',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/unbooked-events/{id}/settlement/',
  access: staff(bankBookPermission, 'none'),
  summary: 'Mark an event that could not be booked as done by hand',
  params: z.strictObject({ id: uuid }),
  body: z.strictObject({ note: reason }),
  replies: { 200: unbookedEvent },
  errors: { 404: ['not_found'], 409: ['event_settled'] },
})

/**
 * A provider tells of a refund that a payout asked for (its public id): the money went out, or the refund failed. Its booking is made by who
 * asked for it, so that the event moves nothing else.
 */
export const refundReported = event<{
  payout: string
  kind: 'sent' | 'failed'
  /** The top-up whose payment goes back. */
  top_up_id: bigint | null
  provider: ProviderName
  event_id: string
  /** The provider's own id of the refund; null if it names none. */
  taken_by: string | null
  payment_reference: string | null
  amount: bigint | null
  currency: string | null
  reason: string
}>('finance.refund_reported')

/**
 * Somebody gave a payment back on the provider's own page, or such a refund has come back (`isBack`). It is about to be booked, unless who asked
 * for the same refund takes it for their own by `takeRefund`, or says by `noteUnderWay` that another one is under way.
 */
export const refundedByHand = event<{
  top_up_id: bigint
  provider: ProviderName
  event_id: string
  /** The provider's own id of the refund. */
  taken_by: string
  isBack: boolean
  amount: bigint
  currency: string
  reason: string
}>('finance.refunded_by_hand')

/** A balance rose, or a chargeback left a balance below zero. The balance's row is locked, so a listener must lock no host (rule 9). */
export const balanceRose = event<{ user_id: string; balance: bigint }>('finance.balance_rose')
export const balanceOverdrawn = event<{ user_id: string }>('finance.balance_overdrawn')

/**
 * The money of a payment has come for which an order waits, and is booked as soon as the reactions are done, or by the order itself.
 * `isReversed` is true if the bank has taken it back already.
 */
export const paymentArriving = event<{
  user_id: string
  top_up: string
  amount: bigint
  isReversed: boolean
}>('finance.payment_arriving')
/** A payment of somebody without an account has come: whoever announced it makes the account, and takes the payment, before it is booked. */
export const guestPaid = event<{ public_id: string }>('finance.guest_paid')
/**
 * A payment of somebody without an account has failed. It may be paid all the same. `wasTried` is true if they have paid and the money did not
 * come; false if they have left the provider's page.
 */
export const guestFailed = event<{ public_id: string; wasTried: boolean }>('finance.guest_failed')
/** A payment has failed for which an order waits. */
export const paymentFailed = event<{ user_id: string; top_up: string }>('finance.payment_failed')
/** A payment has failed, or staff refused an announced transfer; `isOrder` where an order waited for it. */
export const topUpRefused = event<{ user_id: string; top_up: string; isOrder: boolean }>(
  'finance.top_up_refused',
)

/** The balance or a waiting transfer changed: open pages load the finances again. */
export const BALANCE_CHANGED = liveEvent('balance.changed')
