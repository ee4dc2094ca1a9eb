import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { recordAction, originOf } from '#foundation/server/audit/audit.ts'
import { publish, publishToStaff } from '#foundation/server/realtime/publish.ts'
import * as contract from '#features/support/mail/contract.ts'
import {
  authorOf,
  isStaffView,
  lockTicket,
  openTicket,
  personOf,
  writeMessage,
} from '#features/support/tickets/server/tickets.ts'
import { filesFor, lockHeld, mailFields } from './deciding.ts'
import * as held from './held-queries.ts'
import { aboutMail } from './mail.ts'
import { publishHeld } from './publish-held.ts'
import { quotation } from './quotation.ts'
import { readMail } from './read-mail.ts'
import * as returns from './return-queries.ts'

export const getTicketMails = handler(contract.getTicketMails, async ({ app, actor, params }) => {
  const ticket = await openTicket(app.db, params.chatId, actor)
  const staff = isStaffView(ticket, actor)
  const person = personOf(app, actor)
  const [asked, returned, suspended] = await Promise.all([
    staff ? [] : held.answersOfOthers(app.db, person, ticket.id),
    staff ? returns.returnedMails(app.db, ticket.id) : [],
    returns.suspendedOf(app.db, staff ? ticket.user_id : person),
  ])
  const body = {
    asked: asked.map(mailFields),
    returned: returned.map(({ seq, to_address: to, returned_at, reason }) => ({
      seq,
      to,
      returned_at: returned_at.toISOString(),
      reason,
    })),
    suspended: suspended.map(asSuspended),
  }
  return { status: 200, body }
})

const asSuspended = ({ email, suspended_at }: returns.Suspended) => ({
  email,
  since: suspended_at.toISOString(),
})

/** Answers the whole mail to its author and to staff. Throws 404 alike for a message that came by no mail and for one of somebody else. */
export const getWholeMail = handler(contract.getWholeMail, async ({ app, actor, params }) => {
  const ticket = await openTicket(app.db, params.chatId, actor)
  const reader = isStaffView(ticket, actor) ? undefined : personOf(app, actor)
  const mail = await held.wholeMail(app.db, { ticket_id: ticket.id, seq: Number(params.seq), reader })
  if (!mail) throw notFound()
  const { subject, whole_text, received_at } = mail
  return {
    status: 200,
    body: { subject: subject ?? '', text: whole_text ?? '', received_at: received_at.toISOString() },
  }
})

/**
 * Shows the answer of somebody else in the ticket, or discards it, as the person decides whose mail it answers. It is shown as a quotation in a
 * message of theirs.
 */
export const decideAnswerOfOther = handler(
  contract.decideAnswerOfOther,
  async ({ app, actor, caller, params, body }) => {
    const person = personOf(app, actor)
    const ticket = await openTicket(app.db, params.chatId, actor)
    const asked = await held.answersOfOthers(app.db, person, ticket.id)
    if (isStaffView(ticket, actor) || !asked.some(({ id }) => id === params.mailId)) throw notFound()
    const mail = await held.heldMail(app.db, params.mailId)
    if (!mail) throw new HttpError(409, [{ code: 'changed' }])
    const read = body.show ? await readMail(app, mail.content) : undefined
    const filed = read && (await filesFor(app, person, read, mail.content))
    await transaction(app, app.acting ? { systemFor: actor.user_id } : authorOf(actor), async (tx) => {
      await lockHeld(tx, mail.id)
      let place: { ticket_id?: bigint; message_seq?: number } = {}
      if (filed) {
        const locked = await lockTicket(tx, params.chatId, actor)
        const written = {
          client_id: mail.id,
          text: quotation(aboutMail(read), filed.left_out, caller.locale),
          attachment_ids: filed.attachment_ids,
          by_mail: true,
        }
        const { row } = await writeMessage(app, tx, {
          ticket: locked,
          actor,
          caller,
          kind: 'comment',
          written,
        })
        place = { ticket_id: row.ticket_id, message_seq: row.seq }
      }
      await held.endHeld(tx, mail.id, { state: body.show ? 'posted' : 'discarded', by: person, ...place })
      await publishHeld(tx, { user_id: person })
    })
    return { status: 204 }
  },
)

export const listSuspended = handler(contract.listSuspended, async ({ app, actor }) => {
  return { status: 200, body: { items: (await returns.suspendedOf(app.db, actor.user_id)).map(asSuspended) } }
})

export const retryAddress = handler(contract.retryAddress, async ({ app, actor, caller, body }) => {
  const { user_id } = actor
  await transaction(app, { userId: user_id }, async (tx) => {
    if (!(await returns.endSuspension(tx, user_id, body.email))) throw badRequest('unknown_email', 'email')
    await recordAction(tx, {
      user_id,
      act: 'mail.tried_again',
      ...originOf(caller),
      detail: { email: body.email },
    })
    await publish(tx, user_id, { type: contract.RETURNED_MAIL })
    await publishToStaff(tx, { type: contract.RETURNED_MAIL })
  })
  return { status: 204 }
})
