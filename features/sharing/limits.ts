import { m } from '#texts/messages.js'

type Unit = 'money' | 'orders'

type Limit = {
  /** The column of `account_grants`, and the field of a grant. */
  name: string
  /** The field of a grant with what has been used of it. */
  used: string
  /** It bounds the money that is spent, in minor units, or the number of orders. */
  unit: Unit
  /** The part of the calendar (UTC) after which it begins anew, and the column of `table` for its first day. */
  span: 'month' | 'day'
  /** The table that counts, made as `grant_spending` is. */
  table: string
  label: (inputs: { currency: string }) => string
  hint: () => string
  shown: (inputs: { spent: string; limit: string }) => string
}

const list = [
  {
    name: 'month_limit',
    used: 'spent_this_month',
    unit: 'money',
    span: 'month',
    table: 'grant_spending',
    label: m.sharing_limit,
    hint: m.sharing_limit_hint,
    shown: m.sharing_spent,
  },
] as const satisfies readonly Limit[]

type Listed = (typeof list)[number]
export type LimitName = Listed['name']

export type UseName = Listed['used']
type NamedLimit = Limit & Pick<Listed, 'name' | 'used'>

/**
 * The limits of what a helper may spend. Contract, statements, dialogs, page and audit are made of this list, so that one more is an entry
 * here, a migration, and its texts in each language.
 */
export const limits: readonly NamedLimit[] = list

type Make<Made> = (limit: NamedLimit) => Made

/** Makes one thing of each limit, as its unit asks, under the name of one of its two fields. */
export function ofEachLimit<Field extends 'name' | 'used', Money, Orders>(
  field: Field,
  make: { money: Make<Money>; orders: Make<Orders> },
): { [One in Listed as One[Field]]: { money: Money; orders: Orders }[One['unit']] }
export function ofEachLimit(field: 'name' | 'used', make: Record<Unit, Make<unknown>>): object {
  return Object.fromEntries(limits.map((limit) => [limit[field], make[limit.unit](limit)]))
}
