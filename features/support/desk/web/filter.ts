import { paths } from '#features/paths.ts'
import { priorities, topics, type Priority, type Topic } from '#features/support/tickets/rules.ts'
import { useGo, useQueryValue } from '#foundation/web/navigation.tsx'
import { isUuid } from '#foundation/uuid.ts'

/** The tabs of the desk. `all` is for searching: a ticket is found by its number in any tab. */
export const tabs = ['incoming', 'processing', 'waiting', 'closed', 'all'] as const
export type Tab = (typeof tabs)[number]

/** The filter of the desk, from the address: a reload, a bookmark and 'Back' find the same list. */
export type DeskFilter = {
  tab: Tab
  topic?: Topic | undefined
  priority?: Priority | undefined
  /** `me`, `none`, or the id of a colleague. */
  assignee?: string | undefined
  /** The id of the customer whose tickets alone are shown; the customer's card links to this filter. */
  customer?: string | undefined
  q?: string | undefined
}

/** Returns the filter from the address, and a function that changes a part of it. An impossible value counts as none. */
export function useDeskFilter(): [DeskFilter, (change: Partial<DeskFilter>) => void] {
  const go = useGo()
  const filter: DeskFilter = {
    tab: oneOf(tabs, useQueryValue('tab')) ?? 'incoming',
    topic: oneOf(topics, useQueryValue('topic')),
    priority: oneOf(priorities, useQueryValue('priority')),
    assignee: someone(useQueryValue('assignee')),
    customer: id(useQueryValue('customer')),
    q: useQueryValue('q'),
  }
  const change = (changed: Partial<DeskFilter>) =>
    void go(addressOf({ ...filter, ...changed }), { replace: true, resetScroll: false })
  return [filter, change]
}

/** The address of a list with this filter. */
export const addressOf = (filter: DeskFilter): string => paths.desk({ tab: filter.tab, ...queryOf(filter) })

/** The query for the server: only the set values, always in the same order, so that one filter is one entry of the cache. */
export const queryOf = ({ tab, topic, priority, assignee, customer, q }: DeskFilter) => ({
  ...(tab === 'all' ? {} : { tab }),
  ...(topic ? { topic } : {}),
  ...(priority ? { priority } : {}),
  ...(assignee ? { assignee } : {}),
  ...(customer ? { customer } : {}),
  ...(q ? { q } : {}),
})

/** True if the filter may leave out tickets of the tab: an empty list does not mean that the tab is empty. */
export const narrows = ({ topic, priority, assignee, customer, q }: DeskFilter): boolean =>
  Boolean(topic ?? priority ?? assignee ?? customer ?? q)

const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined): Value | undefined =>
  values.find((value) => value === text)

const id = (text: string | undefined) => (text !== undefined && isUuid(text) ? text : undefined)
const someone = (text: string | undefined) => (text === 'me' || text === 'none' ? text : id(text))
