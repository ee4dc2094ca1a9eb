import { slot } from '#foundation/contract.ts'

/** The slot above the plans: the address where strangers see them. */
export const catalogueShop = slot<object>('catalogue.shop')
