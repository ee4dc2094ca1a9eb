import { paths } from '#features/paths.ts'
import User from 'lucide-react/icons/user'
import { Suspense } from 'react'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { m } from '#texts/messages.js'
import { FooterItem } from './footer-item.tsx'
import { userItems } from './navigation-items.tsx'
import type { NavigationItem } from './navigation-list.tsx'
import { useIsStaff } from './staff-menu.ts'
import { useUnread } from './unread.ts'

export const StaffFooterItem = lazyPart(() => import('./of-staff.tsx').then((file) => file.StaffFooterItem))

/** The footer of small screens: for staff the desk, then the customer's items, then the Profile link (rows ). */
export function MobileFooter() {
  const isStaff = useIsStaff()
  const unread = useUnread()
  return (
    <footer className="sticky bottom-0 z-30 border-t border-line bg-page pb-[env(safe-area-inset-bottom)] md:hidden low:static print:hidden">
      <nav aria-label={m.shell_shortcuts()}>
        <ul className="flex">
          {isStaff ? (
            <Suspense fallback={null}>
              <StaffFooterItem />
            </Suspense>
          ) : null}
          {[...userItems, profile].map((item) => (
            <FooterItem key={item.to} item={item} unread={unread} />
          ))}
        </ul>
      </nav>
    </footer>
  )
}

const profile: NavigationItem = {
  to: paths.account(),
  within: [paths.settings()],
  text: m.shell_profile,
  icon: User,
}
