import type * as z from 'zod/mini'
import type { Act } from '#texts/acts.js'
import type { Money } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { hardlyWaiting } from '#foundation/server/database/hardly-waiting.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { assertOwnerStays, type UserRow } from '#foundation/server/session/session.ts'
import * as contract from '#features/profile/contract.ts'
import { eraseAccount } from './erase-account.ts'
import { accountDeleted } from './mails.ts'

type Deletion = {
  forfeit?: Money | undefined
  /** The part of the balance that is paid out to a bank account. */
  payout?: z.infer<typeof contract.leftToBank> | undefined
  /** True if staff delete the account, at the customer's request. */
  by_staff: boolean
  audited: {
    act: Act
    ip?: string
    user_agent?: string
    request_id?: string
    detail: Record<string, unknown>
  }
}

/**
 * Deletes an account whose row is locked: the person is erased, the bare account row stays for rows that refer to it. The addresses are
 * free for another sign-up at once. Throws 409 `last_owner` and `balance_left`.
 */
export async function deleteAccount(
  app: App,
  tx: Tx,
  { id: user_id, email, locale }: Pick<UserRow, 'id' | 'email' | 'locale'>,
  { forfeit, payout, by_staff, audited }: Deletion,
): Promise<void> {
  await assertOwnerStays(tx, user_id)
  const address = { to: email, locale }
  const values = { email, by_staff, is_paid_out: payout !== undefined }
  await enqueueMail(app, tx, { user_id: null, ...address, template: accountDeleted, values })
  await hardlyWaiting(tx, async () => {
    await eraseAccount(app, tx, user_id)
    if (payout) await emit(app, tx, contract.balanceToBank, { user_id, forfeit, address, ...payout })
    await emit(app, tx, contract.balanceForfeited, { user_id, forfeit })
  })
  await recordAction(tx, { user_id, ...audited })
}
