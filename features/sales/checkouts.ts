import * as z from 'zod/mini'
import { topUp } from '#features/finance/contract.ts'
import { providerNames } from '#features/finance/rules.ts'
import { hostId, ipv4, newHost } from '#features/hosts/contract.ts'
import { asksForTerms, terms } from '#features/legal/contract.ts'
import { extraRefusals, extras, plan, promo } from '#features/licences/contract.ts'
import { seeMoney, spendMoney } from '#foundation/capability.ts'
import { route } from '#foundation/contract.ts'
import { errorWith } from '#foundation/error-contract.ts'
import { moment, translated } from '#foundation/fields.ts'
import { idempotencyKey } from '#foundation/idempotency.ts'
import { money } from '#foundation/money.ts'
import { moneyGiven } from '#foundation/money-given.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { count, named, time } from '#foundation/printed.ts'
import { bulkPreview, bulkServers } from './bulk-orders.ts'
import { begin_now, expected_total, orderConflicts, order_reference, slug } from './order-fields.ts'
import { checkoutPurposes, checkoutStates, paidBulkActs, upgradeScopes } from './rules.ts'
import { upgradePreview } from './upgrade-preview.ts'

/** Checkouts: orders, renewals and upgrades that the customer pays as they are made, by what the balance lacks (rule 46). */

/** A checkout with its payment. */
export const checkout = z.strictObject({
  id: z.string(),
  for: z.enum(checkoutPurposes),
  state: z.enum(checkoutStates),
  /** The price that was shown, of which the balance lacked the amount of `top_up`. */
  total: money,
  top_up: topUp,
  /** Null for `top_up`, and for a renewal of several servers with their own plans. */
  plan: z.nullable(translated()),
  /** The server; null until an order has made it. */
  host_id: z.nullable(z.string()),
  /** The name of the server, or the name that was chosen for it; empty if none was. */
  host_name: z.string(),
  /** For `bulk`, what is done for several servers. */
  bulk: z.optional(z.strictObject({ act: z.enum(paidBulkActs), servers: count() })),
  /** The code of the error by which the order was refused when the money had come, or `payment_failed`; null otherwise. */
  refusal: z.nullable(z.string()),
  created_at: time(),
  /** Money that comes later stays on the balance. */
  expires_at: time(),
  ended_at: z.nullable(time()),
})
named('Checkout', checkout)
export type Checkout = z.infer<typeof checkout>

const params = z.strictObject({ id: z.string().check(z.regex(/^[\w-]{22}$/)) })

export const createCheckout = route({
  id: 'createCheckout',
  tag: 'Finances',
  method: 'POST',
  path: '/api/finances/checkouts/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  summary: 'Pay what the balance lacks, and order with it',
  description:
    'Everything that would refuse the order refuses it here. Pay on `top_up.redirect_url`, or by the details in `top_up.bank`: once the money has come, the order is done in the same moment; if it cannot be done any more, the money stays on the balance. `order` makes a server and needs `plan` and, but for a program, `ipv4`; `renewal` (which also orders a licence for a server) and `upgrade` need `host_id` and `plan`, `bulk` needs `bulk`, whose `act` and servers are those of `POST /api/hosts/bulk/`, and `top_up` needs `amount`. With `method` a saved payment method is charged: `done` if its payment has come already; otherwise it is under way, or must be allowed on `top_up.redirect_url`',
  headers: idempotencyKey,
  body: z.strictObject({
    for: z.enum(checkoutPurposes),
    /** The way to pay; absent with `method`. */
    provider: z.optional(z.enum(providerNames)),
    /** The saved payment method that is charged, instead of a payment on the provider's page. */
    method: z.optional(z.string().check(z.regex(/^[\w-]{22}$/))),
    ...newHost,
    ipv4: z.optional(ipv4),
    host_id: z.optional(hostId),
    plan: z.optional(slug),
    scope: z.optional(z.enum(upgradeScopes)),
    as_of: z.optional(moment),
    bulk: z.optional(z.strictObject({ act: z.enum(paidBulkActs), ...bulkServers })),
    amount: z.optional(moneyGiven()),
    expected_total: z.optional(expected_total),
    /** The amount to pay that was shown; if another is due, nothing is written, and the answer is 409 `payment_changed`. */
    expected_payment: z.optional(money),
    order_reference,
    begin_now,
    terms,
    promo,
    /** As in an order; of several servers, each has its own. */
    extras,
  }),
  replies: {
    201: checkout,
    409: errorWith(409, { plan, preview: z.union([upgradePreview, bulkPreview]), ...asksForTerms }),
  },
  errors: {
    400: [
      'required',
      'invalid',
      'invalid_ipv4',
      'invalid_ipv6',
      'unknown_plan',
      'unknown_promo',
      ...extraRefusals,
      'ipv4_required',
      'amount_too_small',
      'amount_too_large',
      'amount_too_fine',
      'balance_cap',
      'provider_not_offered',
    ],
    402: ['insufficient_balance', 'payment_limit_reached', 'helper_limit_reached', 'charge_declined'],
    403: ['not_allowed_for_role', 'own_account'],
    404: ['not_found'],
    409: [
      'balance_suffices',
      'payment_changed',
      'method_not_usable',
      'too_many_checkouts',
      'too_many_transfers',
      'too_many_hosts',
      'host_suspended',
      'not_an_upgrade',
      'too_little_left',
      'servers_refused',
      ...orderConflicts,
    ],
    422: ['idempotency_key_reused'],
    429: ['too_many_requests'],
    503: ['payment_provider_unavailable'],
  },
})

export const getCheckout = route({
  id: 'getCheckout',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/checkouts/{id}/',
  access: { who: 'customer', acts: seeMoney },
  summary: 'The state of a checkout',
  params,
  replies: { 200: checkout },
})

export const listCheckouts = route({
  id: 'listCheckouts',
  tag: 'Finances',
  method: 'GET',
  path: '/api/finances/checkouts/',
  access: { who: 'customer', acts: seeMoney },
  viewable: true,
  summary: 'The orders that wait for their money, newest first',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(checkout) },
})

export const cancelCheckout = route({
  id: 'cancelCheckout',
  tag: 'Finances',
  method: 'DELETE',
  path: '/api/finances/checkouts/{id}/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'allowed' },
  summary: 'Cancel an order that waits for its money',
  description: 'Cancelling again answers the same. Money that arrives afterwards stays on the balance.',
  params,
  replies: { 200: checkout },
  errors: { 404: ['not_found'], 409: ['checkout_not_open'] },
})

export const continueCheckout = route({
  id: 'continueCheckout',
  tag: 'Finances',
  method: 'POST',
  path: '/api/finances/checkouts/{id}/payment/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  summary: 'Get the payment page of an open order',
  description:
    'For an order whose provider did not answer when it was made. Asked again, the answer has the same page.',
  params,
  replies: { 200: checkout },
  errors: {
    404: ['not_found'],
    402: ['charge_declined'],
    409: ['checkout_not_open'],
    503: ['payment_provider_unavailable'],
  },
})
