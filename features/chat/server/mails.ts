import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import type { EventKind } from '#foundation/contract.ts'
import { enqueue, job } from '#foundation/server/jobs/jobs.ts'
import { owe } from '#foundation/server/mail/outbox.ts'
import { findUser, staffIds } from '#foundation/server/session/session.ts'
import { excerptOf, MAIL_PAUSE_S } from '#features/chat/rules.ts'
import { displayNames, whoWantsMail } from '#features/profile/server/profile.ts'
import type { messageWritten } from '#features/tickets/contract.ts'
import { aboutTicket, unreadReplies } from '#features/tickets/server/tickets.ts'
import { newTicket, unreadReply } from './letters.ts'
import * as queries from './queries.ts'

type Written = typeof messageWritten extends EventKind<infer Payload> ? Payload : never

const MAIL_REPLY = 'mail_unread_reply'

type Planned = { ticket_id: string }

/** A new ticket is mailed to staff at once; a reply of staff is looked at again after a while, and mailed if it is unread. */
export async function mailAbout(app: App, tx: Tx, written: Written): Promise<void> {
  const { ticket_id, kind, by_staff, first } = written
  if (kind !== 'comment') return
  if (by_staff) {
    const planned: Planned = { ticket_id: ticket_id.toString() }
    await enqueue(tx, MAIL_REPLY, planned, { after_s: MAIL_PAUSE_S })
  } else if (first) await mailStaff(app, tx, written)
}

async function mailStaff(app: App, tx: Tx, { ticket_id, customer_id, text }: Written): Promise<void> {
  const others = (await staffIds(tx)).filter((user_id) => user_id !== customer_id)
  const wanting = await whoWantsMail(tx, others, 'new_tickets')
  const ticket = wanting.length > 0 ? await aboutTicket(tx, ticket_id) : undefined
  if (!ticket) return
  const { number, subject, public_id: chat_id } = ticket
  const customer = (await displayNames(tx, [customer_id])).of(customer_id, true).name
  const values = { number, subject, chat_id, customer, excerpt: excerptOf(text) }
  for (const user_id of wanting) {
    const colleague = await findUser({ ...app, db: tx }, user_id)
    if (!colleague) continue
    const { email: to, locale } = colleague
    await owe(app, tx, { user_id, to, locale, letter: newTicket, values })
  }
}

/**
 * One mail for all replies that wait unread. It and the number up to which it tells are one transaction, so that neither two
 * of these jobs at once nor one that runs again after a crash mail anything twice.
 */
async function mailReplies(app: App, planned: Planned): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const ticket_id = BigInt(planned.ticket_id)
    const ticket = await aboutTicket(tx, ticket_id)
    if (!ticket) return
    const replies = await unreadReplies(tx, ticket_id, await queries.mailedUpTo(tx, ticket_id))
    const last = replies.at(-1)
    if (!last) return
    const customer = await findUser({ ...app, db: tx }, ticket.user_id)
    if (!customer?.is_active) return
    const [user_id] = await whoWantsMail(tx, [ticket.user_id], 'ticket_replies')
    if (!user_id || !(await queries.noteMailed(tx, { ticket_id, user_id, seq: last.seq }))) return
    const { number, subject, public_id: chat_id } = ticket
    const excerpt = excerptOf(replies.map(({ text }) => text).join('\n'))
    const files = replies.reduce((sum, reply) => sum + reply.files, 0)
    const values = { number, subject, chat_id, excerpt, files }
    await owe(app, tx, {
      user_id,
      to: customer.email,
      locale: customer.locale,
      letter: unreadReply,
      values,
    })
  })
}

export const mailJobs = [job(MAIL_REPLY, mailReplies)]
