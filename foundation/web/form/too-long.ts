import { useSyncExternalStore } from 'react'
import { isLonger, lengthText } from '#foundation/web/i18n/length-text.ts'

type Control = HTMLInputElement | HTMLTextAreaElement

/**
 * The most characters of a field are in `data-most` of its control, not in `maxLength`: a browser cuts what is pasted there and says
 * nothing. Blanks around one line do not count, the server takes them off.
 */
export function isTooLong(control: Element): control is Control {
  if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) return false
  const most = mostOf(control)
  return most !== undefined && isLonger(textIn(control), most)
}

/**
 * '120 of 100 characters' while the control with this id holds too many. Looked at anew with each rendering: what another tab
 * saved, or the way back, fills fields without a key being pressed.
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
