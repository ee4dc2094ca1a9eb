import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { keepFocus } from '#foundation/web/keep-focus.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { ProgressBar } from '#foundation/web/progress-bar/progress-bar.tsx'
import { lazyPart, useLoaded } from '#foundation/web/lazy-page.tsx'
import { OfflineBanner } from '#foundation/web/ui/offline-banner.tsx'
import { m } from '#texts/messages.js'
import { useRequestedKey } from '../requested-key.ts'
import { ConfirmAddress } from '../mail-links.ts'
import { RouteAnnouncer } from './route-announcer.tsx'

const Notes = lazyPart(() => import('./notes.tsx').then((file) => file.Notes))
const Announcements = lazyPart(() =>
  import('#features/announcements/web/notices.tsx').then((file) => file.Announcements),
)

/** Loads the code of announcements before the first page is drawn, if there were any last time (announcements/web/kept-notices.ts). */
export const frameData = async (): Promise<void> => {
  if (localStorage.getItem('notices')) await Announcements.preload()
}

/** The frame around every page, with or without the shell. */
export function Frame() {
  useLocale()
  useEffect(keepFocus, [])
  const key = useRequestedKey()
  return (
    <>
      <a
        href="#content"
        onClick={skipToContent}
        className="sr-only rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-[1600]"
      >
        {m.shell_skip()}
      </a>
      <ProgressBar />
      <Outlet />
      <RouteAnnouncer />
      {key === undefined ? null : (
        <Suspense fallback={null}>
          <ConfirmAddress verificationKey={key} />
        </Suspense>
      )}
      <OfflineBanner />
      {useLoaded(Notes) ? <Notes /> : null}
      {useLoaded(Announcements) ? <Announcements /> : null}
    </>
  )
}

/** Moves the focus to the content by script, because following the link would be a navigation and change the address. */
function skipToContent(event: { preventDefault: () => void }): void {
  event.preventDefault()
  const target =
    document.querySelector<HTMLElement>('#content h1') ?? document.querySelector<HTMLElement>('#content')
  target?.focus()
}
