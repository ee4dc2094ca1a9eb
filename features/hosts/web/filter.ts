import { paths } from '#features/paths.ts'
import { anyText, oneOf, useUrlFilter, type FilterOf } from '#foundation/web/url-filter.ts'

export const licences = ['active', 'expired', 'free'] as const
export const connections = ['yes', 'no'] as const
export const sorts = ['created_at', 'name', 'paid_until'] as const

const shape = {
  q: anyText,
  licence: oneOf(licences),
  connected: oneOf(connections),
  // The order of creation is the default, and stands in no address.
  sort: oneOf(['name', 'paid_until']),
}

export type HostFilter = FilterOf<typeof shape>

export const useHostFilter = () => useUrlFilter(shape, paths.hosts)

/** True if the filter may leave out hosts: an empty list then does not mean that the customer has none. */
export const narrows = ({ q, licence, connected }: HostFilter): boolean => Boolean(q ?? licence ?? connected)
