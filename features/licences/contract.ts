import * as z from 'zod/mini'
import { event, route } from '#foundation/contract.ts'
import { moment, multilineText, requiredText, translated, uuid } from '#foundation/fields.ts'
import { idempotencyKey } from '#foundation/idempotency.ts'
import { money } from '#foundation/money.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { errorWith } from '#foundation/error-contract.ts'
import { count, named, time, urlText, uuidText } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'
import { readFinancePermission, transaction } from '#features/finance/contract.ts'
import { seeMoney, spendMoney } from '#foundation/capability.ts'
import { entitlements, host, hostId, ipv4, newHost, seeHosts } from '#features/hosts/contract.ts'
import { documentNote, invoice } from '#features/invoices/contract.ts'
import { asksForTerms } from '#features/legal/contract.ts'
import { suspensionReasons } from '#features/hosts/rules.ts'
import { figures } from './figures.ts'
import {
  begin_now,
  expected_total,
  orderConflicts,
  orderFields,
  order_reference,
  slug,
} from './order-fields.ts'
import { NOTE_LENGTH, terms as planTerms, TEXT_LENGTH } from './rules.ts'
import { upgradeScopes } from './upgrade-rules.ts'
import { upgradePreview } from './upgrade-preview.ts'
import { validation, validationRequest } from './validation.ts'

/** Paid runtime for hosts (rows H-02, H-03, V-04): the plans on offer, the orders, and the paid periods. */

const params = z.strictObject({ hostId })

/** Plans that can be bought, at the price for this customer. No request can express a price (rule 11). */
const plan = z.strictObject({
  slug: z.string(),
  name: translated(),
  /** The edition that the plan sells for its term. All plans of an edition have the same entitlements. */
  edition: z.strictObject({ slug: z.string(), name: translated() }),
  description: translated(),
  /** Sentences about the edition, in the operator's order. */
  features: z.array(translated()),
  entitlements,
  term: z.enum(planTerms),
  price_net: money,
  /** In percent, as text: `'19'`, `'25.5'`. */
  vat_rate: z.string(),
  vat: money,
  /** Set if the seller charges no VAT as a small business: the reason, to be shown in place of the rate. */
  vat_note: z.optional(documentNote),
  price_total: money,
  /** The greatest total for which the invoice need not name its buyer. */
  nameless_up_to: money,
  /** `price_total` for one month of the term, rounded. */
  per_month: money,
  /** The saving against paying the edition by the month, also in whole percent; null below one percent. */
  saving: z.nullable(z.strictObject({ amount: money, percent: z.string() })),
  /** The days for which the caller may try the edition; 0 if they may not, for example after a trial of it or while paid time runs. */
  trial_days: count(),
  /** The address of the instruction on withdrawal; set for a consumer in the EU, whose order has to send `begin_now`. */
  withdrawal_url: z.optional(urlText()),
  /** True if the host's licence can be upgraded to this plan now; set only if the call names a host. */
  upgrade: z.optional(z.boolean()),
})
named('Plan', plan)
export type Plan = z.infer<typeof plan>

export const listPlans = route({
  id: 'listPlans',
  tag: 'Licences',
  method: 'GET',
  path: '/api/plans/',
  access: { who: 'customer', acts: seeMoney },
  viewable: true,
  summary: 'The plans on offer, with the VAT of the caller',
  description:
    'The plans on offer, with the VAT of the caller; for a host also the retired plan that it still has',
  query: z.strictObject({ host: z.optional(hostId) }),
  replies: { 200: z.strictObject({ items: z.array(plan) }) },
  errors: { 404: ['not_found'] },
})

const ordered = z.strictObject({ host, invoice, transaction })
named('Ordered', ordered)
export type Ordered = z.infer<typeof ordered>
/** An order without documents: a trial has none, and the documents of a payment by another account are not shown. */
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
  summary: 'Make a host and pay its licence from the balance',
  description: 'Make a host and pay its licence from the balance, both or neither',
  headers: idempotencyKey,
  body: z.strictObject({ ...newHost, ipv4, ...orderFields }),
  replies: { 200: orderedHost, 201: ordered, 409: orderRefused },
  errors: {
    400: ['invalid_ipv4', 'invalid_ipv6', 'unknown_plan'],
    ...unpaid,
    409: ['too_many_hosts', ...orderConflicts],
  },
})

export const orderLicence = route({
  id: 'orderLicence',
  tag: 'Licences',
  method: 'POST',
  path: '/api/hosts/{hostId}/licence/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  summary: 'Order or renew the licence of a host',
  description: 'Order or renew the licence of a host: from its present end while it runs, from now otherwise',
  params,
  headers: idempotencyKey,
  body: z.strictObject(orderFields),
  replies: { 200: orderedHost, 201: ordered, 409: orderRefused },
  errors: {
    400: ['unknown_plan', 'ipv4_required'],
    ...unpaid,
    409: ['host_suspended', ...orderConflicts],
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
  summary: 'What an upgrade or a plan at the end would cost',
  description: 'With `when: end`: nothing is due now, and `renewal` is the price of the plan at the renewal',
  params,
  body: z.strictObject({ ...upgradeWish, when: z._default(z.enum(['now', 'end']), 'now') }),
  replies: { 200: upgradePreview },
  errors: { 400: ['unknown_plan'], 409: [...upgradeRefused, 'licence_not_running'] },
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
    409: [...upgradeRefused, 'price_changed', 'billing_address_required'],
  },
})

export const chooseRenewalPlan = route({
  id: 'chooseRenewalPlan',
  tag: 'Licences',
  method: 'PUT',
  path: '/api/hosts/{hostId}/licence/renewal/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  summary: 'Choose the plan with which a licence goes on at its end',
  description:
    'Any plan, for no money now and free to change until the charge; the present plan takes the choice back. `expected_total` is `renewal` of the preview, `from` the `renewal_plan` that was shown',
  params,
  body: z.strictObject({ plan: slug, from: slug, auto_renew: z.optional(z.boolean()), expected_total }),
  replies: { 200: host, 409: errorWith(409, { preview: upgradePreview, present: host }) },
  errors: {
    400: ['unknown_plan'],
    403: ['not_allowed_for_role'],
    409: ['licence_not_running', 'price_changed', 'changed'],
  },
})

const declared = z.strictObject({ declared_at: time(), proposed_refund: money })
named('Withdrawal', declared)
export type Declared = z.infer<typeof declared>

/** A period of paid runtime. `ended` is the reason for an early end; a withdrawal sets `refunded` at once, before the refund. */
export const paidPeriod = z.strictObject({
  id: z.string(),
  /** The name of the plan at the time. */
  plan: translated(),
  term: z.enum(planTerms),
  kind: z.enum(['order', 'renewal', 'auto_renewal', 'upgrade', 'trial']),
  starts_at: time(),
  ends_at: time(),
  ended: z.nullable(z.enum(['refunded', 'deleted', 'upgraded'])),
  /** The price; null for a period that a former owner of the server bought. */
  total: z.nullable(money),
  ordered_at: time(),
  /** The invoice, or its latest version if it was issued again; null for a trial, and if another account paid. */
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
  summary: 'The paid runtime of a host, newest first',
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

export const validateLicence = route({
  id: 'validateLicence',
  tag: 'Licences',
  method: 'POST',
  path: '/api/licences/validate/',
  access: { who: 'anyone' },
  limits: ['validation'],
  summary: 'Whether the licence of a key counts now',
  description:
    'Whether the licence of a key counts now, for software that asks. 60 a minute for a key, 600 for an address',
  body: validationRequest,
  errors: { 400: ['invalid_ipv4', 'invalid_ipv6'] },
  replies: { 200: validation },
})

export const getDocument = route({
  id: 'getDocument',
  tag: 'Licences',
  method: 'GET',
  path: '/api/hosts/{hostId}/licence/document',
  access: { who: 'customer', acts: seeHosts },
  summary: 'The signed licence of a host as a file',
  description: 'The signed licence of a host as a file (application/jose), to check without a network',
  params,
  responseType: 'application/jose',
  replies: { 200: null },
})

export const checkIn = route({
  id: 'checkIn',
  tag: 'Agents',
  method: 'POST',
  path: '/api/agent/check-in/',
  access: { who: 'agent' },
  summary: 'Check in: report metrics, get the licence',
  description:
    'A machine reports that it is running: its metrics, the time of its next check-in and its signed licence. 429 above 20 in 10 s',
  body: figures,
  replies: {
    200: z.strictObject({
      interval_s: count(),
      licence: z.string(),
      /** The names of keys that the agent must not trust any more. */
      withdrawn_keys: z.array(z.string()),
      /** The number of the newest list of revoked documents. */
      revocations_seq: count(),
    }),
  },
})

const paidServer = z.strictObject({
  order_id: uuidText(),
  host: z.strictObject({ id: z.string(), name: z.string() }),
  /** The name of the plan at the time. */
  plan: translated(),
  total: money,
  /** The amount that can still be refunded for this server. */
  left: money,
  /** The present owner, if that is another account by now, and the end of the paid time that they have of this payment; or else null. */
  next_owner: z.nullable(z.strictObject({ id: uuidText(), name: z.string(), until: time() })),
})
named('PaidServer', paidServer)

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

const suspendPermission = permission('hosts.suspend', ['billing', 'admin'], { proof: 'recent' })
/** The note for staff. */
const note = requiredText(NOTE_LENGTH)

export const suspendHost = route({
  id: 'suspendHost',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/hosts/{hostId}/suspension/',
  access: staff(suspendPermission),
  summary: 'Suspend a host; its paid time runs on',
  description:
    'Suspend a host: its licence does not count, nothing is bought for it, and its paid time runs on. The customer is mailed `text`; `note` is for staff',
  params,
  body: z.strictObject({
    reason: z.enum(suspensionReasons),
    text: z._default(multilineText(TEXT_LENGTH), ''),
    note,
  }),
  replies: { 201: host },
  errors: { 403: ['own_account'], 409: ['already_suspended'] },
})

export const resumeHost = route({
  id: 'resumeHost',
  tag: 'Staff customers',
  method: 'DELETE',
  path: '/api/staff/hosts/{hostId}/suspension/',
  access: staff(suspendPermission),
  summary: 'Lift the suspension of a host',
  params,
  body: z.strictObject({ note }),
  replies: { 200: host },
  errors: { 403: ['own_account'], 409: ['not_suspended'] },
})

/** A host was suspended, or may run again. */
export const suspensionChanged = event<{ user_id: string }>('licences.suspension_changed')
