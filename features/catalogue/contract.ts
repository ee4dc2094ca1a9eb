import { VOUCHER_WORD } from '#features/finance/rules.ts'
import * as z from 'zod/mini'
import { waitingReply } from '#foundation/approvals.ts'
import { route } from '#foundation/contract.ts'
import { moment, requiredText, text, translated } from '#foundation/fields.ts'
import { idempotencyKey } from '#foundation/idempotency.ts'
import { moneyGiven } from '#foundation/money-given.ts'
import { money } from '#foundation/money.ts'
import { byTimeOrAmount, pageOf, pageQuery } from '#foundation/paging.ts'
import { count, named, time, uuidText } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { entitlements } from '#features/hosts/contract.ts'
import { terms } from '#features/licences/rules.ts'
import {
  areKeys,
  DESCRIPTION_LENGTH,
  FEATURE_LENGTH,
  isLease,
  MOST_FEATURES,
  MOST_OF_INT,
  voucherStates,
  MOST_TRIAL_DAYS,
} from './rules.ts'

/** Editions, plans and vouchers, for staff. */

export const readPermission = permission('catalogue.read', ['billing', 'admin'])
export const editPermission = permission('plans.edit', ['admin'], { proof: 'recent' })
export const vouchersPermission = permission('vouchers.make', ['billing', 'admin'], { proof: 'recent' })

export const slug = z
  .string()
  .check(z.maxLength(64, 'max_length'), z.regex(/^[a-z\d]+(?:-[a-z\d]+)*$/, 'invalid'))
/** A price before VAT has 11 digits at most in minor units. */
const PRICE_DIGITS = 11
export const name = z.strictObject({ en: requiredText(100), de: requiredText(100), ru: requiredText(100) })
/** The times from which a price counts for orders (by default at once) and for renewals (by default as early as allowed). */
const times = { from: z.optional(moment), renewals_from: z.optional(moment) }

const plan = z.strictObject({
  slug: z.string(),
  edition: z.string(),
  name: translated(),
  term: z.enum(terms),
  /** The price of an order now. */
  price_net: money,
  /** The price of a renewal now; after a rise it is lower than the price of an order. */
  renewal_price_net: money,
  /** The prices that will count for orders or renewals, the earliest first. */
  next_prices: z.array(z.strictObject({ price_net: money, from: time(), renewals_from: time() })),
  /** False if the plan is not sold any more; a server that has the plan may still renew it. */
  is_active: z.boolean(),
  sort: count(),
  /** The number of servers that renew this plan automatically. */
  renewing: count(),
  /** The plan with which they renew from a time on; null while they keep theirs. */
  moves: z.nullable(z.strictObject({ to: z.string(), from: time() })),
  version,
})
named('CataloguePlan', plan)
export type CataloguePlan = z.infer<typeof plan>

export const listCatalogue = route({
  id: 'listCatalogue',
  tag: 'Staff catalogue',
  method: 'GET',
  path: '/api/staff/plans/',
  access: staff(readPermission),
  summary: 'All plans, retired ones too, with net prices',
  replies: { 200: z.strictObject({ items: z.array(plan) }) },
})
named('Catalogue', listCatalogue.replies[200])

export const addPlan = route({
  id: 'addPlan',
  tag: 'Staff catalogue',
  method: 'POST',
  path: '/api/staff/plans/',
  access: staff(editPermission, 'none'),
  summary: 'Add a plan',
  body: z.strictObject({
    slug,
    name,
    term: z.enum(terms, { error: 'invalid' }),
    price_net: moneyGiven(PRICE_DIGITS),
    /** The edition of the plan; without it the plan becomes an edition of its own. */
    edition: z.optional(slug),
  }),
  replies: { 201: plan },
  errors: { 400: ['unknown_edition'], 409: ['slug_taken'] },
})

const params = z.strictObject({ slug })

export const changePlan = route({
  id: 'changePlan',
  tag: 'Staff catalogue',
  method: 'PATCH',
  path: '/api/staff/plans/{slug}/',
  access: staff(editPermission, 'none'),
  summary: 'Change a plan; orders stay as they were',
  description:
    'A price counts at once, or `from` a time on; a higher one for renewals 30 days later at the earliest. Fields that are left out stay',
  params,
  body: z.strictObject({
    name: z.optional(name),
    edition: z.optional(slug),
    price_net: z.optional(moneyGiven(PRICE_DIGITS)),
    ...times,
    is_active: z.optional(z.boolean()),
    sort: z.optional(z.int().check(z.gte(0, 'invalid'), z.lte(9999, 'invalid'))),
    version,
  }),
  replies: { 200: plan, 409: changedReply(plan) },
  errors: { 400: ['unknown_edition', 'too_soon'] },
})

export const previewPlanMove = route({
  id: 'previewPlanMove',
  tag: 'Staff catalogue',
  method: 'GET',
  path: '/api/staff/plans/{slug}/move/',
  access: staff(readPermission),
  summary: 'Who would move to another plan, at which price',
  params,
  query: z.strictObject({ to: slug, from: z.optional(moment) }),
  replies: {
    200: z.strictObject({
      hosts: count(),
      customers: count(),
      /** The prices of a renewal before VAT: now, and after the move. */
      price_net_before: money,
      price_net: money,
      /** Renewals from this time on are with the other plan. */
      from: time(),
    }),
  },
  errors: { 400: ['unknown_plan', 'too_soon'], 409: ['plan_on_sale'] },
})

export const movePlanCustomers = route({
  id: 'movePlanCustomers',
  tag: 'Staff catalogue',
  method: 'POST',
  path: '/api/staff/plans/{slug}/move/',
  access: staff(editPermission, 'none'),
  summary: 'Move the customers of a retired plan to another',
  description:
    'Servers that renew the plan by themselves renew with another one of the same term, 30 days after their owners got a mail at the earliest. Nobody pays more than the mail says',
  params,
  body: z.strictObject({ to: slug, from: z.optional(moment) }),
  replies: { 201: plan },
  errors: { 400: ['unknown_plan', 'too_soon'], 409: ['plan_on_sale', 'move_planned'] },
})

export const undoPlanMove = route({
  id: 'undoPlanMove',
  tag: 'Staff catalogue',
  method: 'DELETE',
  path: '/api/staff/plans/{slug}/move/',
  access: staff(editPermission, 'none'),
  summary: 'Undo the move of a plan before it counts',
  params,
  replies: { 200: plan },
  errors: { 409: ['move_in_effect'] },
})

const slugs = z.array(slug).check(z.maxLength(1000, 'invalid'))

export const orderPlans = route({
  id: 'orderPlans',
  tag: 'Staff catalogue',
  method: 'PUT',
  path: '/api/staff/plan-order/',
  access: staff(editPermission, 'none'),
  summary: 'Reorder the plans',
  description:
    'Put the plans into another order, which customers see. `from` is the order that the caller saw; another one by now is 409',
  body: z.strictObject({ slugs, from: slugs }),
  replies: { 200: listCatalogue.replies[200], 409: changedReply(listCatalogue.replies[200]) },
  errors: { 400: ['invalid'] },
})

export const previewPrice = route({
  id: 'previewPrice',
  tag: 'Staff catalogue',
  method: 'GET',
  path: '/api/staff/plans/{slug}/renewals/',
  access: staff(readPermission),
  summary: 'What renewals would cost at this price from a time on',
  params,
  query: z.strictObject({ price_net: z.string().check(z.regex(/^[1-9]\d{0,10}$/, 'invalid')), ...times }),
  replies: {
    200: z.strictObject({
      /** The time from which renewals would pay the price; null if it is the time for orders. */
      renewals_from: z.nullable(time()),
      /** The renewals by price, the dearest first. */
      items: z.array(z.strictObject({ price_net: money, hosts: count(), customers: count() })),
    }),
  },
})
named('RenewalPrices', previewPrice.replies[200])

export const inThree = <Text extends z.ZodMiniType>(text: Text) =>
  z.strictObject({ en: text, de: text, ru: text })
export const changedInThree = <Text extends z.ZodMiniType<string>>(text: Text) => {
  const some = z.optional(text)
  return z.strictObject({ en: some, de: some, ru: some })
}
export const description = text(DESCRIPTION_LENGTH)
const features = z.array(inThree(requiredText(FEATURE_LENGTH))).check(z.maxLength(MOST_FEATURES, 'invalid'))
const wholeNumber = z
  .int({ error: 'invalid' })
  .check(z.gte(-MOST_OF_INT, 'invalid'), z.lte(MOST_OF_INT, 'invalid'))
/** The entitlements of the edition, by key: a number, a text, or yes and no. */
const givenEntitlements = z
  .record(z.string(), z.union([z.boolean(), wholeNumber, text(200)], { error: 'invalid' }))
  .check(z.refine((all) => areKeys(Object.keys(all)) && isLease(all['lease_min']), { error: 'invalid' }))
const rank = z.int({ error: 'invalid' }).check(z.gte(0, 'invalid'), z.lte(9999, 'invalid'))
const trial_days = z.int({ error: 'invalid' }).check(z.gte(0, 'invalid'), z.lte(MOST_TRIAL_DAYS, 'invalid'))

const edition = z.strictObject({
  slug: z.string(),
  /** The product that the edition is one of. */
  product: z.string(),
  name: translated(),
  description: translated(),
  /** Sentences, in the order in which customers read them. */
  features: z.array(translated()),
  entitlements,
  /** The place among the editions: a higher rank means a larger edition. */
  rank: count(),
  /** The days for which customers may try the edition free of charge; 0 for no trial. */
  trial_days: count(),
  /** False if no plan of the edition is sold; a server that has such a plan may still renew it. */
  is_active: z.boolean(),
  version,
})
named('Edition', edition)
export type Edition = z.infer<typeof edition>

export const listEditions = route({
  id: 'listEditions',
  tag: 'Staff catalogue',
  method: 'GET',
  path: '/api/staff/editions/',
  access: staff(readPermission),
  summary: 'All editions, from the least to the most',
  replies: { 200: z.strictObject({ items: z.array(edition) }) },
})

export const addEdition = route({
  id: 'addEdition',
  tag: 'Staff catalogue',
  method: 'POST',
  path: '/api/staff/editions/',
  access: staff(editPermission, 'none'),
  summary: 'Add an edition, to be sold by its plans',
  body: z.strictObject({
    slug,
    /** By default the first product, `server`. An edition stays with its product. */
    product: z.optional(slug),
    name,
    description: inThree(description),
    features,
    entitlements: givenEntitlements,
    rank,
    trial_days: z._default(trial_days, 0),
  }),
  replies: { 201: edition },
  errors: { 400: ['invalid', 'unknown_product'], 409: ['slug_taken'] },
})

export const changeEdition = route({
  id: 'changeEdition',
  tag: 'Staff catalogue',
  method: 'PATCH',
  path: '/api/staff/editions/{slug}/',
  access: staff(editPermission, 'none'),
  summary: 'Change an edition; what runs keeps what it was sold with',
  description:
    'Fields and languages that are left out stay. Running licences gain added entitlements; changed or removed ones count for later purchases',
  params,
  body: z.strictObject({
    name: z.optional(changedInThree(requiredText(100))),
    description: z.optional(changedInThree(description)),
    features: z.optional(features),
    entitlements: z.optional(givenEntitlements),
    rank: z.optional(rank),
    trial_days: z.optional(trial_days),
    is_active: z.optional(z.boolean()),
    version,
  }),
  replies: { 200: edition, 409: changedReply(edition) },
  errors: { 400: ['invalid'] },
})

const voucherId = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'invalid'))

const voucher = z.strictObject({
  id: z.string(),
  amount: money,
  /** The number of customers who may redeem the voucher, each once; `used` counts those who did. */
  uses: count(),
  used: count(),
  note: z.string(),
  state: z.enum(voucherStates),
  expires_at: z.nullable(time()),
  created_at: time(),
  /** Null if the command line made the voucher. */
  made_by: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
  voided_at: z.nullable(time()),
  void_reason: z.nullable(z.string()),
})
named('MadeVoucher', voucher)
export type MadeVoucher = z.infer<typeof voucher>

export const listVouchers = route({
  id: 'listVouchers',
  tag: 'Staff catalogue',
  method: 'GET',
  path: '/api/staff/vouchers/',
  access: staff(readPermission),
  summary: 'The vouchers, without their codes',
  query: z.strictObject({ ...pageQuery, sort: byTimeOrAmount }),
  replies: { 200: pageOf(voucher) },
})

export const makeVoucher = route({
  id: 'makeVoucher',
  tag: 'Staff catalogue',
  method: 'POST',
  path: '/api/staff/vouchers/',
  access: staff(vouchersPermission, 'none'),
  summary: 'Create a voucher; its code is shown only this once',
  description:
    'Value times uses above your allowance waits for a second person: 202; the code counts once they approve',
  headers: idempotencyKey,
  body: z.strictObject({
    /** The value for each customer who redeems the voucher. */
    amount: moneyGiven(),
    uses: z.int({ error: 'invalid' }).check(z.gte(1, 'invalid'), z.lte(10_000, 'invalid')),
    expires_at: z.optional(moment),
    /** The purpose, for staff. */
    note: requiredText(200),
    /** A code of your own, for flyers; by default one that nobody can guess. Capitals, hyphens, O for 0 and I or L for 1 don't count. */
    word: z.optional(z.string().check(z.regex(VOUCHER_WORD, 'invalid'))),
  }),
  replies: {
    201: z.strictObject({ code: z.string(), voucher }),
    202: z.strictObject({ code: z.string(), ...waitingReply.shape }),
  },
  errors: {
    400: ['balance_cap', 'invalid'],
    409: ['already_proposed', 'voucher_code_taken'],
    422: ['idempotency_key_reused'],
  },
})
named('VoucherMade', makeVoucher.replies[201])
named('VoucherWaiting', makeVoucher.replies[202])

export const voidVoucher = route({
  id: 'voidVoucher',
  tag: 'Staff catalogue',
  method: 'POST',
  path: '/api/staff/vouchers/{id}/void/',
  access: staff(vouchersPermission, 'none'),
  summary: 'Void a voucher',
  description: 'Customers who redeemed it keep the money',
  params: z.strictObject({ id: voucherId }),
  body: z.strictObject({ reason: requiredText(200) }),
  replies: { 200: voucher },
})
