import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { addressesOf } from '#features/profile/server/profile.ts'
import type { Cause, Level } from '#features/customers/rules.ts'
import { block } from './blocks.ts'
import { confirmAddressOf } from './confirm-address.ts'
import { requestReset } from './factor-resets.ts'
import { beginMerge } from './merge.ts'
import { mergeNow } from './merge-now.ts'
import { signOut } from './sign-out.ts'
import { unmerge } from './unmerge.ts'
import { COMMAND_LINE, nameOf } from './who.ts'

// Actions on customers by the command line. An operator may leave out the reason and the message that members of staff have to give.

type Act = { user_id: string; reason: string }

export const blockByCommand = (
  app: App,
  { user_id, reason }: Act,
  { level, cause, message }: { level: Level; cause: Cause; message: string },
) => block(app, COMMAND_LINE, user_id, { level, cause: level === 'none' ? null : cause, reason, message })

export const signOutByCommand = (app: App, { user_id, reason }: Act) =>
  signOut(app, COMMAND_LINE, user_id, reason)

export const requestResetByCommand = (app: App, { user_id, reason }: Act) =>
  requestReset(app, COMMAND_LINE, user_id, { reason, wait_s: app.config.staff.resetWait_s })

/** Confirms an address of an account. Returns undefined if the account has no such address. */
export async function confirmByCommand(
  app: App,
  email: string,
  { user_id, reason }: Act,
): Promise<true | undefined> {
  const address = (await addressesOf(app.db, user_id)).find((one) => one.email === email)
  if (!address) return undefined
  const wanted = { userId: user_id, addressId: String(address.id), reason }
  await confirmAddressOf(app, COMMAND_LINE, wanted)
  return true
}

/** Merges an account into another one: after the waiting time, of which both are mailed, or at once. Returns the time of it. */
export async function mergeByCommand(
  app: App,
  { user_id: from, reason }: Act,
  { into, now }: { into: string; now: boolean },
): Promise<Date> {
  return transaction(app, 'system', async (tx) => {
    const by = nameOf(COMMAND_LINE)
    if (!now) return (await beginMerge(app, tx, { from, into }, { reason, by: null })).due_at
    await mergeNow(app, tx, { from, into }, { by, reason })
    return new Date()
  })
}

export const unmergeByCommand = (app: App, { user_id, reason }: Act) =>
  unmerge(app, COMMAND_LINE, user_id, reason)
