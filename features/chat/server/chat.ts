import type { ReplyOf } from '#foundation/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Call } from '#foundation/server/http/serve.ts'
import { isStaffView, openTicket, publishToTicketReaders } from '#features/tickets/server/tickets.ts'
import type * as contract from '#features/chat/contract.ts'

export { keepAttachment } from './uploads.ts'

/** Tells the others in a ticket that somebody writes. Nothing of what is being written leaves the browser. */
export async function publishTyping({
  app,
  actor,
  params,
}: Call<typeof contract.tellTyping>): Promise<ReplyOf<typeof contract.tellTyping>> {
  const ticket = await openTicket(app.db, params.chatId, actor)
  const { user_id } = actor
  const is_staff = isStaffView(ticket, actor)
  await transaction(app, { userId: user_id }, (tx) =>
    publishToTicketReaders(tx, ticket, { type: 'typing', user_id, is_staff }, { except: user_id }),
  )
  return { status: 204 }
}
