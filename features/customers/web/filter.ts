import { states } from '#features/customers/rules.ts'
import { paths } from '#features/paths.ts'
import { anyText, oneOf, useUrlFilter, type FilterOf } from '#foundation/web/url-filter.ts'

const shape = {
  q: anyText,
  state: oneOf(states),
  debt: oneOf(['yes']),
  // The order of creation is the default, and stands in no address.
  sort: oneOf(['last_login_at', 'balance']),
}

export type CustomerFilter = FilterOf<typeof shape>

export const useCustomerFilter = () => useUrlFilter(shape, paths.customers)

/** True if the filter may leave out customers, so that an empty list does not mean that there are none. */
export const narrows = ({ q, state, debt, sort }: CustomerFilter): boolean =>
  Boolean(q ?? state ?? debt) || sort === 'balance'
