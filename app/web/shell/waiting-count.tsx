import { shownCount } from '#foundation/web/i18n/shown-count.ts'
import { m } from '#texts/messages.js'

/** How much waits for the reader's decision, in words for those who do not see where it is. */
export function WaitingCount({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="rounded-full bg-accent px-1.5 text-xs leading-5 text-on-accent tabular-nums">
      <span aria-hidden="true">{shownCount(count)}</span>
      <span className="sr-only">{m.shell_waiting({ count: shownCount(count) })}</span>
    </span>
  )
}
