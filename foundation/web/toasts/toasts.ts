import { useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'
import { errorText, type DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { m } from '#texts/messages.js'

type ToastType = 'success' | 'error' | 'warning'

/** A text, or a function that returns it, so that a toast that stays changes its language with the page. */
export type ToastText = string | (() => string)

export type Toast = {
  id: number
  /** The default is `warning` (row T-01). */
  type: ToastType
  message: ToastText
  /** Shown and read out instead of the message (row T-04). The message is the title of the dialog behind 'More'. */
  node?: ReactNode
  /** The full text behind a 'More' button (row T-03). */
  extended?: ToastText
  /** Takes back what the toast reports, by a button that closes the toast. */
  undo?: () => Promise<void>
  /** True for a toast that stays until it is closed by its button (rows T-02, T-05). */
  closeable: boolean
  /** While a toast with this mark is shown, no other toast is added (row T-06). */
  isAuthError: boolean
}

type ToastInput = Pick<Toast, 'message'> & Partial<Omit<Toast, 'id' | 'message'>>

/**
 * Shows a toast. Returns its id, or undefined if a toast of an auth error is shown. A text that is shown already, as when
 * several calls of a page are refused at once, is shown only once, with the latest reasons.
 */
export function toast(input: ToastInput): number | undefined {
  if (toasts.some((shown) => shown.isAuthError)) return undefined
  const added: Toast = { type: 'warning', closeable: false, isAuthError: false, ...input, id: lastId + 1 }
  const equal = toasts.find((shown) => saysTheSame(shown, added))
  if (equal?.closeable) {
    const reasons = added.extended === undefined ? {} : { extended: added.extended }
    set(toasts.map((shown) => (shown === equal ? { ...equal, ...reasons } : shown)))
    return equal.id
  }
  lastId = added.id
  set([...toasts.filter((shown) => shown !== equal), added])
  if (!added.closeable) setTimeout(() => closeToast(added.id), SHOWN_ms)
  return added.id
}

/** True if two toasts say the same. The toasts of two failed uploads differ in the element that names the file. */
const saysTheSame = (one: Toast, other: Toast): boolean =>
  one.type === other.type && one.node === other.node && toastText(one.message) === toastText(other.message)

/** Shows a success: `toastSuccess(() => m.profile_saved())`. */
export const toastSuccess = (message: ToastText): number | undefined => toast({ type: 'success', message })

/**
 * Shows an error. With `answer`, the refused answer, its reasons and request id are behind 'More', and the toast stays until it is
 * closed, because three seconds are too short to read an id to somebody.
 */
export function toastError(message: ToastText, answer?: FailedAnswer, node?: ReactNode): number | undefined {
  if (!answer) return toast({ type: 'error', message })
  return toast({ type: 'error', message, closeable: true, node, extended: () => reasonsOf(answer) })
}

type FailedAnswer = { errors: readonly DisplayedError[]; requestId?: string | undefined }

function reasonsOf({ errors, requestId }: FailedAnswer): string {
  const id = requestId === undefined ? [] : [`${m.ui_request_id()} ${requestId}`]
  return [...new Set(errors.map(errorText)), ...id].join('\n')
}

export function closeToast(id: number): void {
  if (toasts.some((shown) => shown.id === id)) set(toasts.filter((shown) => shown.id !== id))
}

/** Closes the toasts about an ended session, which a new sign-in makes obsolete. */
export const closeAuthErrors = (): void => set(toasts.filter((shown) => !shown.isAuthError))

export const clearToasts = (): void => set([])

export const useToasts = (): readonly Toast[] => useSyncExternalStore(listeners.add, currentToasts)

export const currentToasts = (): readonly Toast[] => toasts

export const toastText = (text: ToastText): string => (typeof text === 'function' ? text() : text)

const SHOWN_ms = 3000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = listenersOf()

function set(next: readonly Toast[]): void {
  toasts = next
  listeners.notify()
}
