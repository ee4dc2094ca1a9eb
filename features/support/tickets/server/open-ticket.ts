import { randomUUID } from 'node:crypto'
import type { InputOf } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { badRequest, HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { randomId } from '#foundation/server/random-id.ts'
import { holdHost } from '#features/hosts/server/hosts.ts'
import * as contract from '#features/support/tickets/contract.ts'
import { topicsFor } from '#features/support/tickets/rules.ts'
import * as queries from './queries.ts'
import { serializeTicket } from './serialize.ts'
import { writeMessage } from './write-message.ts'

/**
 * Opens a ticket with its first message, in one transaction. A `client_id` that was used before answers 200 with the ticket that it opened.
 */
export const createTicket = handler(contract.createTicket, async ({ app, actor, caller, body }) => {
  const { user_id } = actor
  return transaction(app, { userId: user_id }, async (tx) => {
    await assertInScope(app, tx, body)
    const previous_id = await previousOf(app, tx, actor, body.previous_id)
    return writeTicket(app, tx, { user_id, actor, caller, body, previous_id })
  })
})

/**
 * Throws 403 or 400 unless a helper's role has the topic and their grant has the server. A ticket about no server needs a grant for all
 * servers.
 */
async function assertInScope({ acting }: App, tx: Tx, { topic, host_id = null }: Body): Promise<void> {
  if (!acting) return
  if (!topicsFor(acting.role).includes(topic)) throw notAllowed()
  if (await acting.opensTicket(tx, host_id)) return
  throw host_id === null ? notAllowed() : badRequest('unknown_host', 'host_id')
}

const notAllowed = () => new HttpError(403, [{ code: 'not_allowed_for_role' }])

type Body = InputOf<typeof contract.createTicket>['body']

type NewTicket = {
  /** The customer. */
  user_id: string
  /** The customer, or a member of staff who writes to them first. */
  actor: Actor
  caller: Caller
  body: Body
  previous_id?: bigint | null
  /** True if it came as a mail. */
  by_mail?: boolean
}
type Opened = { status: 200 | 201; body: contract.Ticket }

export async function writeTicket(app: App, tx: Tx, ticket: NewTicket): Promise<Opened> {
  const { user_id, actor, caller, body, previous_id = null, by_mail = false } = ticket
  const row = await queries.insertTicket(tx, {
    public_id: randomId(),
    user_id,
    subject: body.subject,
    topic: body.topic,
    priority: body.priority ?? 'medium',
    client_id: body.client_id ?? null,
    previous_id,
    ...(await hostFor(tx, user_id, body.host_id)),
  })
  if (!row) {
    const same = await queries.ticketByClientId(tx, user_id, must(body.client_id))
    return { status: 200, body: await serializeTicket(app, tx, must(same), actor) }
  }
  const { message: text, attachment_ids } = body
  const written = { client_id: randomUUID(), text, attachment_ids, by_mail }
  await app.acting?.note(tx, 'ticket_opened', body.host_id ? { host_id: body.host_id } : {})
  await writeMessage(app, tx, { ticket: row, actor, caller, kind: 'comment', written, first: true })
  const opened = must(await queries.lockTicketById(tx, row.id))
  return { status: 201, body: await serializeTicket(app, tx, opened, actor) }
}

async function hostFor(tx: Tx, user_id: string, host_id: string | null | undefined) {
  if (!host_id) return { host_id: null, host_public_id: null }
  const id = await holdHost(tx, user_id, host_id)
  if (id === undefined) throw badRequest('unknown_host', 'host_id')
  return { host_id: id, host_public_id: host_id }
}

async function previousOf(
  { acting }: App,
  tx: Tx,
  actor: Actor,
  public_id: string | undefined,
): Promise<bigint | null> {
  if (public_id === undefined) return null
  const previous = await queries.ticketOf(tx, public_id, { user_id: actor.user_id, any: false })
  const isOpen =
    !acting ||
    (previous &&
      topicsFor(acting.role).includes(previous.topic) &&
      (await acting.opensTicket(tx, previous.host_public_id)))
  if (!previous || !isOpen) throw badRequest('unknown_ticket', 'previous_id')
  return previous.id
}
