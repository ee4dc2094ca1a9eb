import { m } from '#texts/messages.js'

type Limit = {
  /** The column of `account_grants`, and the field of a grant. */
  name: string
  /** The field of a grant with what has been used of it. */
  used: string
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
 * The limits of what a helper may spend, in money (minor units). Contract, statements, dialogs, page and audit are made of this list, so that one more is an entry
 * here, a migration, and its texts in each language.
 */
export const limits: readonly NamedLimit[] = list

/** Makes one thing of each limit, under the name of one of its two fields. */
export function ofEachLimit<Field extends 'name' | 'used', Made>(
  field: Field,
  make: (limit: NamedLimit) => Made,
): Record<Listed[Field], Made>
export function ofEachLimit(field: 'name' | 'used', make: (limit: NamedLimit) => unknown): object {
  return Object.fromEntries(limits.map((limit) => [limit[field], make(limit)]))
}
