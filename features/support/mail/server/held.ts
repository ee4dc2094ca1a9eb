import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { badRequest, HttpError } from '#foundation/server/http/http-error.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { displayNames, provenAmong } from '#features/profile/server/profile.ts'
import * as contract from '#features/support/mail/contract.ts'
import { postable } from '#features/support/mail/rules.ts'
import { lockTicketNumbered, writeMessage } from '#features/support/tickets/server/tickets.ts'
import * as queries from './held-queries.ts'
import type { HeldRow } from './held-queries.ts'
import { filesFor, lockHeld, mailFields, type Deciding } from './deciding.ts'
import { aboutMail } from './mail.ts'
import { postHeld } from './post-held.ts'
import { publishHeld } from './publish-held.ts'
import { quotation } from './quotation.ts'
import { readMail } from './read-mail.ts'

export const listHeldMails = handler(contract.listHeldMails, async ({ app, query }) => {
  const [at, id] = placeIn(query.cursor, [placeKinds.time, placeKinds.uuid]) ?? []
  const after = at === undefined || id === undefined ? undefined : ([at, id] as const)
  const rows = await queries.heldMails(app.db, { after, limit: query.limit + 1 })
  const names = await displayNames(
    app,
    app.db,
    rows.map(({ user_id }) => user_id),
  )
  const blockable = await blockableAmong(app.db, rows)
  const placeOf = (row: HeldRow) => [row.received_at.toISOString(), row.id]
  const body = pageFrom(rows, query.limit, placeOf, (row): contract.HeldMail => ({
    ...mailFields(row),
    reason: row.reason,
    ticket: ticketOf(row),
    customer: row.user_id === null ? null : names.of(row.user_id),
    can_post: canPost(row),
    can_block: blockable.has(row.id),
  }))
  return { status: 200, body }
})

const ticketOf = ({ chat_id, number, ticket_subject }: HeldRow): contract.HeldMail['ticket'] =>
  chat_id === null || number === null ? null : { id: chat_id, number, subject: ticket_subject ?? '' }

const canPost = ({ reason, user_id }: HeldRow): boolean => user_id !== null && postable.includes(reason)

/**
 * Returns the ids of the mails whose sender can be blocked. The attack is a mail with the address of a customer as its sender: a block of it would
 * hit the customer, who wrote nothing and is told nothing.
 */
async function blockableAmong(db: App['db'], rows: readonly HeldRow[]): Promise<Set<string>> {
  const senders = rows.flatMap(({ from_address }) => from_address ?? [])
  const proven = await provenAmong(db, senders)
  const found = rows.filter(
    ({ from_address, reason }) => from_address !== null && reason !== 'forged' && !proven.has(from_address),
  )
  return new Set(found.map(({ id }) => id))
}

export const decideHeldMail = handler(
  contract.decideHeldMail,
  async ({ app, actor, caller, params, body }) => {
    const mail = await queries.heldMail(app.db, params.mailId)
    if (!mail) throw new HttpError(409, [{ code: 'changed' }])
    // Nobody decides as staff about a mail of their own, nor in a ticket of their own.
    if (mail.user_id === actor.user_id || mail.owner_id === actor.user_id)
      throw new HttpError(409, [{ code: 'own_ticket' }])
    const deciding = { app, actor, caller, mail }
    if (body.act === 'attach') return { status: 200, body: { chat_id: await attach(deciding, body.number) } }
    if (body.act === 'post') {
      if (!canPost(mail)) throw new HttpError(409, [{ code: 'mail_not_postable' }])
      return { status: 200, body: { chat_id: await postHeld(deciding) } }
    }
    await discard(deciding, body.act)
    return { status: 200, body: { chat_id: null } }
  },
)

/** Discards a mail; to block its sender discards all that is held of them. */
async function discard({ app, actor, caller, mail }: Deciding, act: 'discard' | 'block'): Promise<void> {
  const { id, from_address, user_id } = mail
  const by = actor.user_id
  if (act === 'block' && from_address === null) throw badRequest('unknown_sender')
  if (act === 'block' && !(await blockableAmong(app.db, [mail])).has(id))
    throw new HttpError(409, [{ code: 'sender_not_blockable' }])
  await transaction(app, 'system', async (tx) => {
    await lockHeld(tx, id)
    if (act === 'block' && from_address !== null) await queries.blockSender(tx, from_address, by)
    else await queries.endHeld(tx, id, { state: 'discarded', by })
    const told = act === 'block' ? ('mail.sender_blocked' as const) : ('mail.discarded' as const)
    await recordAction(tx, {
      user_id: user_id ?? by,
      act: told,
      ...originOf(caller),
      detail: { by, from: from_address ?? '' },
    })
    await publishHeld(tx, { user_id })
  })
}

/** Writes a mail into a ticket as an internal note of the member who decides: the customer never sees it. Returns the ticket's id. */
async function attach({ app, actor, caller, mail }: Deciding, number: number | undefined): Promise<string> {
  if (number === undefined) throw badRequest('required', 'number')
  const read = await readMail(app, mail.content)
  const { attachment_ids, left_out } = await filesFor(app, actor.user_id, read, mail.content)
  return transaction(app, 'system', async (tx) => {
    await lockHeld(tx, mail.id)
    const ticket = await lockTicketNumbered(tx, number)
    if (!ticket) throw badRequest('unknown_ticket', 'number')
    if (ticket.user_id === actor.user_id) throw new HttpError(409, [{ code: 'own_ticket' }])
    const text = quotation(aboutMail(read), left_out, caller.locale)
    const written = { client_id: mail.id, text, attachment_ids, by_mail: true }
    const { row } = await writeMessage(app, tx, { ticket, actor, caller, kind: 'note', written })
    await queries.endHeld(tx, mail.id, {
      state: 'posted',
      by: actor.user_id,
      ticket_id: ticket.id,
      message_seq: row.seq,
    })
    await publishHeld(tx, mail)
    return ticket.public_id
  })
}
