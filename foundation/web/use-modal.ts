import { useLayoutEffect } from 'react'
import type { RefObject } from 'react'
import { rememberOpener } from './focus.ts'

/**
 * Opens the browser's modal dialog and closes it again, and gives the focus back to what opened it. By a layout effect,
 * since its end comes before React takes the element away: a dialog that is gone when it closes leaves the focus on the body.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, open = true): void {
  useLayoutEffect(() => {
    const element = dialog.current
    if (!open || !element) return undefined
    const giveFocusBack = rememberOpener(element)
    element.showModal()
    const stopFocusing = focusFirstField(element)
    return () => {
      stopFocusing()
      element.close()
      giveFocusBack()
    }
  }, [dialog, open])
}

/**
 * Somebody who is asked something can type at once; else the cross would have the focus. A field that comes later, with an
 * answer of the server, gets it too, unless a key or the pointer was faster.
 */
function focusFirstField(dialog: HTMLDialogElement): () => void {
  const focusField = () => dialog.querySelector<HTMLElement>(FIELDS)?.focus()
  focusField()
  if (dialog.querySelector(FIELDS)) return () => {}
  const waiting = new MutationObserver(() => {
    if (!dialog.querySelector(FIELDS)) return
    stop()
    focusField()
  })
  const stop = () => {
    waiting.disconnect()
    for (const type of ACTS) dialog.removeEventListener(type, stop)
  }
  waiting.observe(dialog, { childList: true, subtree: true })
  for (const type of ACTS) dialog.addEventListener(type, stop)
  return stop
}

const FIELDS = 'input:not([type=hidden], [readonly], [disabled], [hidden]), select, textarea'
const ACTS = ['keydown', 'pointerdown'] as const
