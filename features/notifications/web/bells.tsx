import { QueryClientProvider } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { queryClient } from '#foundation/web/api/query.ts'
import { useSignedIn } from '#foundation/web/api/stored-session.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { subscribe } from '#foundation/web/realtime/subscriptions.ts'
import { isViewing } from '#foundation/web/viewing.ts'
import { NOTIFICATIONS_CHANGED } from '#features/notifications/contract.ts'
import { BellButton } from './bell-button.tsx'
import { markRead, takeChange, useUnread } from './hooks.ts'

const Panel = lazyPart<{ open: boolean; onClose: () => void }>(() =>
  import('./panel.tsx').then((file) => file.Panel),
)

/**
 * The bell, in the places that the frame keeps for it: in the rail, and in the header of small screens. Its code is loaded after the first
 * page has shown. A tab that shows another account has none.
 */
export function Bells() {
  const signedIn = useSignedIn()
  return signedIn && !isViewing() ? (
    <QueryClientProvider client={queryClient}>
      <SignedIn />
    </QueryClientProvider>
  ) : null
}

function SignedIn() {
  const panel = useLazyDialog(Panel)
  const unread = useUnread()
  const places = usePlaces()
  useReading(unread?.links ?? [])
  const path = usePath()
  // News of the page that its reader has before them are read as they come, without a question before.
  const take = useEffectEvent((data: Record<string, unknown>) => {
    if (data['link'] !== path || !readIfSeen(path)) takeChange(data)
  })
  useEffect(() => subscribe(NOTIFICATIONS_CHANGED, (data) => take(data)), [])
  return (
    <>
      {places.map((place, index) =>
        createPortal(
          <BellButton count={unread?.count ?? 0} opener={panel.opener} />,
          place,
          // The frame has the same two places on every page.
          String(index),
        ),
      )}
      {panel.open ? <Panel {...panel.dialog} /> : null}
    </>
  )
}

const usePath = () =>
  useRouterState({ select: (state) => (state.resolvedLocation?.pathname ?? '').replace(/(?<=.)\/$/u, '') })

/** Two elements that stand in the places of the frame, also after another page has drawn the frame anew. */
function usePlaces(): readonly Element[] {
  usePath()
  const [elements] = useState(() => [document.createElement('div'), document.createElement('div')])
  useLayoutEffect(() => {
    for (const [index, place] of document.querySelectorAll('[data-bell]').entries()) {
      const element = elements[index]
      if (element && element.parentElement !== place) place.replaceChildren(element)
    }
  })
  return elements
}

/** Marks as read all that leads to the page which its reader has before them. */
function useReading(links: readonly string[]): void {
  const path = usePath()
  const isUnread = links.includes(path)
  useEffect(() => {
    if (isUnread) readIfSeen(path)
  }, [path, isUnread])
  const look = useEffectEvent(() => {
    if (isUnread) readIfSeen(path)
  })
  useEffect(() => {
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
}

/** Returns false where nobody sees the page. */
function readIfSeen(link: string): boolean {
  const isSeen = document.visibilityState === 'visible'
  if (isSeen) void markRead(link)
  return isSeen
}
