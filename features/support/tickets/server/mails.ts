import { paths } from '#features/paths.ts'
import { stopBy } from '#features/profile/server/profile.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import { mailTemplate, type Answers } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

type About = { number: number; subject: string; chat_id: string; answers?: Answers | undefined; stop: string }

/** The mail that goes out a day before a ticket that waits for its customer is closed. */
export const closingSoon = mailTemplate<About>(
  'ticket_closing_soon',
  'rest',
  [{ number: 1042, subject: 'Agent', chat_id: 'example', stop: EXAMPLE.key }],
  ({ number, subject, chat_id, answers, stop }, { locale, link, callAt }) => ({
    subject: m.tickets_mail_closing_subject({ number: String(number) }, { locale }),
    paragraphs: [m.tickets_mail_closing_text({ subject }, { locale })],
    action: { label: m.tickets_mail_open({}, { locale }), url: link(paths.ticket(chat_id)) },
    unsubscribe: stopBy({ link, callAt }, 'ticket_closing', stop),
    ...(answers && { answers }),
  }),
)
