import { paths } from '#features/paths.ts'
import { useRouterState } from '@tanstack/react-router'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import LogOut from 'lucide-react/icons/log-out'
import Shield from 'lucide-react/icons/shield'
import User from 'lucide-react/icons/user'
import { Suspense, type ComponentType } from 'react'
import { useProfile } from '#features/profile/web/hooks.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Link } from '#foundation/web/navigation.tsx'
import { OwnAvatar } from '#foundation/web/ui/avatar.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { Menu, MenuGroup, menuItemClass } from '#foundation/web/ui/menu.tsx'
import { LegalLinks } from '#foundation/web/ui/legal-links.tsx'
import { ThemeItems } from '#foundation/web/ui/preferences.tsx'
import { m } from '#texts/messages.js'
import { nameOf } from './person.ts'

const SwitchItem = lazyPart(() =>
  import('#features/sharing/web/switch-item.tsx').then((file) => file.SwitchItem),
)

/** The menu of the signed-in person at the foot of the rail: Account, Security, Logout and the theme (row R-14). */
export function UserMenu() {
  const { data: person } = useProfile()
  const name = nameOf(person)
  const inSettings = useRouterState({
    select: (state) => state.location.pathname.startsWith(paths.settings()),
  })
  return (
    <Menu
      side="top"
      triggerClass={classNames(
        'flex w-full cursor-pointer items-center justify-center gap-2.5 rounded-md p-2 text-left max-lg:px-0 text-sm',
        'transition-colors duration-150 hover:bg-hover',
        inSettings && 'bg-hover',
      )}
      trigger={
        <>
          <span className="sr-only">{m.shell_user_menu()}:</span>
          <OwnAvatar name={person?.name} surname={person?.surname} isStaff={person?.is_staff} />
          <span className="word min-w-0 flex-1 truncate font-medium">{name}</span>
          <ChevronsUpDown size={16} aria-hidden="true" className="text-muted max-lg:hidden" />
        </>
      }
    >
      <Suspense fallback={null}>
        <SwitchItem />
      </Suspense>
      <Entry to={paths.account()} icon={User} text={m.shell_account()} />
      <Entry to={paths.security()} icon={Shield} text={m.shell_security()} />
      <MenuGroup label={m.shell_theme()}>
        <ThemeItems />
      </MenuGroup>
      <div className="border-t border-line pt-1">
        <Entry to={paths.signOut()} icon={LogOut} text={m.shell_logout()} />
      </div>
      <LegalLinks inside="menu" />
    </Menu>
  )
}

type EntryProps = { to: string; icon: ComponentType<{ size: number; 'aria-hidden': 'true' }>; text: string }

function Entry({ to, icon: Icon, text }: EntryProps) {
  return (
    <Link to={to} role="menuitem" tabIndex={-1} className={menuItemClass}>
      <Icon size={16} aria-hidden="true" />
      {text}
    </Link>
  )
}
