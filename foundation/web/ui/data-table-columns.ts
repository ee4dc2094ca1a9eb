import { useSyncExternalStore, type ReactNode } from 'react'
import type { Money } from '#foundation/money.ts'
import { tryToStore } from '#foundation/web/drafts.ts'
import { listenersOf } from '#foundation/web/listeners.ts'

export type Direction = 'ascending' | 'descending'

export type Value = string | number | Money | null

export type Column<Item, Order extends string = never> = {
  name: string
  head: string
  /** The content of the cell and of the file: times and days as ISO 8601. A column without it has buttons, and is in no file. */
  value?: (item: Item) => Value
  /** The content of the cell where the page shows the value in another way. */
  cell?: (item: Item) => ReactNode
  /** For an amount. On a phone it is at the right of the first line. */
  align?: 'right'
  /** A text that gets the room that is left, and has a second line where that is too little. */
  isText?: boolean
  /** Left out where the table has no room for it, the first such column before the others, but not on the cards of a phone. */
  isSpare?: boolean | 'first'
  /** A phone's card says the head before the value, and more than one such cell a line. */
  isNamed?: boolean
  /** The orders of the list by this column, that of the first press first. Each head that is pressed can turn its order round. */
  sort?: Readonly<Record<Direction, Order>>
  /** Written into the file, after the other columns, and not shown: another cell shows it, such as a badge beside a name. */
  isFileOnly?: true
}

/** The columns of a table that this browser shows, and a function that shows or hides one; the first one names the row and stays. */
export function useShownColumns<C extends Pick<Column<never>, 'name' | 'isFileOnly'>>(
  table: string,
  columns: readonly C[],
) {
  const key = `hidden-columns:${table}`
  const stored = useSyncExternalStore(listeners.add, () => localStorage.getItem(key) ?? '')
  const hidden = stored.split(',')
  return {
    shown: columns.filter(
      ({ name, isFileOnly }, place) => !isFileOnly && (place === 0 || !hidden.includes(name)),
    ),
    toggle(name: string): void {
      const next = hidden.includes(name) ? hidden.filter((one) => one !== name) : [...hidden, name]
      tryToStore(key, next.filter(Boolean).join(','))
      listeners.notify()
    },
  }
}

/** Returns the order by this column: `direction` is undefined while the list has another order, and `next` is that of the next press. */
export function orderOf<Item, Order extends string>(
  { sort }: Column<Item, Order>,
  sorted: Order | undefined,
): { direction: Direction | undefined; next: Order | undefined } {
  if (!sort) return { direction: undefined, next: undefined }
  const [first, second] =
    Object.keys(sort)[0] === 'ascending'
      ? (['ascending', 'descending'] as const)
      : (['descending', 'ascending'] as const)
  const direction = [first, second].find((one) => sort[one] === sorted)
  return { direction, next: sort[direction === first ? second : first] }
}

const listeners = listenersOf()
