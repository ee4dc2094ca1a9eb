import { useRouterState } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { Link } from '#foundation/web/navigation.tsx'
import { UnreadCount } from './unread-count.tsx'
import type { Unread } from './unread.ts'

export type NavigationItem = {
  to: string
  /** Addresses that begin so belong to this item. */
  within: readonly string[]
  text: () => string
  icon: ComponentType<{ size: number; 'aria-hidden': 'true' }>
  /** The reader whose unread messages are counted there. */
  unread?: keyof Unread
}

type Props = { items: readonly NavigationItem[]; unread?: Unread }

/** The entries of one list of the navigation. */
export function NavigationList({ items, unread }: Props) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return items.map((item) => (
    <li key={item.to}>
      <Link
        to={item.to}
        title={item.text()}
        aria-current={isWithin(item, path) ? 'page' : undefined}
        className={itemClass}
      >
        <item.icon size={18} aria-hidden="true" />
        <span className="word">{item.text()}</span>
        {item.unread && unread ? (
          <span className="count ml-auto">
            <UnreadCount count={unread[item.unread]} />
          </span>
        ) : null}
      </Link>
    </li>
  ))
}

export const isWithin = (item: NavigationItem, path: string): boolean =>
  item.within.some((start) => path === start || path.startsWith(`${start}/`))

const itemClass =
  'relative flex h-9 items-center gap-2.5 rounded-md px-2.5 text-sm font-medium text-muted transition-colors duration-150 ' +
  'hover:bg-hover hover:text-text aria-[current=page]:bg-hover aria-[current=page]:text-text'
