import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { endSessionsOf } from '#foundation/server/session/session.ts'
import * as contract from '#features/customers/contract.ts'
import { lockCustomer } from './lock-customer.ts'
import { signedOut } from './mail-templates.ts'
import { recordAct } from './record-act.ts'

/** Answers `POST …/sign-out/`. Where nobody was signed in, nothing is written. */
export const signOutCustomer = handler(
  contract.signOutCustomer,
  async ({ app, actor, caller, params, body: { reason } }) => {
    const ended = await transaction(app, 'system', async (tx) => {
      const { id: user_id, email, locale } = await lockCustomer(tx, actor, params.userId, { ownersMay: true })
      const count = await endSessionsOf(tx, user_id)
      if (count === 0) return 0
      const detail = { ended: count }
      await recordAct(tx, { user_id, actor, caller, act: 'customer.signed_out', reason, detail })
      const values = { at: new Date() }
      await enqueueMail(app, tx, { user_id, to: email, locale, template: signedOut, values })
      return count
    })
    return { status: 200, body: { ended } }
  },
)
