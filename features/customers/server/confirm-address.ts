import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import * as contract from '#features/customers/contract.ts'
import { lockClaim, proveByStaff } from '#features/profile/server/profile.ts'
import { lockCustomer } from './lock-customer.ts'
import { addressConfirmed } from './mails.ts'
import { recordAct } from './record-act.ts'
import { memberOf, type Who } from './who.ts'

/** Answers `POST …/addresses/{addressId}/confirmation/`. */
export const confirmAddress = handler(contract.confirmAddress, async (call) => {
  const { app, params, body } = call
  await confirmAddressOf(app, memberOf(call), { ...params, reason: body.reason })
  return { status: 200, body: { proven: true as const } }
})

/** Confirms the address of somebody whom no mail reaches. */
export async function confirmAddressOf(
  app: App,
  who: Who,
  { userId, addressId, reason }: { userId: string; addressId: string; reason: string },
): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    // Addresses are locked before accounts, in the same order as when customers prove their addresses themselves.
    const claim = await lockClaim(tx, userId, BigInt(addressId))
    const { id: user_id, locale } = await lockCustomer(tx, who, userId)
    if (!claim) throw notFound()
    await proveByStaff(app, tx, claim)
    const detail = { address_id: addressId }
    await recordAct(tx, { user_id, who, act: 'customer.address_confirmed', reason, detail })
    const { email } = claim
    await enqueueMail(app, tx, {
      user_id,
      to: email,
      locale,
      template: addressConfirmed,
      values: { email },
    })
  })
}
