import { paths } from '#features/paths.ts'
import { useRouterState } from '@tanstack/react-router'
import Inbox from 'lucide-react/icons/inbox'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import Server from 'lucide-react/icons/server'
import Users from 'lucide-react/icons/users'
import Wallet from 'lucide-react/icons/wallet'
import type { ComponentType } from 'react'
import { Link } from '#foundation/web/navigation.tsx'
import { m } from '#texts/messages.js'
import { useProfile } from '#features/profile/web/hooks.ts'
import { UnreadCount } from './unread-count.tsx'
import { useUnread, type Unread } from './unread.ts'

export type NavigationItem = {
  to: string
  /** Addresses that begin so belong to this item. */
  within: readonly string[]
  text: () => string
  icon: ComponentType<{ size: number; 'aria-hidden': 'true' }>
  /** The reader whose unread messages are counted there. */
  unread?: keyof Unread
}

export const userItems: readonly NavigationItem[] = [
  { to: paths.hosts(), within: [paths.servers()], text: m.shell_servers, icon: Server },
  {
    to: paths.tickets(),
    within: [paths.tickets(), paths.support()],
    text: m.shell_support,
    icon: LifeBuoy,
    unread: 'user',
  },
  {
    to: paths.finances(),
    within: [paths.finances(), paths.invoices()],
    text: m.shell_finances,
    icon: Wallet,
  },
]

export const staffItems: readonly NavigationItem[] = [
  { to: paths.desk(), within: [paths.desk()], text: m.shell_tickets, icon: Inbox, unread: 'staff' },
  { to: paths.customers(), within: [paths.customers()], text: m.shell_customers, icon: Users },
]

/** Row R-12: for staff the heading Admin with Tickets, then the heading User; for the others their items alone. */
export function Navigation() {
  const { data: person } = useProfile()
  const unread = useUnread()
  return (
    <nav aria-label={m.shell_navigation()} className="flex flex-col gap-4">
      {person?.is_staff ? (
        <>
          <Section heading={m.shell_admin()} items={staffItems} unread={unread} />
          <Section heading={m.shell_user()} items={userItems} unread={unread} />
        </>
      ) : (
        <Section items={userItems} unread={unread} />
      )}
    </nav>
  )
}

type SectionProps = { heading?: string; items: readonly NavigationItem[]; unread: Unread }

function Section({ heading, items, unread }: SectionProps) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <div>
      {heading === undefined ? null : (
        <h2 className="word px-2.5 pb-1 text-xs font-medium text-muted">{heading}</h2>
      )}
      <ul className="flex flex-col gap-0.5">
        {items.map((item) => (
          <li key={item.to}>
            <Link
              to={item.to}
              title={item.text()}
              aria-current={isWithin(item, path) ? 'page' : undefined}
              className={itemClass}
            >
              <item.icon size={18} aria-hidden="true" />
              <span className="word">{item.text()}</span>
              {item.unread ? (
                <span className="count ml-auto">
                  <UnreadCount count={unread[item.unread]} />
                </span>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

export const isWithin = (item: NavigationItem, path: string): boolean =>
  item.within.some((start) => path === start || path.startsWith(`${start}/`))

const itemClass =
  'relative flex h-9 items-center gap-2.5 rounded-md px-2.5 text-sm font-medium text-muted transition-colors duration-150 ' +
  'hover:bg-hover hover:text-text aria-[current=page]:bg-hover aria-[current=page]:text-text'
