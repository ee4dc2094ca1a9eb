import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import {
  authorOf,
  isStaffView,
  lockTicket,
  messageNumbered,
  partyOf,
  personOf,
  publishMessageChanged,
  recordStaffAction,
  serializeMessages,
  takeSecret,
  writeMessage,
} from '#features/support/tickets/server/tickets.ts'
import * as contract from '#features/support/messages/contract.ts'

export const postSecret = handler(contract.postSecret, async (call) => {
  const { app, actor, caller, params, body } = call
  const { status, row } = await transaction(app, authorOf(actor), async (tx) => {
    const ticket = await lockTicket(tx, params.chatId, actor)
    return writeMessage(app, tx, { ticket, actor, caller, kind: 'comment', written: body })
  })
  const [written] = await serializeMessages(app, app.db, [row], { staff: row.by_staff })
  return { status, body: must(written) }
})

/** Gives out a secret once: it is wiped in the transaction that notes who opened it. */
export const openSecret = handler(contract.openSecret, async ({ app, actor, caller, params }) => {
  const secret = await transaction(app, authorOf(actor), async (tx) => {
    const ticket = await lockTicket(tx, params.chatId, actor)
    const is_staff = isStaffView(ticket, actor)
    const row = await messageNumbered(tx, ticket, params.seq, { staff: is_staff })
    const taken = await takeSecret(app, tx, row, { person_id: personOf(app, actor), is_staff })
    await recordStaffAction(tx, ticket, 'secret_opened', { party: partyOf(ticket, actor), caller })
    await publishMessageChanged(tx, ticket, row)
    return taken
  })
  return { status: 200, body: { secret } }
})
