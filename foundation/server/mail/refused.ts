import { event } from '#foundation/contract.ts'

/** The mail server refused a recipient for good, at RCPT. */
export const mailRefused = event<{
  mail_id: string
  user_id: string | null
  to_address: string
  reason: string
}>('mail.refused')
