import * as z from 'zod/mini'
import { digitsOr, namedAfter } from './printed.ts'

/** The query of every list: `?limit=` (1 to 100, default 25) and the `cursor` of the previous page. */
export const pageQuery = {
  limit: digitsOr(25, /^(?:[1-9]\d?|100)$/, 1, 100),
  cursor: z.optional(z.string().check(z.regex(/^[\w-]{1,500}$/, 'invalid'))),
}

/** The order of a list by its times, or by its amounts: a negative one is lower than any positive one. */
export const byTimeOrAmount = z._default(z.enum(['newest', 'oldest', 'highest', 'lowest']), 'newest')
export type ByTimeOrAmount = z.infer<typeof byTimeOrAmount>
/** The order of a list by its times alone. */
export const byTime = z._default(z.enum(['newest', 'oldest']), 'newest')
export type ByTime = z.infer<typeof byTime>
/** The orders that stand in the address of a page; the newest first is the default, and stands in none. */
export const chosenOrders = ['oldest', 'highest', 'lowest'] as const
type ChosenOrder = (typeof chosenOrders)[number]
/** The order of a list as its address has it: '' is the newest first. */
export type ListOrder = ChosenOrder | ''

/** One page of a list. `next_cursor` is null where nothing follows; there is no total count. */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
  namedAfter(item, 'Page', z.strictObject({ items: z.array(item), next_cursor: z.nullable(z.string()) }))
