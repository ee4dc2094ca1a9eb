import { paths } from '#features/paths.ts'
import MenuIcon from 'lucide-react/icons/menu'
import User from 'lucide-react/icons/user'
import { Suspense, useState } from 'react'
import { lazyPart, useLoaded } from '#foundation/web/lazy-page.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { LegalLinks } from '#foundation/web/ui/legal-links.tsx'
import { m } from '#texts/messages.js'
import { FooterItem, footerItemClass } from './footer-item.tsx'
import { Drawer } from './mobile-header.tsx'
import { userItems } from './navigation-items.tsx'
import type { NavigationItem } from './navigation-list.tsx'
import { useIsStaff } from './staff-menu.ts'
import { useUnread } from './unread.ts'

export const StaffFooterItems = lazyPart(() => import('./of-staff.tsx').then((file) => file.StaffFooterItems))

/**
 * The footer of small screens: the customer's items and the Profile link (rows ); for staff three of their own pages, the Profile
 * link, and the menu with all others. Below it, and so below the end of the window, are the legal links of a page that fills the window; on
 * a wide screen they are in the menu of the rail.
 */
export function MobileFooter({ withLinks = false }: { withLinks?: boolean }) {
  const isStaff = useIsStaff()
  const unread = useUnread()
  return (
    <footer className="sticky bottom-0 z-30 border-t border-line bg-page pb-[env(safe-area-inset-bottom)] md:hidden low:static print:hidden">
      <nav aria-label={m.shell_shortcuts()}>
        <ul className="flex">
          {isStaff ? (
            <Suspense fallback={null}>
              <StaffFooterItems />
            </Suspense>
          ) : null}
          {[...(isStaff ? [] : userItems), profile].map((item) => (
            <FooterItem key={item.to} item={item} unread={unread} />
          ))}
          {isStaff ? <More /> : null}
        </ul>
      </nav>
      {withLinks ? (
        <div className="absolute inset-x-0 top-full">
          <LegalLinks inside="dialog" />
        </div>
      ) : null}
    </footer>
  )
}

/** Opens the menu, also on the pages whose header has no button for it. */
function More() {
  const [open, setOpen] = useState(false)
  return (
    <li className="min-w-0 flex-auto">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        className={classNames(footerItemClass, 'w-full')}
      >
        <MenuIcon size={20} aria-hidden="true" />
        <span className="max-w-full truncate">{m.shell_more()}</span>
      </button>
      {useLoaded(Drawer) ? <Drawer open={open} onClose={() => setOpen(false)} /> : null}
    </li>
  )
}

const profile: NavigationItem = {
  to: paths.account(),
  within: [paths.settings()],
  text: m.shell_profile,
  icon: User,
}
