import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { findHost } from '#features/hosts/server/hosts.ts'
import * as contract from '#features/support/tickets/due-contract.ts'
import { countBefore, expectedForNew } from './due-queries.ts'
import { openTicket } from './write-message.ts'

export const expectNewAnswer = handler(contract.expectNewAnswer, async ({ app, actor, query }) => {
  const { user_id } = actor
  const host = query.host_id === undefined ? undefined : await findHost(app.db, user_id, query.host_id)
  const { priority = 'medium' } = query
  const due_at = await expectedForNew(app.db, { user_id, priority, host_id: host?.id ?? null })
  return { status: 200, body: await placeOf(app, due_at, null) }
})

export const expectAnswer = handler(contract.expectAnswer, async ({ app, actor, params }) => {
  const { due_at, id } = await openTicket(app.db, params.chatId, actor)
  return { status: 200, body: await placeOf(app, due_at, id) }
})

async function placeOf({ db }: App, due_at: Date | null, id: bigint | null) {
  const before = due_at ? await countBefore(db, { due_at, id }) : 0
  return { due_at: due_at?.toISOString() ?? null, before }
}
