import type { Handler } from '#foundation/server/http/handler.ts'
import { listActivity } from './activity.ts'
import { changePassword } from './change-password.ts'
import { endDevices, listDevices } from './devices.ts'
import { listAuthenticators } from './factors.ts'
import { addPasskey, getPasskeyCreation, removePasskeys, renamePasskey } from './passkeys.ts'
import { byCode, byPasskey, byPassword, passkeyOptions } from './reauthenticate.ts'
import { getRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts'
import { activateTotp, deactivateTotp, getTotp } from './totp.ts'

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
