import type { ViewFilter } from '#features/support/desk/view-contract.ts'
import { priorityText, topicText } from '#features/support/tickets/web/words.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { m } from '#texts/messages.js'
import { withAbsence } from './away.ts'
import { useColleagues, useTags } from './hooks.ts'
import { TABS } from './tab-words.ts'

/**
 * Returns the words for the assignee and the tag of a filter: a colleague who has left, or a tag that no ticket has any more, is called so.
 * Until the names are loaded nothing is said to be gone.
 */
export function useFilterWords() {
  const colleagues = useColleagues().data?.items
  const tags = useTags().data?.items
  const assignee = (id: string): string => {
    if (id === 'me' || id === storedSession.user()?.id) return m.desk_assignee_me()
    if (id === 'none') return m.desk_assignee_none()
    const colleague = colleagues?.find((one) => one.id === id)
    if (colleague) return withAbsence(colleague)
    return colleagues ? m.desk_assignee_gone() : m.desk_assignee()
  }
  const tag = (name: string): string =>
    !tags || tags.some((one) => one.name === name) ? name : m.desk_tag_unused({ tag: name })
  const all = (filter: ViewFilter): string =>
    [
      TABS[filter.tab ?? 'all'](),
      filter.topic && topicText(filter.topic),
      filter.priority && priorityText(filter.priority),
      filter.assignee && assignee(filter.assignee),
      filter.tag && tag(filter.tag),
      filter.late && m.desk_late(),
      filter.customer && m.desk_filter_customer(),
      filter.q && m.desk_filter_search({ text: filter.q }),
    ]
      .filter((text) => text !== undefined && text !== '')
      .join(' · ')
  return { assignee, tag, all }
}
