import { sorts, states } from '#features/customers/rules.ts'
import { paths } from '#features/paths.ts'
import { anyText, oneOf, useUrlFilter, type FilterOf } from '#foundation/web/url-filter.ts'

const shape = {
  q: anyText,
  state: oneOf(states),
  debt: oneOf(['yes']),
  // Without it the list has an order by its filter.
  sort: oneOf(sorts),
}

export type CustomerFilter = FilterOf<typeof shape>

export const useCustomerFilter = () => useUrlFilter(shape, paths.customers)

/** True if the filter may leave out customers, so that an empty list does not mean that there are none. */
export const narrows = ({ q, state, debt }: CustomerFilter): boolean => Boolean(q ?? state ?? debt)
