import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { moment, pastedKey, text } from '#foundation/fields.ts'
import { moneyGiven } from '#foundation/money-given.ts'
import { money } from '#foundation/money.ts'
import { byTime, pageOf, pageQuery } from '#foundation/paging.ts'
import { count, named, time, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { readPermission, slug, vouchersPermission } from './contract.ts'
import { MOST_PROMO_RENEWALS, PROMO_CODE, promoStates } from './rules.ts'

/** Promo codes, for staff. */

const promoCode = z.strictObject({
  id: z.string(),
  code: z.string(),
  /** Null for an amount. */
  percent: z.nullable(z.int()),
  /** Off one order before VAT; null for a percentage. */
  amount: z.nullable(money),
  /** Null for each edition. */
  editions: z.nullable(z.array(z.string())),
  /** True for accounts for which nothing was ever paid. */
  first_order_only: z.boolean(),
  /** The renewals after the order for which it holds. */
  renewals: count(),
  /** The number of accounts that may order with it, each once; `used` counts those who did. */
  uses: count(),
  used: count(),
  note: z.string(),
  state: z.enum(promoStates),
  expires_at: z.nullable(time()),
  created_at: time(),
  /** Null if the command line made it. */
  made_by: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
  ended_at: z.nullable(time()),
})
named('PromoCode', promoCode)
export type PromoCode = z.infer<typeof promoCode>

const whole = (least: number, most: number) =>
  z.int({ error: 'invalid' }).check(z.gte(least, 'invalid'), z.lte(most, 'invalid'))

export const listPromoCodes = route({
  id: 'listPromoCodes',
  tag: 'Staff catalogue',
  method: 'GET',
  path: '/api/staff/promo-codes/',
  access: staff(readPermission),
  summary: 'The promo codes',
  query: z.strictObject({ ...pageQuery, sort: byTime }),
  replies: { 200: pageOf(promoCode) },
})

export const makePromoCode = route({
  id: 'makePromoCode',
  tag: 'Staff catalogue',
  method: 'POST',
  path: '/api/staff/promo-codes/',
  access: staff(vouchersPermission, 'none'),
  summary: 'Create a promo code',
  description: 'It takes `percent` or `amount` off the price of an order before VAT: one of both',
  body: z.strictObject({
    code: pastedKey(32).check(z.regex(PROMO_CODE, 'invalid')),
    percent: z.optional(whole(1, 100)),
    amount: z.optional(moneyGiven()),
    /** The editions that it is for; by default each. */
    editions: z.optional(z.array(slug).check(z.minLength(1), z.maxLength(50, 'invalid'))),
    first_order_only: z._default(z.boolean(), false),
    renewals: z._default(whole(0, MOST_PROMO_RENEWALS), 0),
    uses: whole(1, 100_000),
    expires_at: z.optional(moment),
    /** The purpose, for staff. */
    note: z._default(text(200), ''),
  }),
  replies: { 201: promoCode },
  errors: { 400: ['invalid', 'required', 'unknown_edition'], 409: ['promo_code_taken'] },
})

export const endPromoCode = route({
  id: 'endPromoCode',
  tag: 'Staff catalogue',
  method: 'POST',
  path: '/api/staff/promo-codes/{id}/end/',
  access: staff(vouchersPermission, 'none'),
  summary: 'End a promo code',
  description: 'No order can use it any more; servers that have it keep it for their renewals',
  params: z.strictObject({ id: z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'invalid')) }),
  replies: { 200: promoCode },
})
