import { useSyncExternalStore } from 'react'
import { isLonger, lengthText } from '#foundation/web/i18n/length-text.ts'

type Control = HTMLInputElement | HTMLTextAreaElement

/**
 * True if a control holds more characters than its `data-most` allows. This is not `maxLength`, with which a browser silently cuts off
 * pasted text. Blanks around a single line do not count, because the server trims it.
 */
export function isTooLong(control: Element): control is Control {
  if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) return false
  const most = mostOf(control)
  return most !== undefined && isLonger(textIn(control), most)
}

/**
 * Returns '120 of 100 characters' while the control with this id holds too many. The control is also checked with each rendering,
 * because another tab, or going back in the history, can fill it without an input event.
 */
export const useLengthNote = (id: string): string | undefined =>
  useSyncExternalStore(onInput, () => {
    const control = document.getElementById(id)
    return control && isTooLong(control) ? lengthText(textIn(control), mostOf(control) ?? 0) : undefined
  })

function onInput(listener: () => void): () => void {
  document.addEventListener('input', listener)
  return () => document.removeEventListener('input', listener)
}

const textIn = (control: Control): string =>
  control instanceof HTMLInputElement ? control.value.trim() : control.value

function mostOf(control: Element): number | undefined {
  const most = control.getAttribute('data-most')
  return most === null ? undefined : Number(most)
}
