import { useRouterState } from '@tanstack/react-router'
import { Link } from '#foundation/web/navigation.tsx'
import { isWithin, type NavigationItem } from './navigation-list.tsx'
import { UnreadCount } from './unread-count.tsx'

/** One link of the navigation at the bottom of small screens. */
export function FooterItem({ item, unread }: { item: NavigationItem; unread: number }) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <li className="min-w-0 flex-auto">
      <Link to={item.to} aria-current={isWithin(item, path) ? 'page' : undefined} className={footerItemClass}>
        <item.icon size={20} aria-hidden="true" />
        <span className="max-w-full truncate">{item.text()}</span>
        <span className="absolute top-1 left-1/2 ml-1">
          {item.counts ? <UnreadCount count={unread} /> : item.badge}
        </span>
      </Link>
    </li>
  )
}

/** The look of an item at the bottom of small screens. */
export const footerItemClass =
  'relative flex h-14 flex-col items-center justify-center gap-1 text-xs text-muted outline-offset-[-4px] ' +
  'aria-[current=page]:font-medium aria-[current=page]:text-accent-text'
