import { paths } from '#features/paths.ts'
import { sorts, states, type Sort, type State } from '#features/customers/rules.ts'
import { useGo, useQueryValue } from '#foundation/web/navigation.tsx'

/** The filter of the list, from the address: a reload, a bookmark and 'Back' find the same list. */
export type CustomerFilter = {
  q?: string | undefined
  state?: State | undefined
  debt?: 'yes' | undefined
  sort?: Sort | undefined
}

/** The filter from the address, and how to change a part of it. An impossible value counts as none. */
export function useCustomerFilter(): [CustomerFilter, (change: CustomerFilter) => void] {
  const go = useGo()
  const filter: CustomerFilter = {
    q: useQueryValue('q'),
    state: oneOf(states, useQueryValue('state')),
    debt: oneOf(['yes'] as const, useQueryValue('debt')),
    sort: oneOf(sorts, useQueryValue('sort')),
  }
  const change = (changed: CustomerFilter) => {
    void go(paths.customers(queryOf({ ...filter, ...changed })), { replace: true, resetScroll: false })
  }
  return [filter, change]
}

/** Returns only the values that are set, always in the same order, so that equal filters share one entry of the cache. */
export const queryOf = ({ q, state, debt, sort }: CustomerFilter) => ({
  ...(q ? { q } : {}),
  ...(state ? { state } : {}),
  ...(debt ? { debt } : {}),
  ...(sort && sort !== 'created_at' ? { sort } : {}),
})

/** True if the filter may leave out customers, so that an empty list does not mean that there are none. */
export const narrows = ({ q, state, debt, sort }: CustomerFilter): boolean =>
  Boolean(q ?? state ?? debt) || sort === 'balance'

const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined): Value | undefined =>
  values.find((value) => value === text)
