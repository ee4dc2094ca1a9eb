import { paths } from '#features/paths.ts'
import { mailTemplate, type Quote } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

type About = { number: number; subject: string; chat_id: string }

/** To staff: a customer has opened a ticket. */
export const newTicket = mailTemplate<About & { customer: string; excerpt: string; at: Date }>(
  'ticket_new',
  'replies',
  ({ number, subject, customer, excerpt, at, chat_id }, { locale, link }) => ({
    subject: m.messages_mail_new_subject({ number: String(number), subject }, { locale }),
    paragraphs: [
      m.messages_mail_new_text({ customer }, { locale }),
      { quote: excerpt, author: customer, at },
    ],
    action: {
      label: m.messages_mail_open({}, { locale }),
      url: link(paths.deskTicket(chat_id)),
    },
    closing: [m.messages_mail_switch({}, { locale })],
  }),
)

type NewTicket = { number: number; subject: string; customer: string }

/** To staff: more tickets than one mail each would be read. */
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

/** To the customer: replies of the support that they have not seen. */
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

/** To the customer: the support has written to them first. */
export const ticketFromSupport = mailTemplate<About & { said: Quote }>(
  'ticket_from_support',
  'replies',
  ({ number, subject, said, chat_id }, { locale, link, operator }) => ({
    subject: m.messages_mail_support_subject({ number: String(number), subject }, { locale }),
    paragraphs: [m.messages_mail_support_text({ operator: operator.name }, { locale }), said],
    action: { label: m.messages_mail_open({}, { locale }), url: link(paths.ticket(chat_id)) },
  }),
)
