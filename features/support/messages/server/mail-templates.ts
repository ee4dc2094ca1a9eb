import { paths } from '#features/paths.ts'
import { mailTemplate, type MailLocale, type Quote } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

type About = { number: number; subject: string; chat_id: string }

/** The mail to staff: a customer has opened a ticket. */
export const newTicket = mailTemplate<
  About & { customer: string; written_by: string | null; excerpt: string; at: Date }
>(
  'ticket_new',
  'replies',
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
export const newTickets = mailTemplate<{ tickets: readonly NewTicket[]; count: number }>(
  'tickets_new',
  'replies',
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
        ? [m.messages_mail_many_more({ count: String(count - tickets.length) }, { locale })]
        : []),
      m.messages_mail_switch({}, { locale }),
    ],
  }),
)

type Replies = About & { replies: readonly Quote[]; left_out: number; files: number }

/** The mail to the customer: replies of the support that they have not seen. */
export const unreadReply = mailTemplate<Replies>(
  'ticket_reply',
  'replies',
  ({ number, subject, replies, left_out, files, chat_id }, { locale, link, operator }) => ({
    subject: m.messages_mail_reply_subject({ number: String(number), subject }, { locale }),
    paragraphs: [
      m.messages_mail_reply_text({ operator: operator.name }, { locale }),
      ...replies,
      ...(left_out > 0 ? [m.messages_mail_reply_more({ count: left_out }, { locale })] : []),
      ...(files > 0 ? [m.messages_mail_files({ count: files }, { locale })] : []),
    ],
    action: { label: m.messages_mail_open({}, { locale }), url: link(paths.ticket(chat_id)) },
    closing: [m.messages_mail_switch({}, { locale })],
  }),
)

/** The mail to the customer: the support has written to them first. */
export const ticketFromSupport = mailTemplate<About & { said: Quote }>(
  'ticket_from_support',
  'replies',
  ({ number, subject, said, chat_id }, { locale, link, operator }) => ({
    subject: m.messages_mail_support_subject({ number: String(number), subject }, { locale }),
    paragraphs: [m.messages_mail_support_text({ operator: operator.name }, { locale }), said],
    action: { label: m.messages_mail_open({}, { locale }), url: link(paths.ticket(chat_id)) },
  }),
)
