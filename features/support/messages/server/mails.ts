import type { App } from '#foundation/server/app.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import type { EventKind } from '#foundation/contract.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import type { Quote } from '#foundation/server/mail/mail-template.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { findUser, staffIds } from '#foundation/server/session/session.ts'
import { excerptOf, MOST_MAILED } from '#features/support/messages/rules.ts'
import { displayNames, whoWantsMail } from '#features/profile/server/profile.ts'
import type { messageWritten } from '#features/support/tickets/contract.ts'
import { helpersOfTicket } from '#features/sharing/server/sharing.ts'
import { rolesFor } from '#features/support/tickets/rules.ts'
import { aboutTicket, customerSideOf, unreadReplies } from '#features/support/tickets/server/tickets.ts'
import { newTicket, newTickets, ticketFromSupport, unreadReply } from './mail-templates.ts'
import * as queries from './mail-queries.ts'

type Written = typeof messageWritten extends EventKind<infer Payload> ? Payload : never

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
  const customer = await findUser(tx, user_id)
  const ticket = await aboutTicket(tx, ticket_id)
  if (!customer?.is_active || !ticket) return
  const { number, subject, public_id: chat_id } = ticket
  const author = (await displayNames(app, tx, [author_id])).ofStaff(author_id).name
  const said: Quote = { quote: excerptOf(text, 'reply'), author, at: new Date() }
  const { email: to, locale } = customer
  const values = { number, subject, chat_id, said }
  await enqueueMail(app, tx, { user_id, to, locale, template: ticketFromSupport, values })
}

/**
 * Records the new ticket and enqueues a job that decides about the mail, because opening a ticket must not wait for other tickets being
 * opened.
 */
async function planStaffMail(tx: Tx, { ticket_id, customer_id, author_id, text }: Written): Promise<void> {
  await queries.noteNewTicket(tx, { ticket_id, user_id: customer_id })
  const payload: NewTicketMail = {
    ticket_id: String(ticket_id),
    customer_id,
    author_id,
    excerpt: excerptOf(text),
  }
  await enqueue(tx, MAIL_NEW_TICKET, payload, { key: `new-ticket:${ticket_id}` })
}

export const MAIL_NEW_TICKET = jobKind('mail_new_ticket', 'replies')

export type NewTicketMail = {
  ticket_id: string
  customer_id: string
  author_id: string
  excerpt: string
}

/** Mails a new ticket to staff if it is among the first few (`newTicketMails`); the others are mailed together. */
export async function mailNewTicket(
  app: App,
  { ticket_id, customer_id, author_id, excerpt }: NewTicketMail,
): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const wanting = await staffWanting(tx, [customer_id])
    const ticket = wanting.length > 0 ? await aboutTicket(tx, BigInt(ticket_id)) : undefined
    // Nobody wants a mail, or the ticket is gone: staff get no mail about it, now or later.
    if (!ticket) return queries.noteMailedAtOnce(tx, [BigInt(ticket_id)])
    await lockByName(tx, NEW_TICKETS)
    if (!(await queries.isMailedAtOnce(tx, BigInt(ticket_id)))) return
    const { number, subject, public_id: chat_id } = ticket
    const names = await displayNames(app, tx, [customer_id, author_id])
    const customer = names.of(customer_id).name
    const written_by = author_id === customer_id ? null : names.of(author_id).name
    const values = { number, subject, chat_id, customer, written_by, excerpt, at: new Date() }
    for (const user_id of wanting) {
      const colleague = await findUser(tx, user_id)
      if (!colleague) continue
      const { email: to, locale } = colleague
      await enqueueMail(app, tx, { user_id, to, locale, template: newTicket, values })
    }
  })
}

const NEW_TICKETS = 'new_ticket_mails'

/** The members of staff who want mails about new tickets, without a member who opened all of these tickets. */
async function staffWanting(tx: Tx, customer_ids: readonly string[]): Promise<string[]> {
  const others = (await staffIds(tx)).filter((id) => customer_ids.some((customer_id) => customer_id !== id))
  return whoWantsMail(tx, others, 'new_tickets')
}

/** Sends each member of staff one mail about all new tickets that came too fast for a mail each. */
export async function mailNewTickets(app: App): Promise<void> {
  if ((await queries.unmailedTickets(app.db)).length === 0) return
  await transaction(app, 'system', async (tx) => {
    await lockByName(tx, NEW_TICKETS)
    const untold = await queries.unmailedTickets(tx)
    if (untold.length === 0) return
    const customers = untold.map(({ user_id }) => user_id)
    const names = await displayNames(app, tx, customers)
    for (const user_id of await staffWanting(tx, customers)) {
      const colleague = await findUser(tx, user_id)
      if (!colleague) continue
      const theirs = untold.filter((ticket) => ticket.user_id !== user_id)
      const tickets = []
      for (const { ticket_id, user_id: customer_id } of theirs.slice(0, MOST_LISTED)) {
        const ticket = await aboutTicket(tx, ticket_id)
        if (ticket) tickets.push({ ...ticket, customer: names.of(customer_id).name })
      }
      const { email: to, locale } = colleague
      const values = { tickets, count: theirs.length }
      await enqueueMail(app, tx, { user_id, to, locale, template: newTickets, values })
    }
    await queries.noteMailedAtOnce(
      tx,
      untold.map(({ ticket_id }) => ticket_id),
    )
  })
}

const MOST_LISTED = 30

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
async function readersOf(tx: Tx, ticket_id: bigint, ticket: About): Promise<string[]> {
  const { user_id: owner_id, host_public_id: host_id, topic } = ticket
  const authors = (await customerSideOf(tx, ticket_id)).filter((person) => person !== owner_id)
  const helpers = await helpersOfTicket(tx, authors, { owner_id, host_id, roles: rolesFor(topic) })
  return whoWantsMail(tx, [owner_id, ...helpers], 'ticket_replies')
}

type About = NonNullable<Awaited<ReturnType<typeof aboutTicket>>>
type Reply = { ticket_id: bigint; ticket: About; person: string; after: number }

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
  const values = { number, subject, chat_id, ...quoted, files }
  const { email: to, locale } = user
  await enqueueMail(app, tx, { user_id: person, to, locale, template: unreadReply, values })
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
