/** The limits of what comes in by mail, and the reasons for which it is held or dropped. */

/** An address is renewed after this many days, so that one that got into wrong hands does not work for years. */
export const RENEWED_AFTER_DAYS = 30
/** An address takes answers until so many days after the last mail that carried it. */
export const VALID_DAYS = 90

/** The most bytes of one mail. */
export const MOST_MAIL_BYTES = 30_000_000
/** The most letters of a mail that are kept as its text. */
export const MOST_TEXT = 200_000
/** A held mail is discarded after so many days, and the traces of all mails go after so many. */
export const HELD_DAYS = 30
export const TRACE_DAYS = 180

/** The mails that are taken within one hour; more are held. */
export const hourly = { sender: 30, address: 30, all: 1000 } as const

/** The reasons for which a mail is held until somebody decides. */
export const heldReasons = [
  'stranger',
  'third_person',
  'forged',
  'odd_from',
  'unknown_address',
  'several_addresses',
  'lost_access',
  'blocked_account',
  'staff',
  'ticket_closed',
  'too_many',
  'no_text',
  'files',
  'unreadable',
  'too_large',
] as const
export type HeldReason = (typeof heldReasons)[number]

/** The reasons for which a mail is dropped and only counted. */
export const droppedReasons = [
  'null_sender',
  'auto_submitted',
  'list',
  'bulk',
  'own_mail',
  'loop',
  'blocked_sender',
  'returned',
] as const
export type DroppedReason = (typeof droppedReasons)[number]

/** Mails of customers that staff may post in the customer's name; one that is in no open ticket opens one. */
export const postable: readonly HeldReason[] = [
  'forged',
  'too_many',
  'unknown_address',
  'ticket_closed',
  'files',
]
