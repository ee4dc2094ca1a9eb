import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { named, urlText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { readPermission } from '#features/catalogue/contract.ts'

/** The shop: public pages with what is for sale, and purchases before there is an account (decision 201). */

const shop = z.strictObject({
  /** The address of the public pages; null while SHOP is off. */
  url: z.nullable(urlText()),
})
named('Shop', shop)

export const getShop = route({
  id: 'getShop',
  tag: 'Staff catalogue',
  method: 'GET',
  path: '/api/staff/shop/',
  access: staff(readPermission),
  summary: 'Where strangers see what is for sale',
  replies: { 200: shop },
})
