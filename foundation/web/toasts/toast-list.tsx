import { useEffect, useRef, useState } from 'react'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { useLargeScreen } from '#foundation/web/screen/breakpoints.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { useSpaceAtEnd } from '#foundation/web/ui/space-at-end.ts'
import { m } from '#texts/messages.js'
import { ToastCard } from './toast-card.tsx'
import type { Toast } from './toasts.ts'
import { toastText, useToasts } from './toasts.ts'

/** The toasts: at the bottom of large screens, at the top of small ones with the newest first (row T-07). */
export function ToastList() {
  useLocale()
  const toasts = useToasts()
  const large = useLargeScreen()
  const [opened, setOpened] = useState<Toast>()
  const list = useRef<HTMLDivElement>(null)
  const newest = toasts.at(-1)?.id

  // A dialog is in the browser's top layer, above any z-index. If the list is hidden and shown again, it is above the dialog.
  useEffect(() => {
    list.current?.hidePopover()
    if (newest !== undefined) list.current?.showPopover()
  }, [newest])
  // Space for toasts that close by themselves would move the page twice in three seconds, so only closeable ones get it.
  useSpaceAtEnd(list, large && toasts.some(({ closeable }) => closeable))

  return (
    <>
      <div ref={list} popover="manual" className="toasts" data-side={large ? 'bottom' : 'top'}>
        <div role="log" aria-live="polite" aria-label={m.ui_notices()}>
          <ol className="flex flex-col gap-2">
            {(large ? toasts : toasts.toReversed()).map((toast) => (
              <li key={toast.id}>
                <ToastCard toast={toast} onMore={() => setOpened(toast)} />
              </li>
            ))}
          </ol>
        </div>
      </div>
      <Dialog
        open={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={opened ? toastText(opened.message) : ''}
      >
        <p className="text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
          {opened?.extended === undefined ? null : toastText(opened.extended)}
        </p>
      </Dialog>
    </>
  )
}
