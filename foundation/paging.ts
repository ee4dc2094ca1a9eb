import * as z from 'zod/mini'
import { digitsOr, namedAfter } from './printed.ts'

/** What every list takes: `?limit=` (1 to 100, 25 unless said) and the `cursor` that the page before gave. */
export const pageQuery = {
  limit: digitsOr(25, /^(?:[1-9]\d?|100)$/, 1, 100),
  cursor: z.optional(z.string().check(z.regex(/^[\w-]{1,500}$/, 'invalid'))),
}

/** One page of a list. `next_cursor` is null where nothing follows; there is no total count. */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
  namedAfter(item, 'Page', z.strictObject({ items: z.array(item), next_cursor: z.nullable(z.string()) }))
