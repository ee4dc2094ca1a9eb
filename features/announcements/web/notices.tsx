import X from 'lucide-react/icons/x'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Notice } from '#features/announcements/contract.ts'
import { actedFor } from '#foundation/web/acting.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { noticePlace, useNoticePlace } from '#foundation/web/ui/notice-place.tsx'
import { useSpaceAtEnd } from '#foundation/web/ui/space-at-end.ts'
import { isViewing } from '#foundation/web/viewing.ts'
import { m } from '#texts/messages.js'
import { NoticeBox } from './notice-box.tsx'
import { useNotices } from './use-notices.ts'
import { tryToStore } from '#foundation/web/drafts.ts'

/**
 * Announcements below the heading of every page, in its `NoticePlace`. An announcement that comes while a page is read stands at the foot of
 * the window until the next page, so that nothing moves under the reader. This code loads after the first page has shown, unless there
 * were announcements before (kept-notices.ts): without announcements it costs the first load nothing.
 */
export function Announcements() {
  const locale = useLocale()
  const place = usePlace()
  const notices = useNotices()
  const isLate = useLate(notices)
  const foot = useRef<HTMLDivElement>(null)
  const [, setHidden] = useState(0)
  const shown = notices.filter((notice) => !isHidden(notice))
  const late = shown.filter(isLate)
  useSpaceAtEnd(foot, late.length > 0)
  const box = (notice: Notice) => (
    <NoticeBox
      key={notice.id}
      notice={notice}
      locale={locale}
      action={
        mayHide(notice) ? (
          <IconButton
            label={m.announcements_hide({ title: notice.title[locale] })}
            icon={<X size={16} aria-hidden="true" />}
            onClick={() => {
              hide(notice)
              setHidden((count) => count + 1)
            }}
          />
        ) : undefined
      }
    />
  )
  return (
    <>
      {createPortal(shown.filter((notice) => !isLate(notice)).map(box), place)}
      <div role="status" className="print:hidden">
        {late.length === 0 ? null : (
          <div
            ref={foot}
            className="appears fixed inset-x-4 at-foot z-30 mx-auto md:left-19 lg:left-64 flex max-h-[50dvh] low:max-h-14 max-w-2xl flex-col gap-2 overflow-y-auto rounded-md shadow-menu"
          >
            {late.map(box)}
          </div>
        )}
      </div>
    </>
  )
}

/** Returns a function that is true for a notice which came after the present page had opened. */
function useLate(notices: readonly Notice[]): (notice: Notice) => boolean {
  const page = usePage()
  const began = { page, ids: notices.map(({ id }) => id) }
  const [first, setFirst] = useState(began)
  if (first.page !== page) setFirst(began)
  // The foot of the window is taken by the bar of a view, whose reader has seen the notice on pages of their own.
  if (isViewing() && !actedFor()) return () => false
  return ({ id }) => !first.ids.includes(id)
}

const usePage = () => useRouterState({ select: (state) => state.resolvedLocation?.pathname })

/** Returns an element that is kept in the `NoticePlace` of the present page. Before a page of the shell has one, it is nowhere: it would jump. */
function usePlace(): Element {
  const [place] = useState(() => {
    const element = document.createElement('div')
    element.role = 'status'
    element.className = PLACE
    return element
  })
  useNoticePlace()
  // The hook renders again at each change of page: a page in another frame has another content element.
  usePage()
  // The place moves before the browser draws, so that a page that begins with notices does not jump.
  useLayoutEffect(() => {
    const named = noticePlace()
    const content = named ?? document.querySelector('#content:not(:has(> [data-bars]))')
    place.classList.toggle('not-empty:mb-6', named === null)
    if (!content) place.remove()
    else if (place.parentElement !== content) content.prepend(place)
  })
  useEffect(() => () => place.remove(), [place])
  return place
}

/** In a chat, which has the height of the window, the announcements give their room to the conversation. */
const PLACE =
  'mx-auto flex w-full max-w-[70rem] min-h-0 shrink-[999] flex-col gap-3 overflow-y-auto empty:hidden print:hidden'

const KEY = 'hidden_notices'

/** The maximum number of hidden notices that are stored: more than are shown at once. The oldest are dropped, and are over by then. */
const MOST = 50

const nameOf = ({ id, revision }: Notice): string => `${id}:${revision}`

/** True if the reader hid this revision on this device. The next revision is shown again; an unresolved incident is never hidden. */
const isHidden = (notice: Notice): boolean => mayHide(notice) && hidden().includes(nameOf(notice))

const mayHide = ({ kind, resolved_at }: Notice): boolean => kind !== 'incident' || resolved_at !== null

function hide(notice: Notice): void {
  tryToStore(KEY, [...hidden(), nameOf(notice)].slice(-MOST).join(' '))
}

const hidden = (): string[] => (localStorage.getItem(KEY) ?? '').split(' ')
