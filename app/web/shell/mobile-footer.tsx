import { paths } from '#features/paths.ts'
import { useRouterState } from '@tanstack/react-router'
import User from 'lucide-react/icons/user'
import { Link } from '#foundation/web/navigation.tsx'
import { useProfile } from '#features/profile/web/hooks.ts'
import { m } from '#texts/messages.js'
import { staffItems, userItems } from './navigation-items.tsx'
import { isWithin, type NavigationItem } from './navigation-list.tsx'
import { UnreadCount } from './unread-count.tsx'
import { useUnread } from './unread.ts'

/** The bottom footer of small screens: the places of a customer, staff's desk before them, and the Profile link (rows ). */
export function MobileFooter() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const { data: person } = useProfile()
  const unread = useUnread()
  // The other pages of staff are in the menu: more than five do not fit side by side.
  const items = [...(person?.is_staff ? staffItems.slice(0, 1) : []), ...userItems, profile]
  return (
    <footer className="sticky bottom-0 z-30 border-t border-line bg-page pb-[env(safe-area-inset-bottom)] md:hidden low:static print:hidden">
      <nav aria-label={m.shell_shortcuts()}>
        <ul className="flex">
          {items.map((item) => (
            <li key={item.to} className="min-w-0 flex-1">
              <Link
                to={item.to}
                aria-current={isWithin(item, path) ? 'page' : undefined}
                className={linkClass}
              >
                <item.icon size={20} aria-hidden="true" />
                <span className="max-w-full truncate">{item.text()}</span>
                {item.unread ? (
                  <span className="absolute top-1 left-1/2 ml-1">
                    <UnreadCount count={unread[item.unread]} />
                  </span>
                ) : null}
              </Link>
            </li>
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

const linkClass =
  'relative flex h-14 flex-col items-center justify-center gap-1 text-xs text-muted outline-offset-[-4px] ' +
  'aria-[current=page]:font-medium aria-[current=page]:text-accent-text'
