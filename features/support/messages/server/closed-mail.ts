import { paths } from '#features/paths.ts'
import { stopBy, stopKeyOf, whoWantsMail } from '#features/profile/server/profile.ts'
import { carriedReply, noteTicketMail } from '#features/support/mail/server/mail.ts'
import { isRatedSince } from '#features/support/ratings/server/ratings.ts'
import { faces, type Face } from '#features/support/ratings/rules.ts'
import { REOPEN_DAYS } from '#features/support/tickets/rules.ts'
import { noteClosing, TELL_CLOSED, type Planned } from '#features/support/tickets/server/tickets.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { job } from '#foundation/server/jobs/jobs.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import { mailTemplate, type Answers, type MailLocale } from '#foundation/server/mail/mail-template.ts'
import { mailIdentified } from '#foundation/server/mail/outbox.ts'
import * as m from '#texts/messages.js'

/** Tells the customer that staff, or the time, closed their ticket, and asks for a rating unless they have rated it since. */
export const tellClosed = job<Planned>(TELL_CLOSED, mailClosed)

async function mailClosed(app: App, { ticket_id }: Planned): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const id = BigInt(ticket_id)
    const ticket = await noteClosing(tx, id)
    if (!ticket) return
    const { public_id: chat_id, number, subject, user_id, closed_at } = ticket
    if (await isRatedSince(tx, id, closed_at)) return
    if ((await whoWantsMail(tx, [user_id], 'ticket_closing')).length === 0) return
    const carried = await carriedReply(app, tx, { ticket_id: id, user_id, chat_id })
    const stop = stopKeyOf(app.keys, user_id, 'ticket_closing')
    const mail = await mailIdentified(app, tx, user_id, ticketClosed, {
      number,
      subject,
      chat_id,
      answers: carried?.answers,
      stop,
    })
    await noteTicketMail(tx, { ticket_id: id, user_id, mail, carried, seq: undefined })
  })
}

type About = { number: number; subject: string; chat_id: string; answers?: Answers | undefined; stop: string }

const example = { number: 1042, subject: 'Agent', chat_id: 'example', stop: EXAMPLE.key }
const answers: Answers = { to: 'support@help.example.com', thread: 'ticket-example@example.com' }

/** A face leads to the ticket's page with the face chosen: a program that opens the links of a mail rates nothing. */
const ticketClosed = mailTemplate<About>(
  'ticket_closed',
  'rest',
  [{ ...example, answers }],
  ({ number, subject, chat_id, answers: by, stop }, { locale, link, callAt }) => ({
    subject: m.messages_mail_closed_subject({ number: String(number) }, { locale }),
    paragraphs: [m.messages_mail_closed_text({ subject, days: String(REOPEN_DAYS) }, { locale })],
    choices: {
      question: m.ratings_question({}, { locale }),
      links: faces.map((face) => ({
        mark: marks[face],
        label: wordOf(face, locale),
        url: link(paths.ticket(chat_id), { rate: face }),
      })),
    },
    action: { label: m.messages_mail_open({}, { locale }), url: link(paths.ticket(chat_id)) },
    ...(by && { closing: [m.messages_mail_closed_answer({}, { locale })], answers: by }),
    unsubscribe: stopBy({ link, callAt }, 'ticket_closing', stop),
  }),
)

const marks: Readonly<Record<Face, string>> = { good: '🙂', fair: '😐', poor: '🙁' }

function wordOf(face: Face, locale: MailLocale): string {
  const words = { good: m.ratings_good, fair: m.ratings_fair, poor: m.ratings_poor }
  return words[face]({}, { locale })
}
