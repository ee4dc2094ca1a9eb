import { paths } from '#features/paths.ts'
import { useGo, useQueryValue } from '#foundation/web/navigation.tsx'

export const licences = ['active', 'expired', 'free'] as const
export const connections = ['yes', 'no'] as const
export const sorts = ['created_at', 'name', 'paid_until'] as const

/** The filter of the list, from the address: a reload, a bookmark and 'Back' find the same list. */
export type HostFilter = {
  q?: string | undefined
  licence?: (typeof licences)[number] | undefined
  connected?: (typeof connections)[number] | undefined
  sort?: (typeof sorts)[number] | undefined
}

/** The filter from the address, and how to change a part of it. An impossible value counts as none. */
export function useHostFilter(): [HostFilter, (change: HostFilter) => void] {
  const go = useGo()
  const filter: HostFilter = {
    q: useQueryValue('q'),
    licence: oneOf(licences, useQueryValue('licence')),
    connected: oneOf(connections, useQueryValue('connected')),
    sort: oneOf(sorts, useQueryValue('sort')),
  }
  const change = (changed: HostFilter) => {
    void go(paths.hosts(queryOf({ ...filter, ...changed })), { replace: true, resetScroll: false })
  }
  return [filter, change]
}

/** The values that are set, always in the same order, so that equal filters share one entry of the cache. */
export const queryOf = ({ q, licence, connected, sort }: HostFilter) => ({
  ...(q ? { q } : {}),
  ...(licence ? { licence } : {}),
  ...(connected ? { connected } : {}),
  ...(sort && sort !== 'created_at' ? { sort } : {}),
})

/** True if the filter may leave out hosts: an empty list then does not mean that the customer has none. */
export const narrows = ({ q, licence, connected }: HostFilter): boolean => Boolean(q ?? licence ?? connected)

const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined): Value | undefined =>
  values.find((value) => value === text)
