import { toast } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

/** Shows a toast that says that a link of a mail works only after signing out. */
export const askToSignOut = () =>
  toast({ type: 'warning', message: m.shell_reset_signed_in, closeable: true })
