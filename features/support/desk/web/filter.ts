import { paths } from '#features/paths.ts'
import { priorities, topics } from '#features/support/tickets/rules.ts'
import { tagOf } from '#features/support/tickets/rules.ts'
import { isUuid } from '#foundation/uuid.ts'
import { anyText, oneOf, useUrlFilter, type ChangeOf, type FilterOf } from '#foundation/web/url-filter.ts'

/** The tabs of the desk. `all` is for searching: a ticket is found by its number in any tab. */
export const tabs = ['incoming', 'processing', 'waiting', 'snoozed', 'closed', 'spam', 'all'] as const
export type Tab = (typeof tabs)[number]

const id = (text: string) => (isUuid(text) ? text : undefined)

const shape = {
  tab: oneOf(tabs),
  topic: oneOf(topics),
  priority: oneOf(priorities),
  /** `me`, `none`, or the id of a colleague. */
  assignee: (text: string) => (text === 'me' || text === 'none' ? text : id(text)),
  /** The id of the customer whose tickets alone are shown; the customer's card links to this filter. */
  customer: id,
  tag: tagOf,
  late: oneOf(['yes']),
  q: anyText,
}

export type DeskFilter = FilterOf<typeof shape> & { tab: Tab }
export type DeskChange = ChangeOf<typeof shape>

export function useDeskFilter(): [DeskFilter, (change: DeskChange) => void] {
  const [filter, change] = useUrlFilter(shape, paths.desk)
  return [{ ...filter, tab: filter.tab ?? 'incoming' }, change]
}

/** The query for the server. */
export const queryOf = ({ tab, ...rest }: DeskFilter) => (tab === 'all' ? rest : { tab, ...rest })

/** True if the filter may leave out tickets of the tab: an empty list does not mean that the tab is empty. */
export const narrows = ({ topic, priority, assignee, customer, tag, late, q }: DeskFilter): boolean =>
  Boolean(topic ?? priority ?? assignee ?? customer ?? tag ?? late ?? q)
