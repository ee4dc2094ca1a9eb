import { useRouterState } from '@tanstack/react-router'
import X from 'lucide-react/icons/x'
import { useEffect, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { m } from '#texts/messages.js'
import { hide, isHidden, mayHide } from './hidden-notices.ts'
import { NoticeBox } from './notice-box.tsx'
import { useNotices } from './use-notices.ts'

/**
 * Announcements on top of every page, of which no page knows. The code comes after the first page has shown, unless there were
 * some before (kept-notices.ts): without announcements it costs the first load nothing.
 */
export function Announcements() {
  const locale = useLocale()
  const place = usePlaceOnTop()
  const notices = useNotices()
  const [, setHidden] = useState(0)
  return createPortal(
    notices
      .filter((notice) => !isHidden(notice))
      .map((notice) => (
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
      )),
    place,
  )
}

/** An element of its own, first in the content of whichever page is shown. */
function usePlaceOnTop(): Element {
  const [place] = useState(() => {
    const element = document.createElement('div')
    element.role = 'status'
    element.className = 'mx-auto flex w-full max-w-[70rem] flex-col gap-3 not-empty:mb-6 print:hidden'
    return element
  })
  // Renders again with each change of page; the way from one frame to another brings another content.
  useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  // The place moves before the browser draws, so that a page that begins with notices does not jump.
  useLayoutEffect(() => {
    const content = document.querySelector('#content')
    if (content && place.parentElement !== content) content.prepend(place)
  })
  useEffect(() => () => place.remove(), [place])
  return place
}
