import { paths } from '#features/paths.ts'
import Inbox from 'lucide-react/icons/inbox'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import Server from 'lucide-react/icons/server'
import Users from 'lucide-react/icons/users'
import Wallet from 'lucide-react/icons/wallet'
import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { lazyPage } from '#foundation/web/lazy-page.tsx'
import { m } from '#texts/messages.js'
import { useProfile } from '#features/profile/web/hooks.ts'
import { NavigationList, type NavigationItem } from './navigation-list.tsx'
import { useUnread, type Unread } from './unread.ts'

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

const MoreOfStaff = lazyPage(() => import('./more-of-staff.tsx').then((file) => file.MoreOfStaff))

/** Row R-12: for staff the heading Admin with Tickets, then the heading User; for the others their items alone. */
export function Navigation() {
  const { data: person } = useProfile()
  const unread = useUnread()
  return (
    <nav aria-label={m.shell_navigation()} className="flex flex-col gap-4">
      {person?.is_staff ? (
        <>
          <Section heading={m.shell_admin()} items={staffItems} unread={unread}>
            <Suspense fallback={null}>
              <MoreOfStaff />
            </Suspense>
          </Section>
          <Section heading={m.shell_user()} items={userItems} unread={unread} />
        </>
      ) : (
        <Section items={userItems} unread={unread} />
      )}
    </nav>
  )
}

type SectionProps = {
  heading?: string
  items: readonly NavigationItem[]
  unread: Unread
  children?: ReactNode
}

function Section({ heading, items, unread, children }: SectionProps) {
  return (
    <div>
      {heading === undefined ? null : (
        <h2 className="word px-2.5 pb-1 text-xs font-medium text-muted">{heading}</h2>
      )}
      <ul className="flex flex-col gap-0.5">
        <NavigationList items={items} unread={unread} />
        {children}
      </ul>
    </div>
  )
}
