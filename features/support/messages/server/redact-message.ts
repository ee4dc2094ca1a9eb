import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import {
  authorOf,
  isStaffView,
  lockTicket,
  messageNumbered,
  redact,
  serializeMessages,
} from '#features/support/tickets/server/tickets.ts'
import * as contract from '#features/support/messages/contract.ts'

/** Removes a message or a file for good (docs/decisions/217). */
export const redactMessage = handler(contract.redactMessage, async (call) => {
  const { app, actor, caller, params, body } = call
  const { row, staff } = await transaction(app, authorOf(actor), async (tx) => {
    const ticket = await lockTicket(tx, params.chatId, actor)
    const asStaff = isStaffView(ticket, actor)
    const found = await messageNumbered(tx, ticket, params.seq, { staff: asStaff })
    const left = await redact(app, tx, { ticket, actor, caller, row: found, file_id: body.attachment_id })
    return { row: left, staff: asStaff }
  })
  const [message] = await serializeMessages(app, app.db, [row], { staff })
  return { status: 200, body: must(message) }
})
