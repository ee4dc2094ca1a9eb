import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/customers/contract.ts'
import { mailExportLink, personalFiles, type PersonalFile } from '#features/profile/server/profile.ts'
import { lockCustomer } from './lock-customer.ts'
import { recordAct } from './record-act.ts'
import { COMMAND_LINE, memberOf } from './who.ts'

/** Answers `POST …/export/`: the link goes to the customer alone. */
export const exportCustomer = handler(contract.exportCustomer, async (call) => {
  const { app, params, body } = call
  const who = memberOf(call)
  const { email, expires_at } = await transaction(app, 'system', async (tx) => {
    const customer = await lockCustomer(tx, who, params.userId)
    await recordAct(tx, { user_id: customer.id, who, act: 'customer.exported', reason: body.reason })
    return mailExportLink(app, tx, customer)
  })
  return { status: 202, body: { email, expires_at: expires_at.toISOString() } }
})

/** Returns the files of a customer's data for the command line, which writes them to a disk. */
export async function exportByCommand(
  app: App,
  customer_id: string,
  reason: string,
): Promise<PersonalFile[]> {
  const who = COMMAND_LINE
  return transaction(app, 'system', async (tx) => {
    const { id: user_id } = await lockCustomer(tx, who, customer_id, { ownersMay: true })
    await recordAct(tx, { user_id, who, act: 'customer.exported', reason })
    return personalFiles(app, tx, user_id)
  })
}
