import * as contract from '#features/drafting/contract.ts'
import { plainAnswer } from '#features/drafting/rules.ts'
import { ticketOf } from '#features/support/tickets/server/tickets.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { complete } from './model.ts'
import { promptFor } from './prompt.ts'

/** Answers `GET /api/staff/drafting/`. */
export const getDrafting = handler(contract.getDrafting, async ({ app: { config } }) => ({
  status: 200,
  body: { is_on: config.assistant !== undefined, topics: [...(config.assistant?.topics ?? [])] },
}))

/** Answers `POST /api/staff/tickets/{chatId}/drafted-texts/`: it reads, asks the model, and writes nothing. */
export const draftText = handler(contract.draftText, async ({ app, actor, params, body }) => {
  const ticket = await ticketOf(app.db, params.chatId, { user_id: actor.user_id, any: true })
  if (!ticket) throw notFound()
  const { assistant, publicOrigin } = app.config
  if (!assistant?.topics.includes(ticket.topic)) throw new HttpError(409, [{ code: 'drafting_off' }])
  const { messages, sources } = await promptFor(app, ticket, body)
  const answer = await complete(app, messages)
  const text = 'text' in answer ? plainAnswer(answer.text, publicOrigin) : ''
  if (text === '') {
    app.log.warn({ reason: 'failure' in answer ? answer.failure : 'no words' }, 'the model drafted nothing')
    throw new HttpError(503, [{ code: 'drafting_failed' }])
  }
  return { status: 200, body: { text, sources } }
})
