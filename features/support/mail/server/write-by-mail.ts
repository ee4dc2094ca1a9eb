import { createHash } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { accountActedFor, keepUser, type Actor } from '#foundation/server/session/session.ts'
import { must } from '#foundation/must.ts'
import { multilineText, requiredText } from '#foundation/fields.ts'
import { isBlank } from '#foundation/is-blank.ts'
import type { HeldReason } from '#features/support/mail/rules.ts'
import { useTickets } from '#features/support/tickets/contract.ts'
import { lengths } from '#features/support/tickets/rules.ts'
import {
  lockTicket,
  ticketAsThing,
  writeMessage,
  writeTicket,
} from '#features/support/tickets/server/tickets.ts'
import { cut } from './read-mail.ts'
import type { AddressRow } from './address-queries.ts'
import type { Mail } from './mail.ts'
import { leftOut } from './quotation.ts'

/** The person who wrote a mail, as somebody who makes a call: for their own account, or as a helper for the ticket's customer. */
export type Writer = { app: App; actor: Actor; caller: Caller; person_id: string }

type From = { do: 'answer'; address: AddressRow } | { do: 'open'; user_id: string }

/** Returns the account by which a person acts now: the one that stays, after a merge of accounts. */
export const personOf = async (app: App, user_id: string): Promise<string> =>
  (await app.mergedInto?.(app.db, user_id)) ?? user_id

/** Finds by what right a person writes now, as a call of theirs would; or the reason why they may not. */
export async function writerFor(app: App, from: From): Promise<Writer | { reason: HeldReason }> {
  const person_id = await personOf(app, from.do === 'open' ? from.user_id : from.address.user_id)
  const person = await accountActedFor(app.db, person_id)
  if (!person) return { reason: 'blocked_account' }
  if (from.do === 'open' || from.address.owner_id === person_id) return writing(app, person, person)
  const { chat_id, owner_id } = from.address
  const thing = must(await ticketAsThing(app.db, chat_id))
  const named = { account: owner_id, params: { chatId: chat_id }, thing }
  const acting = await app.findActing?.(app, person, useTickets, named).catch(asLost)
  const owner = acting && (await accountActedFor(app.db, owner_id))
  return acting && owner ? writing({ ...app, acting }, owner, person) : { reason: 'lost_access' }
}

/** A refusal of the way to act is an answer here; any other error is none. */
function asLost(error: unknown): undefined {
  if (!(error instanceof HttpError)) throw error
  return undefined
}

/** Nobody acts as staff by mail: who is staff writes as the customer that the address names. */
function writing(app: App, owner: Actor, person: Actor): Writer {
  const actor: Actor = { ...owner, is_staff: false, staff_roles: [] }
  const caller: Caller = {
    ip: '',
    is_local: false,
    in_staff_network: false,
    user_agent: '',
    locale: person.locale,
    request_id: 'mail',
    tab: undefined,
    gone: false,
    actor: { ...person, is_staff: false, staff_roles: [] },
  }
  return { app, actor, caller, person_id: person.user_id }
}

type Written = {
  mail: Mail
  attachment_ids: readonly string[]
  /** The names of the files that the message may not have. */
  left_out: readonly string[]
  writer: Writer
}
type Place = { ticket_id: bigint; message_seq: number }

/** Posts the answer alone as a message. Throws what a call would: 404, 409 `ticket_closed`, 400 `required`, 413. */
export async function writeByMail(tx: Tx, chat_id: string, written: Written): Promise<Place> {
  const { mail, attachment_ids, writer } = written
  const { app, actor, caller } = writer
  const ticket = await lockTicket(tx, chat_id, actor)
  const message = { client_id: idOf(mail), text: messageOf(written), attachment_ids, by_mail: true }
  const { row } = await writeMessage(app, tx, { ticket, actor, caller, kind: 'comment', written: message })
  return { ticket_id: row.ticket_id, message_seq: row.seq }
}

/** Opens a ticket with the mail as its first message. Throws 400 `required` for a mail that has neither words, nor a subject and files. */
export async function openByMail(tx: Tx, written: Written): Promise<Place> {
  const { mail, attachment_ids, writer } = written
  const { app, actor, caller } = writer
  // The account may have been deleted since its address was found.
  if (!(await keepUser(tx, actor.user_id))?.is_active) throw notFound()
  const said = messageOf(written)
  // Many a person sends a picture whose only words are its subject.
  const message = isBlank(said) && attachment_ids.length > 0 ? (mail.about.subject ?? '') : said
  if (isBlank(message)) throw badRequest('required', 'text')
  const body = {
    subject: subjectOf(mail, message),
    message,
    topic: 'miscellaneous' as const,
    client_id: idOf(mail),
    attachment_ids: [...attachment_ids],
  }
  const { body: opened } = await writeTicket(app, tx, {
    user_id: actor.user_id,
    actor,
    caller,
    body,
    by_mail: true,
  })
  const { id } = await lockTicket(tx, opened.id, actor)
  return { ticket_id: id, message_seq: 1 }
}

/** Returns the id of the message that a mail becomes: the same for the same mail, so that it is written once whatever happens. */
function idOf({ digest }: Mail): string {
  const hex = createHash('sha256').update('message').update(digest).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Returns the words of a mail as a message may hold them. The whole mail can be opened. */
function messageOf({ mail, left_out, writer }: Written): string {
  const answer = mail.about.answer ?? ''
  const end = leftOut(left_out, writer.actor.locale)
  const most = lengths.message - 10 - end.length
  const text = cut(answer.normalize('NFC'), most)
  const checked = multilineText(lengths.message).safeParse(
    `${text.length < answer.length - 10 ? `${text}\n…` : text}${end}`,
  )
  return checked.success ? checked.data : ''
}

function subjectOf({ about: { subject } }: Mail, message: string): string {
  const candidates = [subject ?? '', message.split('\n')[0] ?? ''].map((text) =>
    cut(text, lengths.subject - 1),
  )
  const [found] = candidates.flatMap((text) => requiredText(lengths.subject).safeParse(text).data ?? [])
  return found ?? '…'
}
