import { paths } from '#features/paths.ts'
import { useRouterState } from '@tanstack/react-router'
import LogOut from 'lucide-react/icons/log-out'
import X from 'lucide-react/icons/x'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { saveLanguage, useProfile } from '#features/profile/web/hooks.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Link } from '#foundation/web/navigation.tsx'
import { hasRail } from '#foundation/web/screen/breakpoints.ts'
import { onResize } from '#foundation/web/screen/resize.ts'
import { useModal } from '#foundation/web/use-modal.ts'
import { OwnAvatar } from '#foundation/web/ui/avatar.tsx'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { LegalLinks } from '#foundation/web/ui/legal-links.tsx'
import { LocaleSwitcher, ThemeSwitcher } from '#foundation/web/ui/preferences.tsx'
import { m } from '#texts/messages.js'
import { Navigation } from './navigation-items.tsx'
import { nameOf } from './person.ts'

const SwitchItem = lazyPart<{ onLeave?: () => void }>(() =>
  import('#features/sharing/web/switch-item.tsx').then((file) => file.SwitchItem),
)

/** The slide-in drawer of small screens: navigation, the signed-in user, Logout (row R-13). */
export function Drawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const drawer = useRef<HTMLDialogElement>(null)
  // The content is rendered when the drawer first opens, and then kept: most visits never open it.
  const [opened, setOpened] = useState(open)
  if (open && !opened) setOpened(true)
  useModal(drawer, open)
  useCloseOnLeaving(open, onClose)
  return (
    // Keyboards close it by Esc; the click on the backdrop is for pointers.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={drawer}
      aria-label={m.shell_menu()}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
      className="drawer m-0 h-dvh max-h-none w-72 max-w-[85vw] border-r border-line bg-page p-0 text-text backdrop:bg-backdrop"
    >
      {opened ? <Contents onClose={onClose} /> : null}
    </dialog>
  )
}

function Contents({ onClose }: { onClose: () => void }) {
  const { data: person } = useProfile()
  return (
    <div className="flex h-full flex-col">
      <div className="flex items-start gap-3 border-b border-line p-4">
        <OwnAvatar name={person?.name} surname={person?.surname} isStaff={person?.is_staff} />
        <div className="min-w-0 flex-1 text-sm">
          <p className="font-medium [overflow-wrap:anywhere]">{nameOf(person)}</p>
          <p className="text-muted [overflow-wrap:anywhere]">{person?.email}</p>
        </div>
        <IconButton label={m.ui_close()} icon={<X size={18} aria-hidden="true" />} onClick={onClose} />
      </div>
      <div className="flex-1 overflow-y-auto p-3">
        <Navigation />
      </div>
      <div className="px-3 pb-2 text-sm">
        <Suspense fallback={null}>
          <SwitchItem onLeave={onClose} />
        </Suspense>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-1 border-t border-line p-3">
        <LocaleSwitcher side="top" align="start" onChoose={(locale) => void saveLanguage(locale)} />
        <ThemeSwitcher side="top" />
        <Link
          to={paths.signOut()}
          className="flex h-9 w-full items-center gap-2.5 rounded-md px-2.5 text-sm font-medium text-muted hover:bg-hover hover:text-text"
        >
          <LogOut size={16} aria-hidden="true" />
          {m.shell_logout()}
        </Link>
        <LegalLinks inside="dialog" />
      </div>
    </div>
  )
}

/** Closes the drawer when another page is opened, or when the window has become so wide that the rail is shown. */
function useCloseOnLeaving(open: boolean, onClose: () => void): void {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const openedAt = useRef(path)
  useEffect(() => {
    if (open && openedAt.current !== path) onClose()
    openedAt.current = path
  }, [open, path, onClose])
  // An effect event, so that a rendering during a resize, with another `onClose`, does not restart the listener and its timer.
  const resized = useEffectEvent(() => hasRail() && onClose())
  useEffect(() => (open ? onResize(() => resized(), 50) : undefined), [open])
}
