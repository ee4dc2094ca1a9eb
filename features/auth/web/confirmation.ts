import { inspectVerification } from '#features/auth/contract.ts'
import type { ReplyOf } from '#foundation/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { m } from '#texts/messages.js'

/** The address and account that a key from a mail would confirm. */
export type ConfirmationRequest = Extract<
  ReplyOf<typeof inspectVerification>,
  { status: 200 }
>['body']['data']

/** Asks the server about a key. This changes nothing. */
export const inspectKey = (key: string) =>
  call(inspectVerification, { headers: { 'x-email-verification-key': key } })

/** Returns the question that asks to confirm the address. It names the account and the day on which it was made. */
export function questionOf({ email, user, is_new_account, account_since }: ConfirmationRequest): string {
  const date = formatDate(account_since * 1000)
  return is_new_account
    ? m.auth_verify_new_text({ email, date })
    : m.auth_verify_added_text({ email, account: user.email ?? user.display, date })
}
