import { useRouterState } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { Link } from '#foundation/web/navigation.tsx'
import { UnreadCount } from './unread-count.tsx'

export type NavigationItem = {
  to: string
  /** Paths that begin with one of these belong to this item. */
  within: readonly string[]
  text: () => string
  icon: ComponentType<{ size: number; 'aria-hidden': 'true' }>
  /** The item shows the count of unread messages. */
  counts?: true
  /** Shown in place of the count of unread messages. */
  badge?: ReactNode
}

type Props = { heading?: string | false | undefined; items: readonly NavigationItem[]; unread: number }

/** One list of the navigation. */
export function Section({ heading, items, unread }: Props) {
  return (
    <div>
      {heading ? <h2 className="word px-2.5 pb-1 text-xs font-medium text-muted">{heading}</h2> : null}
      <Items items={items} unread={unread} />
    </div>
  )
}

type ItemsProps = Omit<Props, 'heading'> & { id?: string; folded?: boolean }

/** The links of a list. A folded list shows the present page alone; a rail of icons has no headings, and shows all. */
export function Items({ items, unread, id, folded = false }: ItemsProps) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <ul id={id} className="flex flex-col gap-0.5 short:gap-0">
      {items.map((item) => (
        <li key={item.to} className={folded && !isWithin(item, path) ? 'folded' : undefined}>
          <Link
            to={item.to}
            title={item.text()}
            aria-current={isWithin(item, path) ? 'page' : undefined}
            className={itemClass}
          >
            <item.icon size={18} aria-hidden="true" />
            <span className="word">{item.text()}</span>
            <span className="count ml-auto shrink-0">
              {item.counts ? <UnreadCount count={unread} /> : item.badge}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

export const isWithin = (item: NavigationItem, path: string): boolean =>
  item.within.some((start) => path === start || path.startsWith(`${start}/`))

const itemClass =
  'relative flex min-h-9 items-center gap-2.5 rounded-md px-2.5 py-1 text-sm [&>svg]:shrink-0 font-medium text-muted transition-colors duration-150 ' +
  'short:min-h-6 short:py-0.5 hover:bg-hover hover:text-text aria-[current=page]:bg-hover aria-[current=page]:text-text'
