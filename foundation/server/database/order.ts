import { sql, type RawBuilder } from 'kysely'
import type { ByTimeOrAmount } from '#foundation/paging.ts'
import { placeKinds } from '#foundation/server/paging/paging.ts'
import { microsecondsOf, timeOf } from './times.ts'

/** How a cursor names the time, day or amount of a row, and how SQL reads this name. */
type Key = {
  column: RawBuilder<unknown>
  place: RawBuilder<string>
  valueOf: (place: string) => RawBuilder<unknown>
}

export const byMoment = (column: RawBuilder<unknown>): Key => ({
  column,
  place: microsecondsOf(column),
  valueOf: timeOf,
})

export const byDay = (column: RawBuilder<unknown>): Key => ({
  column,
  place: sql<string>`${column}::text`,
  valueOf: (place) => sql`${place}::date`,
})

const byAmount = (column: RawBuilder<unknown>): Key => ({
  column,
  place: sql<string>`${column}::text`,
  valueOf: (place) => sql`${place}::bigint`,
})

type Order = {
  /** The list of `order by`. */
  by: RawBuilder<unknown>
  /** The column `place` of a row, for the cursor. */
  place: RawBuilder<string>
  /** The condition that a row comes after the row of a cursor. */
  isAfter: (place: string, id: RawBuilder<unknown>) => RawBuilder<boolean>
}

/** The order of a list by its times or days, or by its amounts; the id decides between equal ones. */
export function orderOf(
  sort: ByTimeOrAmount,
  { time, amount, id }: { time: Key; amount: RawBuilder<unknown>; id: RawBuilder<unknown> },
): Order {
  const { column, place, valueOf } = isByAmount(sort) ? byAmount(amount) : time
  const isDown = sort === 'newest' || sort === 'highest'
  const way = isDown ? sql`desc` : sql`asc`
  return {
    by: sql`${column} ${way}, ${id} ${way}`,
    place,
    isAfter: (after, last) =>
      sql<boolean>`(${column}, ${id}) ${isDown ? sql`<` : sql`>`} (${valueOf(after)}, ${last})`,
  }
}

/** The kinds of the first two parts of a cursor: the order itself, since a place in another order means nothing, and the place. */
export const orderKinds = (
  sort: ByTimeOrAmount,
  time: (part: string) => boolean,
): [(part: string) => boolean, (part: string) => boolean] => [
  (part) => part === sort,
  isByAmount(sort) ? placeKinds.number : time,
]

const isByAmount = (sort: ByTimeOrAmount): boolean => sort === 'highest' || sort === 'lowest'
