import { sql, type RawBuilder } from 'kysely'
import type { ByTimeOrAmount } from '#foundation/paging.ts'
import { placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
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

/** By an amount, or by another whole number such as an id that counts the rows. */
export const byNumber = (column: RawBuilder<unknown>): Key => ({
  column,
  place: sql<string>`${column}::text`,
  valueOf: (place) => sql`${place}::bigint`,
})

export type Order = {
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
  return inOrder(isByAmount(sort) ? byNumber(amount) : time, id, sort === 'newest' || sort === 'highest')
}

/** The order by a key, and by the id between equal ones; `isDown` has the latest or highest first. */
export function inOrder({ column, place, valueOf }: Key, id: RawBuilder<unknown>, isDown: boolean): Order {
  const way = isDown ? sql`desc` : sql`asc`
  return {
    by: sql`${column} ${way}, ${id} ${way}`,
    place,
    isAfter: (after, last) =>
      sql<boolean>`(${column}, ${id}) ${isDown ? sql`<` : sql`>`} (${valueOf(after)}, ${last})`,
  }
}

/** The order by the id alone: the rows were made in it, or have nothing else to be ordered by. */
export const inOrderOfIds = (id: RawBuilder<unknown>, isDown: boolean): Order => ({
  by: sql`${id} ${isDown ? sql`desc` : sql`asc`}`,
  place: sql<string>`'0'`,
  isAfter: (_after, last) => sql<boolean>`${id} ${isDown ? sql`<` : sql`>`} ${last}`,
})

/** The kinds of the first two parts of a cursor: the order itself, since a place in another order means nothing, and the place. */
export const orderKinds = (
  sort: ByTimeOrAmount,
  time: (part: string) => boolean,
): [(part: string) => boolean, (part: string) => boolean] => [
  (part) => part === sort,
  isByAmount(sort) ? placeKinds.number : time,
]

/** Returns the place that a cursor `[order, place, id]` names; undefined without a cursor. */
export function placeInOrder(
  cursor: string | undefined,
  sort: ByTimeOrAmount,
  { time, id }: Readonly<Record<'time' | 'id', (part: string) => boolean>>,
): { place: string; id: string } | undefined {
  const [, place, last] = placeIn(cursor, [...orderKinds(sort, time), id]) ?? []
  return place === undefined || last === undefined ? undefined : { place, id: last }
}

const isByAmount = (sort: ByTimeOrAmount): boolean => sort === 'highest' || sort === 'lowest'
