import type { Handler } from '#foundation/server/http/handler.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { on } from '#foundation/server/events.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { updateUser, devicesOf } from '#foundation/server/session/session.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { listActivity, pageOfActivity } from './activity.ts'
import { changePassword } from './change-password.ts'
import { endDevices, listDevices } from './devices.ts'
import { listAuthenticators, authenticatorsOf } from './factors.ts'
import { addPasskey, getPasskeyCreation, removePasskeys, renamePasskey } from './passkeys.ts'
import { byCode, byPasskey, byPassword, passkeyOptions } from './reauthenticate.ts'
import { getRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts'
import { activateTotp, deactivateTotp, getTotp } from './totp.ts'
import { deleteFactors } from './factor-queries.ts'
import { deletePasskeysOf } from './passkey-queries.ts'
import { deletePassword } from './queries.ts'

export { sealed } from './sealed.ts'

export const routes: readonly Handler[] = [
  listActivity,
  byPassword,
  byCode,
  passkeyOptions,
  byPasskey,
  changePassword,
  listAuthenticators,
  getTotp,
  activateTotp,
  deactivateTotp,
  getRecoveryCodes,
  renewRecoveryCodes,
  getPasskeyCreation,
  addPasskey,
  renamePasskey,
  removePasskeys,
  listDevices,
  endDevices,
]

/** The proofs of identity are deleted with the account. */
export const reactions = [
  on(userDeactivated, async (_app, tx, { user_id }) => {
    await deletePassword(tx, user_id)
    await deletePasskeysOf(tx, user_id)
    await deleteFactors(tx, user_id)
    await updateUser(tx, user_id, { has_password: false, factors: [] })
  }),
]

/** The files hold no secrets, codes or keys: these are no personal data, and would open the account. */
export const personalData: PersonalData = (app, _tx, user_id) => ({
  'security.json': async () => ({
    authenticators: await authenticatorsOf(app.db, user_id),
    devices: (await transaction(app, { userId: user_id }, (tx) => devicesOf(app, tx, user_id))).map(
      ({ ip, user_agent, created_at }) => ({ ip, user_agent, created_at }),
    ),
  }),
  'activity.json': () => everyItem((cursor) => pageOfActivity(app, user_id, { limit: 100, cursor })),
})
