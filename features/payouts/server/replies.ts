import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import type { Payout } from '#features/payouts/contract.ts'
import type { StaffPayout } from '#features/payouts/staff-contract.ts'
import { accountOf, leftAddressOf } from './accounts.ts'
import type { PayoutRow } from './queries.ts'

/** A payout as its customer sees it. */
export const toPayoutReply = (row: PayoutRow): Payout => ({
  id: row.public_id,
  state: row.state,
  way: row.way,
  amount: toMoney(row.amount, row.currency),
  reference: row.reference,
  iban_end: row.iban_end,
  created_at: row.created_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
  failure: row.failure,
})

/** Payouts as staff see them, with their accounts in full. */
export async function toStaffReplies(
  app: App,
  db: App['db'],
  rows: readonly PayoutRow[],
): Promise<StaffPayout[]> {
  const names = await displayNames(
    app,
    db,
    rows.flatMap(({ user_id, requested_by }) => [user_id, requested_by]),
  )
  return Promise.all(
    rows.map(async (row) => {
      const { user_id, requested_by } = row
      const email = (await emailOf(app, db, row)) ?? ''
      return {
        ...toPayoutReply(row),
        provider: row.provider,
        account: accountOf(app, row),
        file: row.file_id,
        requested_by: requested_by === null ? null : names.of(requested_by),
        reason: row.reason,
        customer: { ...names.of(user_id), email },
      }
    }),
  )
}

/** Returns the address of the customer, or the one that a deleted account had; undefined once that is erased. */
export const emailOf = async (app: App, db: App['db'], row: PayoutRow): Promise<string | undefined> =>
  leftAddressOf(app, row)?.to ?? (await findUser(db, row.user_id))?.email

/** One payout as staff see it. */
export async function toStaffReply(app: App, db: App['db'], row: PayoutRow): Promise<StaffPayout> {
  const [reply] = await toStaffReplies(app, db, [row])
  if (!reply) throw new Error(`no reply for payout ${row.public_id}`)
  return reply
}
