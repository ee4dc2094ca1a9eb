import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { requiredText, translated } from '#foundation/fields.ts'
import { count, named } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { productKinds } from '#features/licences/rules.ts'
import {
  changedInThree,
  description,
  editPermission,
  inThree,
  name,
  readPermission,
  slug,
} from './contract.ts'

/** Products, for staff: what the editions are editions of. */

const product = z.strictObject({
  slug: z.string(),
  name: translated(),
  description: translated(),
  /** A licence for a `server` counts at its address, one for a `program` on machines. */
  kind: z.enum(productKinds),
  /** True if an order names the address of the server. */
  asks_address: z.boolean(),
  /** False if nothing of the product is sold; what was sold can still be renewed. */
  is_active: z.boolean(),
  sort: count(),
  version,
})
named('Product', product)
export type Product = z.infer<typeof product>

export const listCatalogueProducts = route({
  id: 'listCatalogueProducts',
  tag: 'Staff catalogue',
  method: 'GET',
  path: '/api/staff/products/',
  access: staff(readPermission),
  summary: 'All products, retired ones too',
  replies: { 200: z.strictObject({ items: z.array(product) }) },
})

export const addProduct = route({
  id: 'addProduct',
  tag: 'Staff catalogue',
  method: 'POST',
  path: '/api/staff/products/',
  access: staff(editPermission, 'none'),
  summary: 'Add a product, to be sold in editions',
  description:
    'A licence for a `server` counts at its address, and needs an IPv4 when it is ordered; one for a `program` needs no address, and counts on machines. The kind stays',
  body: z.strictObject({
    slug,
    name,
    description: inThree(description),
    kind: z.enum(productKinds, { error: 'invalid' }),
  }),
  replies: { 201: product },
  errors: { 409: ['slug_taken'] },
})

export const changeProduct = route({
  id: 'changeProduct',
  tag: 'Staff catalogue',
  method: 'PATCH',
  path: '/api/staff/products/{slug}/',
  access: staff(editPermission, 'none'),
  summary: 'Change a product, or retire it',
  description:
    'Fields and languages that are left out stay. Of a product that is not active nothing is sold; what was sold can still be renewed',
  params: z.strictObject({ slug }),
  body: z.strictObject({
    name: z.optional(changedInThree(requiredText(100))),
    description: z.optional(changedInThree(description)),
    is_active: z.optional(z.boolean()),
    sort: z.optional(z.int().check(z.gte(0, 'invalid'), z.lte(9999, 'invalid'))),
    version,
  }),
  replies: { 200: product, 409: changedReply(product) },
})
