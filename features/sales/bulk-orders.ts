import * as z from 'zod/mini'
import { spendMoney } from '#foundation/capability.ts'
import { route } from '#foundation/contract.ts'
import { errorWith } from '#foundation/error-contract.ts'
import { moment, requiredText, text, translated } from '#foundation/fields.ts'
import { idempotencyKey } from '#foundation/idempotency.ts'
import { money } from '#foundation/money.ts'
import { count, named, time, urlText } from '#foundation/printed.ts'
import { transaction } from '#features/finance/contract.ts'
import { hostId, ipv4, newHost } from '#features/hosts/contract.ts'
import { documentNote, invoiceSummary } from '#features/invoices/contract.ts'
import { REFERENCE_LENGTH } from '#features/invoices/rules.ts'
import { extraRefusals, extras } from '#features/licences/contract.ts'
import { asksForTerms, terms, termsErrors } from '#features/legal/contract.ts'
import { promo, promoConflicts } from '#features/licences/contract.ts'
import { bulkActs, bulkRefusals, MOST_NEW_SERVERS, MOST_SERVERS } from './rules.ts'

/** Orders for many servers at once, for all of them or for none: one charge and one invoice for each account that pays. */

const areApart = (ids: readonly string[]): boolean => new Set(ids).size === ids.length

export const bulkServers = {
  /** The servers, for every action but `order`. */
  host_ids: z.optional(
    z
      .array(hostId)
      .check(z.minLength(1), z.maxLength(MOST_SERVERS, 'invalid'), z.refine(areApart, { error: 'invalid' })),
  ),
  /** The new servers, or programs, for `order`; `ipv4` and `extras` as in an order of one. */
  hosts: z.optional(
    z
      .array(z.strictObject({ ...newHost, ipv4: z.optional(ipv4), extras }))
      .check(z.minLength(1), z.maxLength(MOST_NEW_SERVERS, 'invalid')),
  ),
}

const wish = {
  act: z.enum(bulkActs),
  ...bulkServers,
  /** The plan. It is not needed for `auto_renew`; without it, `renew` renews each server with the plan for the end of its paid time. */
  plan: z.optional(requiredText(64)),
  /** A promo code, for `order` and `renew`: it counts one use, and an amount is taken off once for all servers. */
  promo,
}

const refusedServer = z.strictObject({
  /** Null for a new server. */
  host_id: z.nullable(z.string()),
  /** The place in `host_ids`, or in `hosts`. */
  place: count(),
  name: z.string(),
  code: z.enum(bulkRefusals),
})
named('RefusedServer', refusedServer)

export const bulkPreview = z.strictObject({
  /** The time of the preview: an upgrade that sends it until `valid_until` costs exactly these prices. */
  as_of: time(),
  valid_until: time(),
  servers: z.array(
    z.strictObject({
      host_id: z.nullable(z.string()),
      place: count(),
      name: z.string(),
      plan: translated(),
      starts_at: time(),
      ends_at: time(),
      /** The credit that an upgrade gives for the unused time. */
      credit: money,
      /** The price with this server's share of the VAT. */
      price: money,
      /** The place in `payments`; null if nothing is due now. */
      payment: z.nullable(count()),
    }),
  ),
  payments: z.array(
    z.strictObject({
      /** The name of the account that pays; null for the owner of the servers. */
      payer: z.nullable(z.string()),
      net: money,
      vat: money,
      /** In percent, as text: `'19'`, `'25.5'`. */
      vat_rate: z.string(),
      /** As in a plan: the reason why the seller charges no VAT as a small business. */
      vat_note: z.optional(documentNote),
      charge: money,
      credit: money,
      /** The charge less the credit; below zero if the credit is larger. */
      pay_now: money,
      /** The balance afterwards: below zero if it does not suffice; null if another account pays. */
      balance_after: z.nullable(money),
      refusal: z.nullable(z.enum(['insufficient_balance', 'payment_limit_reached'])),
    }),
  ),
  /** The price of the action now; for `renewal_plan` the price of the renewals. */
  expected_total: money,
  /** The servers for which the action would be refused; the prices are those of the other servers. */
  refused: z.array(refusedServer),
  /** The address of the instruction on withdrawal, as in a plan: if it is set, an order has to send `begin_now`. */
  withdrawal_url: z.optional(urlText()),
})
named('BulkPreview', bulkPreview)
export type BulkPreview = z.infer<typeof bulkPreview>

export const previewBulk = route({
  id: 'previewBulk',
  tag: 'Licences',
  method: 'POST',
  path: '/api/hosts/bulk/preview/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  summary: 'What an action for many servers would cost, and for which it would be refused',
  description:
    'Writes nothing. With `for` the servers of an account that lets you act for it. A server that is not there is 404 for all',
  body: z.strictObject(wish),
  replies: { 200: bulkPreview },
  errors: {
    400: ['invalid', 'invalid_ipv4', 'invalid_ipv6', 'unknown_promo', ...extraRefusals],
    403: ['not_allowed_for_role'],
    404: ['not_found'],
    409: [...promoConflicts],
  },
})

export const orderBulk = route({
  id: 'orderBulk',
  tag: 'Licences',
  method: 'POST',
  path: '/api/hosts/bulk/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  summary: 'Order, renew or upgrade many servers at once, or set how they renew',
  description:
    'All of it or nothing: one charge and one invoice for each account that pays, with a line for each server. `expected_total` is that of the preview, `as_of` its time',
  headers: idempotencyKey,
  body: z.strictObject({
    ...wish,
    /** The total of the preview; compared and never charged (rule 46). Every action but `auto_renew` requires it. */
    expected_total: z.optional(money),
    as_of: z.optional(moment),
    /** The switch for `auto_renew`: on or off. */
    auto_renew: z.optional(z.boolean()),
    /** The buyer's own number of this order, printed on its invoices. */
    order_reference: z.optional(text(REFERENCE_LENGTH)),
    terms,
    /** True if a consumer asks for the service to begin at once; required if the preview has a `withdrawal_url`. */
    begin_now: z.optional(z.boolean()),
  }),
  replies: {
    200: z.strictObject({
      servers: z.array(z.strictObject({ id: z.string(), name: z.string() })),
      /** The payments of the owner; payments of another account are answered without documents. */
      transactions: z.array(transaction),
      invoices: z.array(invoiceSummary),
    }),
    409: errorWith(409, { preview: bulkPreview, ...asksForTerms }),
  },
  errors: {
    400: ['invalid', 'invalid_ipv4', 'invalid_ipv6', 'unknown_promo', ...extraRefusals],
    402: ['insufficient_balance', 'payment_limit_reached', 'helper_limit_reached'],
    403: ['not_allowed_for_role'],
    404: ['not_found'],
    409: [
      'servers_refused',
      'price_changed',
      'too_many_hosts',
      'billing_address_required',
      'seller_incomplete',
      ...termsErrors,
      ...promoConflicts,
    ],
  },
})
