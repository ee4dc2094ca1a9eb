import type { App } from '#foundation/server/app.ts'
import { addressesOf } from '#features/profile/server/profile.ts'
import type { Cause, Level } from '#features/customers/rules.ts'
import { block } from './blocks.ts'
import { confirmAddressOf } from './confirm-address.ts'
import { requestReset } from './factor-resets.ts'
import { signOut } from './sign-out.ts'
import { COMMAND_LINE } from './who.ts'

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
