import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import {
  endView as end,
  endViewsWith,
  findUser,
  startView as start,
} from '#foundation/server/session/session.ts'
import * as contract from '#features/customers/contract.ts'
import { ticketOf } from '#features/support/tickets/server/tickets.ts'
import { lockCustomer } from './lock-customer.ts'
import { recordAct } from './record-act.ts'
import { memberOf } from './who.ts'

/** Answers `POST …/views/`. The customer can read about the view at once. */
export const startView = handler(contract.startView, async (call) => {
  const { app, actor, params, body } = call
  const who = memberOf(call)
  return transaction(app, 'system', async (tx) => {
    const { id: user_id, access } = await lockCustomer(tx, who, params.userId)
    // A locked account cannot be viewed: its customer cannot sign in, and so sees nothing either.
    if (access === 'locked') throw new HttpError(409, [{ code: 'account_locked' }])
    const { reason, ticket_id } = body
    if (ticket_id !== undefined && !(await ticketOf(tx, ticket_id, { user_id, any: false })))
      throw badRequest('invalid', 'ticket_id')
    const view = { member_id: actor.user_id, session_id: actor.session_id, customer_id: user_id }
    const { id, expires_at } = await start(app, tx, view)
    await recordAct(tx, { user_id, who, act: 'customer.viewed', reason, detail: { view_id: id, ticket_id } })
    return { status: 201, body: { id, expires_at: expires_at.toISOString() } } as const
  })
})

/** Answers `DELETE /api/staff/views/{id}/`. */
export const endView = handler(contract.endView, ({ app, actor, params }) =>
  transaction(app, 'system', async (tx) => {
    if (!(await end(tx, actor.user_id, params.id))) throw notFound()
    return { status: 204 } as const
  }),
)

/** Ends the views of a member who has no factor any more, and so may not view accounts. A new factor does not bring them back. */
export async function endViewsWithoutFactor(
  _app: App,
  tx: Tx,
  { user_id }: { user_id: string },
): Promise<void> {
  const user = await findUser(tx, user_id)
  if (user?.is_staff && user.factors.length === 0) await endViewsWith(tx, user_id)
}

/** Ends the views of an account that is locked, so that none of them continues when the account is opened again. */
export async function endViewsOfLocked(
  _app: App,
  tx: Tx,
  { user_id, access }: { user_id: string; access: string },
): Promise<void> {
  if (access === 'locked') await endViewsWith(tx, user_id)
}
