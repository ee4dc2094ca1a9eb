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
  /** The orders of the list by this column, that of the first press first; '' is the list's order without a choice. */
  sort?: Partial<Record<Direction, Order | ''>>
}

/** The columns of a table that this browser shows, and a function that shows or hides one; the first one names the row and stays. */
export function useShownColumns<C extends Pick<Column<never>, 'name'>>(table: string, columns: readonly C[]) {
  const key = `hidden-columns:${table}`
  const stored = useSyncExternalStore(listeners.add, () => localStorage.getItem(key) ?? '')
  const hidden = stored.split(',')
  return {
    shown: columns.filter(({ name }, place) => place === 0 || !hidden.includes(name)),
    toggle(name: string): void {
      const next = hidden.includes(name) ? hidden.filter((one) => one !== name) : [...hidden, name]
      tryToStore(key, next.filter(Boolean).join(','))
      listeners.notify()
    },
  }
}

/** Returns the order by this column: `direction` is undefined while the list has another order, and `next` is that of the next press. */
export function orderOf<Item, Order extends string>(
  { sort = {} }: Column<Item, Order>,
  sorted: Order | '',
): { direction: Direction | undefined; next: Order | '' | undefined } {
  const orders = (['descending', 'ascending'] as const).flatMap((direction) => {
    const by = sort[direction]
    return by === undefined ? [] : [{ direction, by }]
  })
  const [first, second] = Object.keys(sort)[0] === 'ascending' ? orders.toReversed() : orders
  const present = orders.find(({ by }) => by === sorted)
  return { direction: present?.direction, next: present === first ? (second ?? first)?.by : first?.by }
}

const listeners = listenersOf()
