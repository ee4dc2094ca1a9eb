import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { mailTemplate, type MailLocale } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { staffIds } from '#foundation/server/session/session.ts'
import { excerptOf } from '#features/support/messages/rules.ts'
import { displayNames, whoWantsMail } from '#features/profile/server/profile.ts'
import { aboutTicket, messagesOf } from '#features/support/tickets/server/tickets.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'
import * as queries from './mail-queries.ts'

/**
 * Records the new ticket and enqueues a job that decides about the mail, because opening a ticket must not wait for other tickets being
 * opened.
 */
export async function planStaffMail(
  tx: Tx,
  {
    ticket_id,
    customer_id,
    author_id,
  }: { [Name in 'customer_id' | 'author_id']: string } & {
    ticket_id: bigint
  },
): Promise<void> {
  await queries.noteNewTicket(tx, { ticket_id, user_id: customer_id })
  const payload: NewTicketMail = {
    ticket_id: String(ticket_id),
    customer_id,
    author_id,
  }
  enqueue(tx, MAIL_NEW_TICKET, payload, { key: `new-ticket:${ticket_id}` })
}

export const MAIL_NEW_TICKET = jobKind('mail_new_ticket', 'replies')

export type NewTicketMail = {
  ticket_id: string
  customer_id: string
  author_id: string
}

/** Mails a new ticket to staff if it is among the first few (`newTicketMails`); the others are mailed together. */
export async function mailNewTicket(
  app: App,
  { ticket_id, customer_id, author_id }: NewTicketMail,
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
    const [asked] = await messagesOf(
      tx,
      BigInt(ticket_id),
      { staff: false },
      { before: undefined, after: 0, limit: 1 },
    )
    const excerpt = excerptOf(asked?.text ?? '')
    const values = { number, subject, chat_id, customer, written_by, excerpt, at: new Date() }
    for (const user_id of wanting) await mailTo(app, tx, user_id, newTicket, values)
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
      const theirs = untold.filter((ticket) => ticket.user_id !== user_id)
      const tickets = []
      for (const { ticket_id, user_id: customer_id } of theirs.slice(0, MOST_LISTED)) {
        const ticket = await aboutTicket(tx, ticket_id)
        if (ticket) tickets.push({ ...ticket, customer: names.of(customer_id).name })
      }
      await mailTo(app, tx, user_id, newTickets, { tickets, count: theirs.length })
    }
    await queries.noteMailedAtOnce(
      tx,
      untold.map(({ ticket_id }) => ticket_id),
    )
  })
}

const MOST_LISTED = 30

type About = { number: number; subject: string; chat_id: string }

const example = { number: 1042, subject: 'Agent', chat_id: 'example', customer: EXAMPLE.name }

/** The mail to staff: a customer has opened a ticket. */
const newTicket = mailTemplate<
  About & { customer: string; written_by: string | null; excerpt: string; at: Date }
>(
  'ticket_new',
  'replies',
  [{ ...example, written_by: null, excerpt: 'How do I …?', at: EXAMPLE.at }],
  ({ number, subject, customer, written_by, excerpt, at, chat_id }, { locale, link }) => ({
    subject: m.messages_mail_new_subject({ number: String(number), subject }, { locale }),
    paragraphs: [
      m.messages_mail_new_text({ customer }, { locale }),
      { quote: excerpt, author: authorOf(written_by, customer, locale), at },
    ],
    action: {
      label: m.messages_mail_open({}, { locale }),
      url: link(paths.deskTicket(chat_id)),
    },
    closing: [m.messages_mail_switch({}, { locale })],
  }),
)

const authorOf = (name: string | null, customer: string, locale: MailLocale): string =>
  name === null ? customer : m.messages_author_for({ name, customer }, { locale })

type NewTicket = { number: number; subject: string; customer: string }

/** The mail to staff: several new tickets, which came too fast for one mail each. */
const newTickets = mailTemplate<{ tickets: readonly NewTicket[]; count: number }>(
  'tickets_new',
  'replies',
  [
    { tickets: [example], count: 2 },
    { tickets: [], count: 1 },
  ],
  ({ tickets, count }, { locale, link }) => ({
    subject: m.messages_mail_many_subject({ count }, { locale }),
    paragraphs: [m.messages_mail_many_text({}, { locale })],
    facts: tickets.map(({ number, subject, customer }): [string, string] => [
      `#${number}`,
      `${subject} · ${customer}`,
    ]),
    action: { label: m.messages_mail_open_list({}, { locale }), url: link(paths.desk()) },
    closing: [
      ...(count > tickets.length
        ? [m.messages_mail_many_more({ count: count - tickets.length }, { locale })]
        : []),
      m.messages_mail_switch({}, { locale }),
    ],
  }),
)
