import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { requiredText, translated } from '#foundation/fields.ts'
import { moneyGiven } from '#foundation/money-given.ts'
import { money } from '#foundation/money.ts'
import { count, named } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { extraKinds, MOST_PIECES } from '#features/licences/rules.ts'
import { changedInThree, editPermission, name, readPermission, slug } from './contract.ts'

/** Extras, for staff: what is sold with an edition. */

const PRICE_DIGITS = 11
const most = z.int({ error: 'invalid' }).check(z.gte(1, 'invalid'), z.lte(MOST_PIECES, 'invalid'))

const extra = z.strictObject({
  slug: z.string(),
  edition: z.string(),
  /** A `setup` fee comes with the first order of the edition, an `addon` is renewed with the licence, a `once` is paid with an order that names it. */
  kind: z.enum(extraKinds),
  name: translated(),
  /** The price of one piece before VAT: of an add-on for a month. */
  price_net: money,
  /** The most pieces of one order; 1 for a fee. */
  most: count(),
  /** False if it is not sold any more; licences that have it keep it. */
  is_active: z.boolean(),
  version,
})
named('Extra', extra)
export type Extra = z.infer<typeof extra>

export const listExtras = route({
  id: 'listExtras',
  tag: 'Staff catalogue',
  method: 'GET',
  path: '/api/staff/extras/',
  access: staff(readPermission),
  summary: 'All extras of editions, retired ones too',
  replies: { 200: z.strictObject({ items: z.array(extra) }) },
})

export const addExtra = route({
  id: 'addExtra',
  tag: 'Staff catalogue',
  method: 'POST',
  path: '/api/staff/extras/',
  access: staff(editPermission, 'none'),
  summary: 'Add an extra to an edition',
  description: 'It can be ordered at once; a setup fee is due with the next first order of the edition',
  body: z.strictObject({
    slug,
    edition: slug,
    kind: z.enum(extraKinds, { error: 'invalid' }),
    name,
    price_net: moneyGiven(PRICE_DIGITS),
    most: z._default(most, 1),
  }),
  replies: { 201: extra },
  errors: { 400: ['invalid', 'unknown_edition'], 409: ['slug_taken'] },
})

export const changeExtra = route({
  id: 'changeExtra',
  tag: 'Staff catalogue',
  method: 'PATCH',
  path: '/api/staff/extras/{slug}/',
  access: staff(editPermission, 'none'),
  summary: 'Change an extra; what was agreed stays',
  description:
    'Fields and languages that are left out stay. A price counts for orders from now on; licences that have the extra renew it at the price that they have agreed to',
  params: z.strictObject({ slug }),
  body: z.strictObject({
    name: z.optional(changedInThree(requiredText(100))),
    price_net: z.optional(moneyGiven(PRICE_DIGITS)),
    most: z.optional(most),
    is_active: z.optional(z.boolean()),
    version,
  }),
  replies: { 200: extra, 409: changedReply(extra) },
  errors: { 400: ['invalid'] },
})
