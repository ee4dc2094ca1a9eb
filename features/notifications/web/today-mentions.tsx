import { useInfiniteQuery } from '@tanstack/react-query'
import { listNotifications } from '#features/notifications/contract.ts'
import { FigureLink } from '#features/operations/web/operations.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { m } from '#texts/messages.js'
import { useUnread } from './hooks.ts'

/**
 * How many unread notes mention the reader, on the page Today; nothing where none does. It leads to the newest of them. It counts in the list of
 * the bell, which is asked for only while something is unread.
 */
export function TodayMentions() {
  const isAsked = (useUnread()?.count ?? 0) > 0
  const { data } = useInfiniteQuery({
    ...pagedQueryFor(listNotifications, { query: {} }),
    enabled: isAsked,
  })
  const mentions = (data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ kind, is_read }) => kind === 'mention' && !is_read)
  const [newest] = mentions
  if (!isAsked || !newest) return null
  return (
    <FigureLink
      to={newest.link}
      name={m.notifications_kind_mention()}
      value={String(mentions.length)}
      detail={m.notifications_unread()}
      className="mt-4"
    />
  )
}
