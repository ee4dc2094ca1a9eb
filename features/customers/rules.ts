import { canonicalIpv6 } from '#foundation/ipv6.ts'
import { isUuid } from '#foundation/uuid.ts'

/** A customer without any proven address is `unconfirmed`, unless staff have blocked or locked the account. */
export const states = ['active', 'unconfirmed', 'blocked', 'locked'] as const
export type State = (typeof states)[number]

/** A `blocked` customer may not buy; a `locked` customer may not sign in either. */
export const levels = ['none', 'blocked', 'locked'] as const
export type Level = (typeof levels)[number]

export const causes = ['fraud', 'payment', 'terms', 'stolen'] as const
export type Cause = (typeof causes)[number]

/** The most letters of the message to a customer about a block, and of the reason of any action, which staff read. */
export const MESSAGE_LENGTH = 500
export const REASON_LENGTH = 200

export const sorts = ['created_at', 'last_login_at', 'balance'] as const
export type Sort = (typeof sorts)[number]

/** The kinds of things through which a search may find the customer who owns them. */
export const matchKinds = ['host', 'invoice', 'ticket', 'transfer'] as const
export type MatchKind = (typeof matchKinds)[number]

/** The most letters of a note. */
export const NOTE_LENGTH = 10_000

/** The most notes about one customer. */
export const MOST_NOTES = 500

/** The seconds in which the author of a note may change it. */
export const NOTE_EDIT_S = 15 * 60

/** A search text with the kind of thing that it names; `words` if it names no other kind. */
type SearchText =
  | { kind: 'account' | 'address' | 'invoice' | 'transfer' | 'email' | 'words'; text: string }
  | { kind: 'ticket'; number: number }

export function readSearch(typed: string): SearchText {
  const text = typed.trim()
  if (/^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text)) return { kind: 'address', text }
  const ipv6 = canonicalIpv6(text)
  if (ipv6 !== undefined) return { kind: 'address', text: ipv6 }
  if (/^[\p{L}\d]+-\d{4}-\d{6,}$/u.test(text)) return { kind: 'invoice', text: text.toUpperCase() }
  const number = /^#?(\d{1,9})$/.exec(text)?.[1]
  if (number !== undefined) return { kind: 'ticket', number: Number(number) }
  if (/^hd[\s-]?[a-z]{4}[\s-]?\d{4}(?:[\s-]?\d\d)?$/i.test(text)) return { kind: 'transfer', text }
  const id = text.toLowerCase()
  if (isUuid(id)) return { kind: 'account', text: id }
  return { kind: text.includes('@') ? 'email' : 'words', text }
}
