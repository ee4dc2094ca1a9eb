import { useInfiniteQuery } from '@tanstack/react-query'
import { listNotifications } from '#features/notifications/contract.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { Link } from '#foundation/web/navigation.tsx'
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
    <Link to={newest.link} className={linkClass}>
      <span className="text-sm font-medium">{m.notifications_kind_mention()}</span>
      <span className="row-span-2 text-3xl font-semibold tracking-tight">{mentions.length}</span>
      <span className="text-sm text-muted">{m.notifications_unread()}</span>
    </Link>
  )
}

/** A row as wide as the figures above it; below them, it moves none when it comes. */
const linkClass =
  'mt-4 grid grid-cols-[1fr_auto] content-center items-center gap-x-4 gap-y-1 rounded-lg border border-line bg-surface px-5 py-3 ' +
  'transition-colors duration-150 hover:bg-hover active:bg-sunken'
