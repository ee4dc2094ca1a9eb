import { useInfiniteQuery } from '@tanstack/react-query'
import { paths } from '#features/paths.ts'
import { listNotifications, type Notification } from '#features/notifications/contract.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { formatDateTime, relativeTime } from '#foundation/web/i18n/format.ts'
import { ButtonLink, Link } from '#foundation/web/navigation.tsx'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { markRead, useUnread } from './hooks.ts'
import { sentenceOf } from './sentence.ts'

/** The list of notifications, the newest first. Opening a thing closes the panel, and its page marks it as read. */
export function Panel({ open, onClose }: { open: boolean; onClose: () => void }) {
  const query = useInfiniteQuery(pagedQueryFor(listNotifications, { query: {} }))
  const unread = useUnread()
  const readAll = useAct(async () => {
    const answer = await markRead()
    if (answer.status !== 200) toastError(() => m.notifications_read_failed(), answer)
  })
  return (
    <Dialog open={open} onClose={onClose} title={m.notifications_bell()} wide>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap justify-between gap-2">
          <Button size="small" onClick={readAll.run} pending={readAll.pending} disabled={unread?.count === 0}>
            {m.notifications_read_all()}
          </Button>
          <ButtonLink size="small" look="quiet" to={paths.account()} onClick={onClose}>
            {m.notifications_settings()}
          </ButtonLink>
        </div>
        <LoadedList query={query} failed={m.notifications_failed()} none={<Nothing />}>
          {(items) => (
            <ul className="ruled rounded-lg border border-line">
              {items.map((item) => (
                <Item key={item.id} item={item} onOpen={onClose} />
              ))}
            </ul>
          )}
        </LoadedList>
      </div>
    </Dialog>
  )
}

const Nothing = () => (
  <div className="text-sm">
    <p className="font-medium">{m.notifications_empty()}</p>
    <p className="mt-1 text-muted">{m.notifications_empty_hint()}</p>
  </div>
)

function Item({ item, onOpen }: { item: Notification; onOpen: () => void }) {
  const { link, subject, happened_at, is_read } = item
  return (
    <li>
      <Link
        to={link}
        onClick={onOpen}
        className="flex items-start justify-between gap-3 px-4 py-3 text-sm hover:bg-hover"
      >
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <span className={is_read ? undefined : 'font-medium'}>{sentenceOf(item)}</span>
          {subject === null ? null : (
            <span dir="auto" className="block truncate text-muted">
              {subject}
            </span>
          )}
          <time
            dateTime={happened_at}
            title={formatDateTime(happened_at)}
            className="block text-xs text-muted"
          >
            {relativeTime(happened_at)}
          </time>
        </span>
        {is_read ? null : <Badge tone="accent">{m.notifications_unread()}</Badge>}
      </Link>
    </li>
  )
}
