import Bell from 'lucide-react/icons/bell'
import { shownCount } from '#foundation/web/i18n/shown-count.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { m } from '#texts/messages.js'

type Opener = { onClick: () => void; onPointerEnter: () => void; onFocus: () => void; pending: boolean }

/** The button that opens what happened, with the number of what is unread. */
export function BellButton({ count, opener: { pending, ...opener } }: { count: number; opener: Opener }) {
  const label = count === 0 ? m.notifications_bell() : m.notifications_bell_unread({ count })
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      aria-haspopup="dialog"
      aria-busy={pending || undefined}
      {...opener}
      className={classNames(iconButtonClass, 'relative')}
    >
      <Bell size={20} aria-hidden="true" />
      {count === 0 ? null : (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-0 right-0 rounded-full bg-accent px-1 text-xs text-on-accent"
        >
          {shownCount(count)}
        </span>
      )}
    </button>
  )
}
