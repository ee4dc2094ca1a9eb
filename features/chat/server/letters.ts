import { letter } from '#foundation/server/mail/letter.ts'
import * as m from '#texts/messages.js'

type About = { number: number; subject: string; chat_id: string; excerpt: string }

/** To staff: a customer has opened a ticket. */
export const newTicket = letter<About & { customer: string }>(
  'ticket_new',
  ({ number, subject, customer, excerpt, chat_id }, { locale, link }) => ({
    subject: m.chat_mail_new_subject({ number: String(number), subject }, { locale }),
    paragraphs: [m.chat_mail_new_text({ customer }, { locale }), ...quoted(excerpt)],
    action: {
      label: m.chat_mail_open({}, { locale }),
      url: link(`/account/staff-tickets/${chat_id}`),
    },
    closing: [m.chat_mail_switch({}, { locale })],
  }),
)

/** To the customer: replies of the support that they have not seen. */
export const unreadReply = letter<About & { files: number }>(
  'ticket_reply',
  ({ number, subject, excerpt, files, chat_id }, { locale, link, operator }) => ({
    subject: m.chat_mail_reply_subject({ number: String(number), subject }, { locale }),
    paragraphs: [
      m.chat_mail_reply_text({ operator: operator.name }, { locale }),
      ...quoted(excerpt),
      ...(files > 0 ? [m.chat_mail_files({ count: String(files) }, { locale })] : []),
    ],
    action: { label: m.chat_mail_open({}, { locale }), url: link(`/account/tickets/${chat_id}`) },
    closing: [m.chat_mail_switch({}, { locale })],
  }),
)

/** What somebody said never looks like what we say. */
const quoted = (excerpt: string): string[] =>
  excerpt === '' ? [] : excerpt.split('\n').map((line) => `> ${line}`)
