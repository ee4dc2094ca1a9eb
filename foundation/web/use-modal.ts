import { useLayoutEffect } from 'react'
import type { RefObject } from 'react'
import { rememberOpener } from './focus.ts'

/**
 * Opens the browser's modal dialog and closes it again, and gives the focus back to the element that opened it. It is a layout effect,
 * because its cleanup runs before React removes the dialog: a dialog that is removed while open leaves the focus on the body.
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
 * Moves the focus to the first field, so that a person can type at once; else the close button would have it. A field that is added
 * later, with an answer of the server, gets the focus too, unless the person has pressed a key or the pointer before. Returns a
 * function that stops waiting for such a field.
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
