import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import type { PayloadOf } from '#foundation/contract.ts'
import {
  mailTemplate,
  type Answers,
  type MailLocale,
  type Quote,
} from '#foundation/server/mail/mail-template.ts'
import { mailIdentified } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { excerptOf, MOST_MAILED } from '#features/support/messages/rules.ts'
import { carriedReply, noteTicketMail } from '#features/support/mail/server/mail.ts'
import { displayNames, stopBy, stopKeyOf, whoWantsMail } from '#features/profile/server/profile.ts'
import type { messageWritten } from '#features/support/tickets/contract.ts'
import { helpersOfTicket } from '#features/sharing/server/sharing.ts'
import { rolesFor } from '#features/support/tickets/rules.ts'
import { aboutTicket, customerSideOf, unreadReplies } from '#features/support/tickets/server/tickets.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'
import { planStaffMail } from './new-ticket-mails.ts'
import * as queries from './mail-queries.ts'

type Written = PayloadOf<typeof messageWritten>

/**
 * Plans or sends the mails about a new message: a new ticket is mailed to staff, a ticket opened by staff to the customer at once, and a
 * reply of staff to the customer once it has stayed unread for a while.
 */
export async function mailAbout(app: App, tx: Tx, written: Written): Promise<void> {
  const { ticket_id, customer_id, customer_seq, kind, by_staff, first } = written
  if (kind !== 'comment' || customer_seq === null) return
  if (by_staff && first) await mailFromSupport(app, tx, written)
  else if (by_staff) await queries.planReplyMail(tx, { ticket_id, user_id: customer_id, seq: customer_seq })
  else if (first) await planStaffMail(tx, written)
}

/** Staff opened the ticket: the customer is mailed at once, even if they want no mails about replies. */
async function mailFromSupport(
  app: App,
  tx: Tx,
  { ticket_id, customer_id: user_id, author_id, text }: Written,
): Promise<void> {
  const ticket = await aboutTicket(tx, ticket_id)
  if (!ticket) return
  const { number, subject, public_id: chat_id } = ticket
  const author = (await displayNames(app, tx, [author_id])).ofStaff(author_id).name
  const said: Quote = { quote: excerptOf(text, 'reply'), author, at: new Date() }
  const carried = await carriedReply(app, tx, { ticket_id, user_id, chat_id })
  const values = { number, subject, chat_id, said, answers: carried?.answers }
  const mail = await mailIdentified(app, tx, user_id, ticketFromSupport, values)
  await noteTicketMail(tx, { ticket_id, user_id, mail, carried, seq: 1 })
}

/** Sends due mails, ticket by ticket, each in a transaction of its own: a mail that fails is postponed and delays no other. */
export async function mailDueReplies(app: App): Promise<void> {
  for (;;) {
    let held: queries.DueMail | undefined
    try {
      held = await transaction(app, 'system', async (tx) => {
        const due = await queries.lockDueMail(tx)
        held = due
        if (due) await mailReplies(app, tx, due)
        return due
      })
    } catch (error) {
      const failed = held
      if (!failed) throw error
      app.log.error({ err: error, ticket_id: String(failed.ticket_id) }, 'replies could not be mailed yet')
      await transaction(app, 'system', (tx) => queries.putOffMail(tx, failed.ticket_id))
    }
    if (!held) return
  }
}

/**
 * Sends one mail about all unread replies to each person of the customer's side: the customer, and the helpers who wrote and may still
 * read. The mails and the number of the last mailed reply are one transaction, under the lock of the ticket's row in `ticket_mails`, so
 * that neither two processes at once nor a crash mail anything twice.
 */
async function mailReplies(app: App, tx: Tx, { ticket_id, user_id, seq }: queries.DueMail): Promise<void> {
  const ticket = await aboutTicket(tx, ticket_id)
  let last: number | undefined
  for (const person of ticket ? await readersOf(tx, ticket_id, ticket) : [user_id]) {
    const mailed = ticket && (await mailUnread(app, tx, { ticket_id, ticket, person, after: seq }))
    last = Math.max(last ?? 0, mailed ?? 0) || undefined
  }
  await queries.noteMailed(tx, ticket_id, last)
}

/** Returns the customer, and the helpers who wrote and may still read the ticket, if they want mails about replies. */
async function readersOf(tx: Tx, ticket_id: bigint, ticket: Ticket): Promise<string[]> {
  const { user_id: owner_id, host_public_id: host_id, topic } = ticket
  const authors = (await customerSideOf(tx, ticket_id)).filter((person) => person !== owner_id)
  const helpers = await helpersOfTicket(tx, authors, { owner_id, host_id, roles: rolesFor(topic) })
  return whoWantsMail(tx, [owner_id, ...helpers], 'ticket_replies')
}

type Ticket = NonNullable<Awaited<ReturnType<typeof aboutTicket>>>
type Reply = { ticket_id: bigint; ticket: Ticket; person: string; after: number }

/**
 * Sends one person a mail about the replies that they have not read. Returns the number of the last reply; undefined if no mail was sent.
 */
async function mailUnread(
  app: App,
  tx: Tx,
  { ticket_id, ticket, person, after }: Reply,
): Promise<number | undefined> {
  const unread = await unreadReplies(tx, { ticket_id, person, after })
  const user = await findUser(tx, person)
  const last = unread.at(-1)
  if (!last || !user?.is_active) return undefined
  const { number, subject, public_id: chat_id } = ticket
  const quoted = await quotesOf(app, tx, unread)
  const files = unread.reduce((sum, reply) => sum + reply.files, 0)
  const carried = await carriedReply(app, tx, { ticket_id, user_id: person, chat_id })
  const stop = stopKeyOf(app.keys, person, 'ticket_replies')
  const values = { number, subject, chat_id, ...quoted, files, answers: carried?.answers, stop }
  const mail = await mailIdentified(app, tx, person, unreadReply, values)
  await noteTicketMail(tx, { ticket_id, user_id: person, mail, carried, seq: last.seq })
  return last.seq
}

type Unread = Awaited<ReturnType<typeof unreadReplies>>

/**
 * Returns the first replies in full, as far as they fit in one mail, and the number of replies left out. A reply that has only files has no
 * text to quote.
 */
async function quotesOf(app: App, tx: Tx, unread: Unread) {
  const names = await displayNames(
    app,
    tx,
    unread.map(({ author_id }) => author_id),
  )
  const said = unread.map(({ author_id, text, created_at }): Quote => {
    return { quote: excerptOf(text, 'reply'), author: names.ofStaff(author_id).name, at: created_at }
  })
  const replies: Quote[] = []
  let length = 0
  for (const reply of said.filter(({ quote }) => quote !== '')) {
    length += reply.quote.length
    if (replies.length > 0 && length > MOST_MAILED) break
    replies.push(reply)
  }
  return { replies, left_out: said.filter(({ quote }) => quote !== '').length - replies.length }
}

type About = { number: number; subject: string; chat_id: string; answers: Answers | undefined }
type Replies = About & { replies: readonly Quote[]; left_out: number; files: number; stop: string }

const answers: Answers = { to: 'support@help.example.com', thread: 'ticket-example@example.com' }
const example = { number: 1042, subject: 'Agent', chat_id: 'example', answers, stop: EXAMPLE.key }
const said: Quote = { quote: 'Please update it.', author: EXAMPLE.other, at: EXAMPLE.at }

/** The mail to the customer: replies of the support that they have not seen. */
const unreadReply = mailTemplate<Replies>(
  'ticket_reply',
  'replies',
  [
    { ...example, replies: [said], left_out: 1, files: 1 },
    { ...example, replies: [said], left_out: 2, files: 2 },
  ],
  (
    { number, subject, replies, left_out, files, chat_id, answers: by, stop: key },
    { locale, link, operator, callAt },
  ) => ({
    subject: m.messages_mail_reply_subject({ number: String(number), subject }, { locale }),
    paragraphs: [
      m.messages_mail_reply_text({ operator: operator.name }, { locale }),
      ...replies,
      ...(left_out > 0 ? [m.messages_mail_reply_more({ count: left_out }, { locale })] : []),
      ...(files > 0 ? [m.messages_mail_files({ count: files }, { locale })] : []),
    ],
    action: { label: m.messages_mail_open({}, { locale }), url: link(paths.ticket(chat_id)) },
    closing: [...byMail(by, locale), m.messages_mail_switch({}, { locale })],
    unsubscribe: stopBy({ link, callAt }, 'ticket_replies', key),
    ...(by && { answers: by }),
  }),
)

/** The mail to the customer: the support has written to them first. */
const ticketFromSupport = mailTemplate<About & { said: Quote }>(
  'ticket_from_support',
  'replies',
  [{ ...example, said }],
  ({ number, subject, said, chat_id, answers: by }, { locale, link, operator }) => ({
    subject: m.messages_mail_support_subject({ number: String(number), subject }, { locale }),
    paragraphs: [m.messages_mail_support_text({ operator: operator.name }, { locale }), said],
    action: { label: m.messages_mail_open({}, { locale }), url: link(paths.ticket(chat_id)) },
    closing: byMail(by, locale),
    ...(by && { answers: by }),
  }),
)

/** Says that the mail can be answered, where that is so. */
const byMail = (by: Answers | undefined, locale: MailLocale): string[] =>
  by ? [m.messages_mail_answer({}, { locale })] : []
