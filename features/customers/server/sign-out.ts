import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { endSessionsOf } from '#foundation/server/session/session.ts'
import * as contract from '#features/customers/contract.ts'
import { lockCustomer } from './lock-customer.ts'
import { signedOut } from './mails.ts'
import { recordAct } from './record-act.ts'
import { memberOf, type Who } from './who.ts'

/** Answers `POST …/sign-out/`. */
export const signOutCustomer = handler(contract.signOutCustomer, async (call) => {
  const { app, params, body } = call
  return { status: 200, body: { ended: await signOut(app, memberOf(call), params.userId, body.reason) } }
})

/** Ends all sessions of a customer, and returns how many there were. Nothing is written where nobody was signed in. */
export async function signOut(app: App, who: Who, customer_id: string, reason: string): Promise<number> {
  return transaction(app, 'system', async (tx) => {
    const { id: user_id } = await lockCustomer(tx, who, customer_id, { ownersMay: true })
    const ended = await endSessionsOf(tx, user_id)
    if (ended === 0) return 0
    await recordAct(tx, { user_id, who, act: 'customer.signed_out', reason, detail: { ended } })
    await mailTo(app, tx, user_id, signedOut, { at: new Date() })
    return ended
  })
}
