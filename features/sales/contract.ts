import * as z from 'zod/mini'
import { waitingReply } from '#foundation/approvals.ts'
import { seeMoney, spendMoney } from '#foundation/capability.ts'
import { event, route } from '#foundation/contract.ts'
import { errorWith } from '#foundation/error-contract.ts'
import { moment, translated, uuid } from '#foundation/fields.ts'
import { idempotencyKey } from '#foundation/idempotency.ts'
import { moneyGiven } from '#foundation/money-given.ts'
import { money } from '#foundation/money.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { named, time, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { readFinancePermission, reason, refundPermission, transaction } from '#features/finance/contract.ts'
import { host, hostId, ipv4, newHost } from '#features/hosts/contract.ts'
import { invoice } from '#features/invoices/contract.ts'
import { asksForTerms } from '#features/legal/contract.ts'
import { chosenExtras, extraRefusals, extras, plan } from '#features/licences/contract.ts'
import { months, periodEnds, periodKinds, terms as planTerms } from '#features/licences/rules.ts'
import {
  begin_now,
  expected_total,
  orderConflicts,
  orderFields,
  order_reference,
  slug,
} from './order-fields.ts'
import { upgradeScopes } from './rules.ts'
import { upgradePreview } from './upgrade-preview.ts'

/** The way of the money (rows H-02, H-03, L-02, V-04): orders, renewals, upgrades, withdrawals and refunds. */

const params = z.strictObject({ hostId })

const ordered = z.strictObject({ host, invoice, transaction })
named('Ordered', ordered)
export type Ordered = z.infer<typeof ordered>
/** An order without documents: a trial and an order that a promo code has made free have none, and the documents of a payment by another account are not shown. */
const orderedHost = z.strictObject({ host })
export type OrderedHost = z.infer<typeof orderedHost>

/** The reasons why an order cannot be paid. The order is then refused: nothing is charged and nothing is made. */
const unpaid = { 402: ['insufficient_balance', 'payment_limit_reached', 'helper_limit_reached'] } as const

const orderRefused = errorWith(409, { plan, ...asksForTerms })
named('OrderRefusal', orderRefused)

export const orderHost = route({
  id: 'orderHost',
  tag: 'Licences',
  method: 'POST',
  path: '/api/hosts/order/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  summary: 'Add a host and order its licence from the balance',
  description:
    'Make a host and pay its licence from the balance, both or neither. A server needs `ipv4`, a program has no address',
  headers: idempotencyKey,
  body: z.strictObject({ ...newHost, ipv4: z.optional(ipv4), ...orderFields }),
  replies: { 200: orderedHost, 201: ordered, 409: orderRefused },
  errors: {
    400: [
      'invalid',
      'required',
      'invalid_ipv4',
      'invalid_ipv6',
      'unknown_plan',
      'unknown_promo',
      ...extraRefusals,
    ],
    ...unpaid,
    403: ['own_account'],
    409: ['too_many_hosts', ...orderConflicts],
    429: ['too_many_requests'],
  },
})

export const orderLicence = route({
  id: 'orderLicence',
  tag: 'Licences',
  method: 'POST',
  path: '/api/hosts/{hostId}/licence/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  tool: 'propose',
  summary: 'Order or renew the licence of a host',
  description: 'Order or renew the licence of a host: from its present end while it runs, from now otherwise',
  params,
  headers: idempotencyKey,
  body: z.strictObject(orderFields),
  replies: { 200: orderedHost, 201: ordered, 409: orderRefused },
  errors: {
    400: ['invalid', 'unknown_plan', 'unknown_promo', 'ipv4_required', ...extraRefusals],
    ...unpaid,
    403: ['own_account'],
    409: ['host_suspended', ...orderConflicts],
    429: ['too_many_requests'],
  },
})

const upgradeWish = {
  plan: slug,
  /** `all` changes queued periods of the same term, too; `present` changes the running period alone. */
  scope: z._default(z.enum(upgradeScopes), 'all'),
}

const upgradeRefused = ['not_an_upgrade', 'too_little_left', 'host_suspended'] as const

export const previewUpgrade = route({
  id: 'previewUpgrade',
  tag: 'Licences',
  method: 'POST',
  path: '/api/hosts/{hostId}/licence/preview/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  summary: 'What an upgrade or another plan at renewal would cost',
  description: 'With `when: end`: nothing is due now, and `renewal` is the price of the plan at the renewal',
  params,
  body: z.strictObject({
    ...upgradeWish,
    when: z._default(z.enum(['now', 'end']), 'now'),
    /** With `when: end`, the add-ons of the renewal; by default those that it has. */
    extras,
  }),
  replies: { 200: upgradePreview },
  errors: {
    400: ['unknown_plan', 'invalid', ...extraRefusals],
    409: [...upgradeRefused, 'licence_not_running'],
  },
})

export const upgradeLicence = route({
  id: 'upgradeLicence',
  tag: 'Licences',
  method: 'POST',
  path: '/api/hosts/{hostId}/licence/upgrade/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  summary: 'Upgrade the running licence to a higher edition now',
  description:
    'The unused time is credited on its invoice, and the new plan is charged to the same end, both or neither. `expected_total` is `pay_now` of the preview, `as_of` its time',
  params,
  headers: idempotencyKey,
  body: z.strictObject({
    ...upgradeWish,
    expected_total,
    as_of: z.optional(moment),
    order_reference,
    begin_now,
  }),
  replies: {
    201: z.strictObject({ host, credits: z.array(transaction), charges: z.array(transaction) }),
    409: errorWith(409, { preview: upgradePreview }),
  },
  errors: {
    400: ['unknown_plan'],
    ...unpaid,
    409: [...upgradeRefused, 'price_changed', 'billing_address_required', 'seller_incomplete'],
  },
})

export const chooseRenewalPlan = route({
  id: 'chooseRenewalPlan',
  tag: 'Licences',
  method: 'PUT',
  path: '/api/hosts/{hostId}/licence/renewal/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  summary: 'Choose the plan for the renewal of a licence',
  description:
    'Any plan, for no money now and free to change until the charge; the present plan takes the choice back. `expected_total` is `renewal` of the preview, `from` the `renewal_plan` that was shown',
  params,
  body: z.strictObject({
    plan: slug,
    from: slug,
    auto_renew: z.optional(z.boolean()),
    /** The add-ons of the renewal; left out, they stay. */
    extras,
    expected_total,
  }),
  replies: { 200: host, 409: errorWith(409, { preview: upgradePreview, present: host }) },
  errors: {
    400: ['unknown_plan', 'invalid', ...extraRefusals],
    403: ['not_allowed_for_role'],
    409: ['licence_not_running', 'price_changed', 'changed'],
  },
})

export const chooseRenewalExtras = route({
  id: 'chooseRenewalExtras',
  tag: 'Licences',
  method: 'PUT',
  path: '/api/hosts/{hostId}/licence/extras/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  summary: 'Choose the add-ons for the renewal of a licence',
  description:
    'All add-ons that it renews with, for no money now; an empty list takes none. `expected_total` is `renewal` of the preview with `when: end` and these `extras`',
  params,
  body: z.strictObject({ extras: chosenExtras, expected_total }),
  replies: { 200: host, 409: errorWith(409, { preview: upgradePreview }) },
  errors: {
    400: ['invalid', ...extraRefusals],
    403: ['not_allowed_for_role'],
    409: ['licence_not_running', 'price_changed'],
  },
})

const declared = z.strictObject({ declared_at: time(), proposed_refund: money })
named('Withdrawal', declared)
export type Declared = z.infer<typeof declared>

/** A period of paid runtime. `ended` is the reason for an early end; a withdrawal sets `refunded` at once, before the refund. */
const paidPeriod = z.strictObject({
  id: z.string(),
  /** The name of the plan at the time. */
  plan: translated(),
  term: z.enum(planTerms),
  kind: z.enum(periodKinds),
  starts_at: time(),
  ends_at: time(),
  ended: z.nullable(z.enum(periodEnds)),
  /** The price; null for a period that a former owner of the server bought. */
  total: z.nullable(money),
  ordered_at: time(),
  /** The invoice, or its latest version if it was reissued; null for a trial, and if another account paid. */
  invoice_id: z.nullable(z.string()),
  /** The withdrawal; only for a consumer who may withdraw from the order, or has done so. */
  withdrawal: z.optional(
    z.strictObject({ order_id: uuidText(), until: time(), declared: z.nullable(declared) }),
  ),
})
named('PaidPeriod', paidPeriod)
export type PaidPeriod = z.infer<typeof paidPeriod>

export const listPaidPeriods = route({
  id: 'listPaidPeriods',
  tag: 'Licences',
  method: 'GET',
  path: '/api/hosts/{hostId}/licence/history/',
  access: { who: 'customer', acts: seeMoney },
  fromReplica: true,
  viewable: true,
  summary: 'The paid terms of a host, newest first',
  params,
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(paidPeriod) },
})

export const withdrawLicence = route({
  id: 'withdrawLicence',
  tag: 'Licences',
  method: 'POST',
  path: '/api/hosts/{hostId}/licence/withdrawal/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Withdraw from an order',
  description: 'Within 14 days: ends the runtime, proposes a refund',
  params,
  body: z.strictObject({ order_id: uuid }),
  replies: { 201: declared },
  errors: { 404: ['not_found'], 409: ['not_withdrawable', 'withdrawal_over'] },
})

const waitingWithdrawal = z.strictObject({
  customer: z.strictObject({ id: uuidText(), name: z.string() }),
  declared_at: time(),
  proposed_refund: money,
  order_id: uuidText(),
  /** The payment of the order; if it was for several servers, it also paid their orders. */
  transaction,
})
named('WaitingWithdrawal', waitingWithdrawal)
export type WaitingWithdrawal = z.infer<typeof waitingWithdrawal>

export const listWithdrawals = route({
  id: 'listWithdrawals',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/withdrawals/',
  access: staff(readFinancePermission),
  summary: 'Withdrawals to refund',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(waitingWithdrawal) },
})

const paidServer = z.strictObject({
  order_id: uuidText(),
  host: z.strictObject({ id: z.string(), name: z.string() }),
  /** The name of the plan at the time. */
  plan: translated(),
  /** The months that were paid; null where an upgrade paid for the rest of a term. */
  months: z.nullable(z.int()),
  total: money,
  /** The amount that can still be refunded for this server. */
  left: money,
  /** The parts of `total` and of `left` that were paid for the months, without fees and one-offs. */
  total_of_time: money,
  left_of_time: money,
  /** The present owner, if that is another account by now, and the end of the paid term that they have of this payment; or else null. */
  next_owner: z.nullable(z.strictObject({ id: uuidText(), name: z.string(), until: time() })),
})
named('PaidServer', paidServer)
export type PaidServer = z.infer<typeof paidServer>

export const listPaidServers = route({
  id: 'listPaidServers',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/customers/{userId}/transactions/{id}/servers/',
  access: staff(readFinancePermission),
  summary: 'The servers that a transaction has paid for',
  description: 'The servers that a transaction has paid for; none where it paid no order',
  params: z.strictObject({ userId: uuid, id: uuid }),
  replies: { 200: z.strictObject({ items: z.array(paidServer) }) },
})

export const refundTransaction = route({
  id: 'refundTransaction',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/customers/{userId}/transactions/{id}/refund/',
  access: staff(refundPermission),
  tool: 'propose',
  summary: 'Refund a spending, whole or in part',
  description:
    'Refund a spending, whole or in part, never more than was spent; `amount` is any sum, `months` instead of it are the price of some of the paid months, without fees and one-offs, which stay paid. Of one that paid for several servers, `order_id` names the order. The paid term of a server that has another owner by now stays, unless `end_for_next_owner` says that it ends: then its owner is told by mail. Above your allowance it waits for a second person: 202',
  params: z.strictObject({ userId: uuid, id: uuid }),
  headers: idempotencyKey,
  body: z.strictObject({
    amount: z.optional(moneyGiven()),
    months: z.optional(z.int().check(z.gte(1), z.lte(months.P1Y))),
    order_id: z.optional(uuid),
    end_for_next_owner: z.optional(z.boolean()),
    reason,
  }),
  replies: { 201: transaction, 202: waitingReply },
  errors: {
    403: ['own_account'],
    409: ['not_refundable', 'already_proposed'],
    422: ['idempotency_key_reused'],
  },
})

/** A renewal was refused, and its owner is told. The host's row is locked. */
export const renewalRefused = event<{ user_id: string; host_id: string; host_name: string }>(
  'sales.renewal_refused',
)
