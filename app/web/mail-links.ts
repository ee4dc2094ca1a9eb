import { useSyncExternalStore } from 'react'
import { linkNames } from '#features/auth/contract.ts'
import { lazyPage } from '#foundation/web/lazy-page.tsx'
import { toast } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

/** The key in the link of a confirmation mail. */
export const keyToConfirm = (query: string): string | undefined =>
  new URLSearchParams(query).get(linkNames.verify) ?? undefined

/** The dialog that confirms an address for somebody who is signed in already. */
export const ConfirmAddress = lazyPage(() =>
  import('./confirm-address.tsx').then((file) => file.ConfirmAddress),
)

let asked: string | undefined
let onChange = () => {}

/** Asks before anything is confirmed: the link may be for the account of a stranger (rule 37). */
export function askToConfirm(key: string | undefined): void {
  asked = key
  onChange()
}

/** The key that waits for an answer. */
export const useRequestedKey = (): string | undefined =>
  useSyncExternalStore(
    (listener) => {
      onChange = listener
      return () => {}
    },
    () => asked,
  )

/** A link that sets another password is for somebody who is signed out; it stays good meanwhile. */
export const askToSignOutFirst = () =>
  toast({ type: 'warning', message: m.shell_reset_signed_in, closeable: true })
