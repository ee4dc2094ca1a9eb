import * as z from 'zod/mini'
import { event, route } from '#foundation/contract.ts'
import { multilineText, pastedKey, requiredText, translated } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'
import { count, named, time, urlText } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'
import { seeMoney, spendMoney } from '#foundation/capability.ts'
import { changeHosts, entitlements, host, hostId, seeHosts } from '#features/hosts/contract.ts'
import { documentNote } from '#features/invoices/contract.ts'
import { suspensionReasons } from '#features/hosts/rules.ts'
import { extraOfPlan } from './extra-fields.ts'
import { figures } from './figures.ts'
import { fingerprint } from './machines.ts'
import { NOTE_LENGTH, terms as planTerms, TEXT_LENGTH } from './rules.ts'
import { productOfPlan } from './products.ts'
import { promoConflicts, promoOfPlan } from './promo-fields.ts'
import { validation, validationRequest } from './validation.ts'

export { promo, promoConflicts } from './promo-fields.ts'
export { chosenExtras, extras, extraRefusals, type ChosenExtras } from './extra-fields.ts'

/** Licences (rows H-02, V-04): the plans on offer, signed licences, validation and suspensions. */

const params = z.strictObject({ hostId })

/** Plans that can be bought, at the price for this customer. No request can express a price (rule 11). */
export const plan = z.strictObject({
  slug: z.string(),
  name: translated(),
  /** The edition that the plan sells for its term. All plans of an edition have the same entitlements. */
  edition: z.strictObject({ slug: z.string(), name: translated() }),
  /** The product of the edition. */
  product: z.optional(productOfPlan),
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
  /**
   * Set if the extras can bring an order above the threshold for sales to consumers elsewhere in the EU: an order of more than `net` before
   * VAT has this rate on all of it, and no `vat_note`.
   */
  vat_above: z.optional(z.strictObject({ net: money, vat_rate: z.string() })),
  price_total: money,
  /** Set if a promo code lowers the prices above: one that was typed, or one that the last order of the host has left. */
  promo: z.optional(promoOfPlan),
  /** The extras of the plan, without which the prices above are; left out if there are none. */
  extras: z.optional(z.array(extraOfPlan)),
  /** The greatest total for which the invoice need not name its buyer. */
  nameless_up_to: money,
  /** `price_total` for one month of the term, rounded. */
  per_month: money,
  /** The saving against paying the edition by the month, also in whole percent; null below one percent. */
  saving: z.nullable(z.strictObject({ amount: money, percent: z.string() })),
  /** The days for which the caller may try the edition; 0 if they may not, for example after a trial of it or while a paid term runs. */
  trial_days: count(),
  /** The address of the instruction on withdrawal; set for a consumer in the EU, whose order has to send `begin_now` unless all of it is free. */
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

export const previewPromo = route({
  id: 'previewPromo',
  tag: 'Licences',
  method: 'POST',
  path: '/api/plans/promo/',
  access: { who: 'customer', acts: spendMoney, whileBlocked: 'refused' },
  summary: 'What the plans cost with a promo code',
  description:
    'Writes nothing: an order that sends the code as `promo` uses it. A plan that the code lowers has `promo`. Ten unknown codes in ten minutes are the most: 429',
  body: z.strictObject({ code: pastedKey(40), host: z.optional(hostId) }),
  replies: {
    200: z.strictObject({
      code: z.string(),
      percent: z.nullable(z.int()),
      /** Off one order before VAT; null for a percentage. */
      amount: z.nullable(money),
      /** The renewals after the order for which it goes on to hold. */
      renewals: count(),
      /** The last moment of an order with it; null if there is none. */
      expires_at: z.nullable(time()),
      items: z.array(plan),
    }),
  },
  errors: {
    400: ['unknown_promo'],
    403: ['own_account'],
    404: ['not_found'],
    409: [...promoConflicts],
    429: ['too_many_requests'],
  },
})

export const validateLicence = route({
  id: 'validateLicence',
  tag: 'Licences',
  method: 'POST',
  path: '/api/licences/validate/',
  access: { who: 'anyone' },
  limits: ['validation'],
  summary: 'Whether the licence of a key is valid now',
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
  description:
    'The signed licence of a host as a file (application/jose), to check without a network. That of a program is made for a machine, by POST. 409 for a licence that floats',
  params,
  responseType: 'application/jose',
  replies: { 200: null },
  errors: { 409: ['needs_machine', 'licence_floats'] },
})

export const makeDocument = route({
  id: 'makeDocument',
  tag: 'Licences',
  method: 'POST',
  path: '/api/hosts/{hostId}/licence/document',
  access: { who: 'customer', acts: changeHosts, whileBlocked: 'allowed' },
  summary: 'The signed licence for one machine, as a file',
  description:
    'The signed licence as a file that counts on the machine of this fingerprint alone. The machine takes a place of the licence, as one that asks does',
  params,
  body: z.strictObject({ fingerprint, hostname: z.optional(requiredText(253)) }),
  responseType: 'application/jose',
  replies: { 200: null },
  errors: { 409: ['licence_floats'] },
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

const suspendPermission = permission('hosts.suspend', ['billing', 'admin'], { proof: 'recent' })
/** The note for staff. */
const note = requiredText(NOTE_LENGTH)

export const suspendHost = route({
  id: 'suspendHost',
  tag: 'Staff customers',
  method: 'POST',
  path: '/api/staff/hosts/{hostId}/suspension/',
  access: staff(suspendPermission),
  summary: 'Suspend a host; its paid term runs on',
  description:
    'Suspend a host: its licence does not count, nothing is bought for it, and its paid term runs on. The customer is mailed `text`; `note` is for staff',
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
  query: z.strictObject({ note }),
  replies: { 200: host },
  errors: { 403: ['own_account'], 409: ['not_suspended'] },
})

/** A host was suspended, or may run again. */
export const suspensionChanged = event<{ user_id: string }>('licences.suspension_changed')
