import { randomUUID } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import { OPERATOR, readOne } from '#foundation/server/account-events/account-events.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { webhookTested, type Attempt } from '#features/webhooks/contract.ts'
import { attemptsOf, noteAttempt } from './attempt-queries.ts'
import { forgetSkipped } from './lane-queries.ts'
import { messageOf } from './messages.ts'
import { findEndpoint, type EndpointRow, type Owner } from './queries.ts'
import { attemptReplies } from './replies.ts'
import { send, type Message } from './send.ts'

/** Sends a test to an endpoint at once, and returns the attempt. */
export async function sendTest(app: App, owner: Owner, id: string): Promise<Attempt> {
  const endpoint = await find(app, owner, id)
  const type = webhookTested.type
  const event_id = `evt_${owner ?? 'operator'}_test-${randomUUID()}`
  const data = { endpoint_id: endpoint.id, message: 'It works.' }
  const body = JSON.stringify({
    id: event_id,
    seq: 0,
    type,
    occurred_at: new Date().toISOString(),
    host_id: null,
    data,
  })
  return sendNow(app, endpoint, { id: event_id, seq: null, type, body })
}

/** Sends an event of the list again at once. Throws 404 for an event that is gone. */
export async function sendAgain(app: App, owner: Owner, id: string, seq: number): Promise<Attempt> {
  const endpoint = await find(app, owner, id)
  const event = await readOne(app.db, owner ?? OPERATOR, seq)
  if (!event) throw notFound()
  return sendNow(app, endpoint, messageOf(event))
}

async function find(app: App, owner: Owner, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(app.db, owner, id)
  if (!endpoint) throw notFound()
  return endpoint
}

async function sendNow(app: App, endpoint: EndpointRow, message: Message): Promise<Attempt> {
  const { attempt, isOk } = await send(app, endpoint, message)
  const { id, user_id: owner } = endpoint
  return transaction(app, owner === null ? 'system' : { userId: owner }, async (tx) => {
    const number = await noteAttempt(tx, attempt, 'none')
    // The endpoint was deleted meanwhile.
    if (number === undefined) throw notFound()
    if (isOk && message.seq !== null) await forgetSkipped(tx, id, message.seq)
    const rows = (await attemptsOf(tx, id)).filter((row) => row.number === number)
    return must((await attemptReplies(tx, owner, rows))[0])
  })
}
