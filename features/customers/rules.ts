import { hostTroubles } from '#features/hosts/rules.ts'
import { isVatId, plainVatId } from '#features/profile/rules.ts'
import { isUuid } from '#foundation/uuid.ts'
import { readNetwork } from './networks.ts'

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

/** The orders of the list of customers: the latest or highest first, and with `_asc` last. */
export const sorts = [
  'created_at',
  'created_at_asc',
  'last_login_at',
  'last_login_at_asc',
  'balance',
  'balance_asc',
] as const
export type Sort = (typeof sorts)[number]

/** The order without a choice: the newest first, and among those who owe, who owes most. */
export const sortOf = (sort: Sort | undefined, debt: boolean): Sort =>
  sort ?? (debt ? 'balance_asc' : 'created_at')

/** The states by which staff list the servers of all customers. */
export const hostStates = [...hostTroubles, 'suspended'] as const

/** The orders of the list of all servers: by their age, or by the end of their licences. */
export const hostSorts = ['newest', 'oldest', 'ends_first', 'ends_last'] as const
export type HostSort = (typeof hostSorts)[number]

/** The order without a choice: the newest first, and among those that end soon, the next end. */
export const hostSortOf = (sort: HostSort | undefined, state: HostFilter['state']): HostSort =>
  sort ?? (state === 'ends_soon' ? 'ends_first' : 'newest')

/** The filter of the list of all servers, by the state, the plan and the country of the owner. */
export type HostFilter = {
  state?: (typeof hostStates)[number] | undefined
  plan?: string | undefined
  country?: string | undefined
}

/** The filter of the list of customers. */
export type CustomerFilter = { q?: string | undefined; state?: State | undefined; debt?: 'yes' | undefined }

/** The states of a mail as staff read them: `kept` where there is no mail server. */
export const mailStates = ['waiting', 'refused', 'sent', 'given_up', 'kept'] as const
export type MailState = (typeof mailStates)[number]

/** The reasons against sending a mail again. */
export const mailHindrances = ['secret', 'waiting', 'forgotten', 'unwanted', 'suspended'] as const
export type MailHindrance = (typeof mailHindrances)[number]

/** The kinds of things through which a search may find the customer who owns them. */
export const matchKinds = ['host', 'invoice', 'ticket', 'transfer', 'iban', 'vat_id', 'street'] as const
export type MatchKind = (typeof matchKinds)[number]

/** The most letters of a note. */
export const NOTE_LENGTH = 10_000

/** The most notes about one customer. */
export const MOST_NOTES = 500

/** The seconds in which the author of a note may change it. */
export const NOTE_EDIT_S = 15 * 60

/**
 * A search text with the kind of thing that it names; `words` if it names no other kind. A bare `number` may be that of a ticket, of an
 * invoice of any year, or the end of an IBAN.
 */
type SearchText =
  | {
      kind: 'account' | 'address' | 'key' | 'invoice' | 'transfer' | 'email' | 'vat_id' | 'iban' | 'words'
      text: string
    }
  | { kind: 'ticket'; number: number }
  | { kind: 'number'; number: number; text: string }
  | { kind: 'place'; year: number; place: number }

/** The fewest characters of the end of an IBAN that name an account well enough. */
export const IBAN_END = 4

/** True for a text that may name the account of a payer, which only those find who may read bank statements. */
export function mayNameIban(typed: string): boolean {
  const meant = readSearch(typed)
  return meant.kind === 'iban' || (meant.kind === 'number' && meant.text.length >= IBAN_END)
}

export function readSearch(typed: string): SearchText {
  const text = typed.trim()
  const address = readNetwork(text)
  if (address !== undefined) return { kind: 'address', text: address }
  if (/^[\p{L}\d]+-\d{4}-\d{6,}$/u.test(text)) return { kind: 'invoice', text: text.toUpperCase() }
  const [, year, place] = /^(?:[a-z]+-)?(20\d\d)-(\d{1,5})$/i.exec(text) ?? []
  if (place !== undefined) return { kind: 'place', year: Number(year), place: Number(place) }
  const ticket = /^#(\d{1,9})$/.exec(text)?.[1]
  if (ticket !== undefined) return { kind: 'ticket', number: Number(ticket) }
  if (/^\d{1,9}$/.test(text)) return { kind: 'number', number: Number(text), text }
  if (/^hd[\s-]?[a-z]{4}[\s-]?\d{4}(?:[\s-]?\d\d)?$/i.test(text)) return { kind: 'transfer', text }
  const id = text.toLowerCase()
  if (isUuid(id)) return { kind: 'account', text: id }
  if (text.includes('@')) return { kind: 'email', text }
  // A name from a list may be written with the surname first.
  return codeOf(text) ?? { kind: 'words', text: text.replaceAll(/,\s+/g, ' ') }
}

/** Reads a text as people copy the codes of accounts and servers, with or without blanks and hyphens. */
function codeOf(text: string): SearchText | undefined {
  const plain = text.toUpperCase().replaceAll(/[\s-]/g, '')
  if (/^(?=\D*\d)[\dA-HJKMNP-TV-Z]{25}$/.test(plain))
    return { kind: 'key', text: plain.replaceAll(/.{5}(?!$)/g, '$&-') }
  const vatId = plainVatId(text)
  if (isVatId(vatId)) return { kind: 'vat_id', text: vatId }
  const end = /^(?:[.…*•]+|(?=\d{10,30}$|[A-Z]{2}\d{2}[A-Z\d]{11,30}$))([A-Z\d]+)$/.exec(plain)?.[1]
  return end !== undefined && end.length >= IBAN_END ? { kind: 'iban', text: end } : undefined
}
