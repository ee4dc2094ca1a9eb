import type { HeldReason } from '#features/support/mail/rules.ts'
import { m } from '#texts/messages.js'

export const reasonText = (reason: HeldReason): string => REASONS[reason]()

const REASONS: Readonly<Record<HeldReason, () => string>> = {
  stranger: m.mail_in_reason_stranger,
  third_person: m.mail_in_reason_third_person,
  forged: m.mail_in_reason_forged,
  odd_from: m.mail_in_reason_odd_from,
  unknown_address: m.mail_in_reason_unknown_address,
  several_addresses: m.mail_in_reason_several_addresses,
  lost_access: m.mail_in_reason_lost_access,
  blocked_account: m.mail_in_reason_blocked_account,
  staff: m.mail_in_reason_staff,
  ticket_closed: m.mail_in_reason_ticket_closed,
  too_many: m.mail_in_reason_too_many,
  no_text: m.mail_in_reason_no_text,
  files: m.mail_in_reason_files,
  unreadable: m.mail_in_reason_unreadable,
  too_large: m.mail_in_reason_too_large,
}
