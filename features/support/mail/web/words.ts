import type { HeldReason } from '#features/support/mail/rules.ts'
import { m } from '#texts/messages.js'

export const reasonText = (reason: HeldReason): string => REASONS[reason]()

const REASONS: Readonly<Record<HeldReason, () => string>> = {
  stranger: m.incoming_reason_stranger,
  third_person: m.incoming_reason_third_person,
  forged: m.incoming_reason_forged,
  odd_from: m.incoming_reason_odd_from,
  unknown_address: m.incoming_reason_unknown_address,
  several_addresses: m.incoming_reason_several_addresses,
  lost_access: m.incoming_reason_lost_access,
  blocked_account: m.incoming_reason_blocked_account,
  staff: m.incoming_reason_staff,
  ticket_closed: m.incoming_reason_ticket_closed,
  too_many: m.incoming_reason_too_many,
  no_text: m.incoming_reason_no_text,
  files: m.incoming_reason_files,
  unreadable: m.incoming_reason_unreadable,
  too_large: m.incoming_reason_too_large,
}
