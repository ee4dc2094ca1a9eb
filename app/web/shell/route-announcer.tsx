import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { shownCount } from '#foundation/web/i18n/shown-count.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { operator } from '#foundation/web/operator.ts'
import { useGivenTitle } from '#foundation/web/title.ts'
import { useUnreadInAll } from './unread-title.ts'

/**
 * Sets the title of the document after each change of page, moves the focus to the new h1, and lets screen readers read the title.
 * A browser does this by itself only when it loads a new document.
 */
export function RouteAnnouncer() {
  useLocale()
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname.replace(/\/$/u, '') })
  const page = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.page })
  const given = useGivenTitle()
  const title = given ?? page?.title?.() ?? ''
  const unread = useUnreadInAll()
  const arrived = useRef<string>(undefined)

  useEffect(() => {
    const named = title === '' ? operator.name : `${title} · ${operator.name}`
    document.title = unread > 0 ? `(${shownCount(unread)}) ${named}` : named
  }, [title, unread])

  useEffect(() => {
    const first = arrived.current === undefined
    if (path === undefined || path === arrived.current) return
    arrived.current = path
    if (!first) document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [path])

  return (
    <div aria-live="polite" role="status" className="sr-only">
      {title}
    </div>
  )
}
