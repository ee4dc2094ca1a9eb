import { paths } from '#features/paths.ts'
import MenuIcon from 'lucide-react/icons/menu'
import { useState } from 'react'
import { lazyPart, useLoaded } from '#foundation/web/lazy-page.tsx'
import { HomeLink, Link } from '#foundation/web/navigation.tsx'
import { OwnAvatar } from '#foundation/web/ui/avatar.tsx'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { operator } from '#foundation/web/operator.ts'
import { Mark } from '#foundation/web/ui/mark.tsx'
import { m } from '#texts/messages.js'
import { PaletteButton } from './palette-button.tsx'
import { useProfile } from '#features/profile/web/hooks.ts'

/** The menu of small screens. */
export const Drawer = lazyPart(() => import('./drawer.tsx').then((file) => file.Drawer))

/** The header of small screens, with the menu button, or on some pages with a spacer of its size instead (rows ). */
export function MobileHeader({ spacer }: { spacer: boolean }) {
  const [open, setOpen] = useState(false)
  const { data: person } = useProfile()
  return (
    <header className="top-bar sticky top-0 z-30 grid h-14 grid-cols-[1fr_auto_1fr] items-center gap-2 border-b border-line bg-page px-2.5 md:hidden low:static print:hidden">
      <div className="flex items-center gap-1">
        {spacer ? (
          <div data-spacer className="size-9" />
        ) : (
          <IconButton
            label={m.shell_menu()}
            icon={<MenuIcon size={20} aria-hidden="true" />}
            aria-haspopup="dialog"
            aria-expanded={open}
            onClick={() => setOpen(true)}
          />
        )}
        <PaletteButton />
      </div>
      <HomeLink className="inline-flex min-w-0 items-center gap-2 rounded-md font-semibold tracking-tight">
        <Mark size={22} />
        <span className="truncate">{operator.name}</span>
      </HomeLink>
      <div className="flex items-center justify-end gap-1">
        <div data-bell className="size-9" />
        <Link to={paths.account()} className="rounded-full">
          <span className="sr-only">{m.shell_profile()}</span>
          <OwnAvatar name={person?.name} surname={person?.surname} isStaff={person?.is_staff} />
        </Link>
      </div>
      {useLoaded(Drawer) ? <Drawer open={open} onClose={() => setOpen(false)} /> : null}
    </header>
  )
}
