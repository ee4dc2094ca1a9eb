import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import * as contract from '#features/support/messages/reply-contract.ts'
import {
  applyActs,
  isStaffView,
  lockTicket,
  serializeMessages,
  writeMessage,
} from '#features/support/tickets/server/tickets.ts'

/** Writes a reply of staff and does acts after it, in one transaction: a refused act leaves nothing behind, and the text with its author. */
export const replyWithActs = handler(
  contract.replyWithActs,
  async ({ app, actor, caller, params, body: { acts, ...written } }) => {
    const wrote = await transaction(app, 'system', async (tx) => {
      const ticket = await lockTicket(tx, params.chatId, actor)
      if (!isStaffView(ticket, actor)) throw new HttpError(409, [{ code: 'own_ticket' }])
      const done = await writeMessage(app, tx, { ticket, actor, caller, kind: 'comment', written })
      // A reply that was sent before has done its acts.
      if (done.status === 201)
        await applyActs(app, tx, await lockTicket(tx, params.chatId, actor), acts, { actor, caller })
      return done
    })
    const [body] = await serializeMessages(app, app.db, [wrote.row], { staff: true })
    return { status: wrote.status, body: must(body) }
  },
)
