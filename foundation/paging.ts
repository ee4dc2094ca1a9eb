import * as z from 'zod/mini'
import { digitsOr, namedAfter } from './printed.ts'

/** The query of every list: `?limit=` (1 to 100, default 25) and the `cursor` of the previous page. */
export const pageQuery = {
  limit: digitsOr(25, /^(?:[1-9]\d?|100)$/, 1, 100),
  cursor: z.optional(z.string().check(z.regex(/^[\w-]{1,500}$/, 'invalid'))),
}

/** The order of a list by its times. */
export const byAge = z._default(z.enum(['newest', 'oldest']), 'newest')
export type ByAge = z.infer<typeof byAge>

/** One page of a list. `next_cursor` is null where nothing follows; there is no total count. */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
  namedAfter(item, 'Page', z.strictObject({ items: z.array(item), next_cursor: z.nullable(z.string()) }))
