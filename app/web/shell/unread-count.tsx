import { shownCount } from '#foundation/web/i18n/shown-count.ts'
import { m } from '#texts/messages.js'

/** The number of unread messages. Screen readers read it in words, because their users do not see the item that it belongs to. */
export function UnreadCount({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="rounded-full bg-accent px-1.5 text-xs leading-5 text-on-accent">
      <span aria-hidden="true">{shownCount(count)}</span>
      <span className="sr-only">{m.shell_unread({ count: shownCount(count) })}</span>
    </span>
  )
}
