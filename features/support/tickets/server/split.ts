import type { Tx } from '#foundation/server/database/transaction.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { badRequest, HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { randomId } from '#foundation/server/random-id.ts'
import { must } from '#foundation/must.ts'
import * as contract from '#features/support/tickets/contract.ts'
import { writeEvent } from './event-lines.ts'
import { planClosing } from './plan-closing.ts'
import { publishTicketChanged } from './publish.ts'
import * as queries from './queries.ts'
import type { TicketRow } from './queries.ts'
import { serializeTicket } from './serialize.ts'
import { aroundMessage, movedComments, moveMessages, setTimes, timesOf } from './split-queries.ts'
import { lockTicket, partyOf, stateOf } from './write-message.ts'

/**
 * Splits the rest of a conversation off into a new ticket of the same customer (docs/decisions/218): from a comment on, which is not the
 * first, all comments and notes go there with their files, secrets and read marks. The turn follows in both tickets from the comments that each has
 * then; a closed one stays closed. The same client_id is the same new ticket.
 */
export const splitTicket = handler(contract.splitTicket, ({ app, actor, caller, params, body }) =>
  transaction(app, 'system', async (tx) => {
    const row = await lockTicket(tx, params.chatId, actor)
    if (row.user_id === actor.user_id) throw new HttpError(409, [{ code: 'own_ticket' }])
    const made = await newTicketLike(tx, row, body)
    if (!made) {
      const same = must(await queries.ticketByClientId(tx, row.user_id, body.client_id))
      return { status: 200, body: await serializeTicket(app, tx, same, actor) } as const
    }
    const { before, isComment } = await aroundMessage(tx, row.id, body.seq)
    if (!isComment) throw badRequest('unknown_message', 'seq')
    if (!before) throw badRequest('first_stays', 'seq')
    await moveMessages(tx, row, body.seq, made)
    await followComments(tx, { ...made, assignee_id: row.assignee_id })
    if (row.status !== 'closed') await followComments(tx, row)
    const by = { party: partyOf(row, actor), caller }
    const numberOf = ({ number }: TicketRow) => ({ number: String(number) })
    await writeEvent(tx, row, { code: 'split_off', params: { id: made.public_id, ...numberOf(made) } }, by)
    await writeEvent(tx, made, { code: 'split_from', params: { id: row.public_id, ...numberOf(row) } }, by)
    const comments = await movedComments(tx, row.id, made)
    await emit(app, tx, contract.ticketSplit, {
      ticket_id: row.id,
      customer_id: row.user_id,
      made_id: made.id,
      comments,
    })
    const split = must(await queries.lockTicketById(tx, made.id))
    const rest = must(await queries.lockTicketById(tx, row.id))
    await publishTicketChanged(tx, row, stateOf(row), stateOf(rest))
    await publishTicketChanged(tx, split, undefined, stateOf(split))
    return { status: 201, body: await serializeTicket(app, tx, split, actor) } as const
  }),
)

/** Sets whose turn it is in a ticket, and its times, by the comments that it has now. */
async function followComments(tx: Tx, { id, assignee_id, status: before }: TicketRow): Promise<void> {
  const times = await timesOf(tx, id)
  const status = times.waiting_since === null ? 'pending' : assignee_id === null ? 'opened' : 'in-progress'
  await queries.updateTicket(tx, id, { status, assignee_id })
  await setTimes(tx, id, times)
  if (status === 'pending' && before !== 'pending') planClosing(tx, id)
}

const newTicketLike = (
  tx: Tx,
  { user_id, host_id, host_public_id, topic, priority }: TicketRow,
  { subject, client_id }: { subject: string; client_id: string },
) =>
  queries.insertTicket(tx, {
    public_id: randomId(),
    user_id,
    host_id,
    host_public_id,
    subject,
    topic,
    priority,
    previous_id: null,
    client_id,
  })
