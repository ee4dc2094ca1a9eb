import { linkNames, verifyEmail } from '#features/auth/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { toast, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

/** The key in the link of a confirmation mail. */
export const keyToConfirm = (query: string): string | undefined =>
  new URLSearchParams(query).get(linkNames.verify) ?? undefined

/** Confirms an address for somebody who is signed in already, and tells how it went. */
export async function confirmAddress(key: string): Promise<void> {
  const answer = await call(verifyEmail, { body: { key } })
  const [error] = answer.errors
  if (answer.status === 200 || answer.status === 401) toastSuccess(m.shell_address_confirmed)
  else if (error) toast({ type: 'error', message: () => errorText(error), closeable: true })
}

/** A link that sets another password is for somebody who is signed out; it stays good meanwhile. */
export const tellToSignOutFirst = () =>
  toast({ type: 'warning', message: m.shell_reset_signed_in, closeable: true })
