import { linkNames } from '#features/auth/web/link-names.ts'
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

/** A link that sets another password is for somebody who is signed out; it stays good meanwhile. */
export const askToSignOutFirst = () =>
  toast({ type: 'warning', message: m.shell_reset_signed_in, closeable: true })
