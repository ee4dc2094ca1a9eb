import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { translated } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'
import { count, named } from '#foundation/printed.ts'
import { entitlements } from '#features/hosts/contract.ts'
import { productKinds, terms } from './rules.ts'

/** Products: what is sold, each in editions, and each edition by plans. */

/** A product as its plans name it. */
export const productOfPlan = z.strictObject({
  slug: z.string(),
  name: translated(),
  /** A licence for a `server` counts at its address, one for a `program` on machines. */
  kind: z.enum(productKinds),
  /** True if an order names the address of the server. */
  asks_address: z.boolean(),
})

const soldPlan = z.strictObject({
  slug: z.string(),
  name: translated(),
  term: z.enum(terms),
  /** The price of an order now, before VAT. */
  price_net: money,
})
named('SoldPlan', soldPlan)

const soldEdition = z.strictObject({
  slug: z.string(),
  name: translated(),
  description: translated(),
  /** Sentences, in the operator's order. */
  features: z.array(translated()),
  entitlements,
  /** The days for which the edition may be tried; 0 for no trial. */
  trial_days: count(),
  plans: z.array(soldPlan),
})
named('SoldEdition', soldEdition)

const soldProduct = z.strictObject({
  ...productOfPlan.shape,
  description: translated(),
  editions: z.array(soldEdition),
})
named('SoldProduct', soldProduct)
export type SoldProduct = z.infer<typeof soldProduct>

export const listProducts = route({
  id: 'listProducts',
  tag: 'Licences',
  method: 'GET',
  path: '/api/products/',
  access: { who: 'anyone' },
  fromReplica: true,
  summary: 'What is sold: products with editions and plans',
  description:
    'What everybody can order now: the products in the operator’s order, their editions from the least to the most, the plans of each, with prices before VAT',
  replies: { 200: z.strictObject({ items: z.array(soldProduct) }) },
})
