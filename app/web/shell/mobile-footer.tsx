import { useRouterState } from '@tanstack/react-router'
import User from 'lucide-react/icons/user'
import { Link } from '#foundation/web/navigation.tsx'
import { m } from '#texts/messages.js'
import { isWithin, userItems } from './navigation-items.tsx'
import type { NavigationItem } from './navigation-items.tsx'

/** The bottom footer of small screens: the places of a customer and the Profile link (rows ). */
export function MobileFooter() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <footer className="sticky bottom-0 z-30 border-t border-line bg-page pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden">
      <nav aria-label={m.shell_shortcuts()}>
        <ul className="flex">
          {[...userItems, profile].map((item) => (
            <li key={item.to} className="flex-1">
              <Link
                to={item.to}
                aria-current={isWithin(item, path) ? 'page' : undefined}
                className={linkClass}
              >
                <item.icon size={20} aria-hidden="true" />
                {item.text()}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </footer>
  )
}

const profile: NavigationItem = {
  to: '/settings/account',
  within: ['/settings'],
  text: m.shell_profile,
  icon: User,
}

const linkClass =
  'flex h-14 flex-col items-center justify-center gap-1 text-xs text-muted outline-offset-[-4px] ' +
  'aria-[current=page]:font-medium aria-[current=page]:text-accent-text'
