import { paths } from '#features/paths.ts'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import Server from 'lucide-react/icons/server'
import Wallet from 'lucide-react/icons/wallet'
import { Suspense, useEffect } from 'react'
import { useProfile } from '#features/profile/web/hooks.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { m } from '#texts/messages.js'
import { isOfAccount } from './acting-pages.ts'
import { Section, type NavigationItem } from './navigation-list.tsx'
import { keepPermissions, useIsStaff } from './staff-menu.ts'
import { useUnread } from './unread.ts'

const everything: readonly NavigationItem[] = [
  { to: paths.hosts(), within: [paths.servers()], text: m.shell_servers, icon: Server },
  {
    to: paths.tickets(),
    within: [paths.tickets(), paths.support()],
    text: m.shell_support,
    icon: LifeBuoy,
    counts: true,
  },
  {
    to: paths.finances(),
    within: [paths.finances(), paths.invoices()],
    text: m.shell_finances,
    icon: Wallet,
  },
]

/** The items whose pages show the account that this tab acts for; all items if the tab acts for no other account. */
export const userItems = everything.filter(({ to }) => isOfAccount(to))

export const StaffSection = lazyPart(() => import('./of-staff.tsx').then((file) => file.StaffSection))

/** The main navigation (row R-12). Staff see the heading Admin with Tickets, then the heading User; customers see only their items. */
export function Navigation() {
  const isStaff = useIsStaff()
  const isCustomer = useProfile().data?.is_staff === false
  useEffect(() => {
    if (isCustomer) keepPermissions(undefined)
  }, [isCustomer])
  return (
    <nav
      aria-label={m.shell_navigation()}
      data-staff={isStaff || undefined}
      className="flex flex-col gap-4 short:gap-1"
    >
      {isStaff ? (
        <Suspense fallback={null}>
          <StaffSection />
        </Suspense>
      ) : null}
      <Section heading={isStaff && m.shell_user()} items={userItems} unread={useUnread()} />
    </nav>
  )
}
