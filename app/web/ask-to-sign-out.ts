import { toast } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

/** Shows that a link of a mail needs a sign-out first. */
export const askToSignOut = () =>
  toast({ type: 'warning', message: m.shell_reset_signed_in, closeable: true })
