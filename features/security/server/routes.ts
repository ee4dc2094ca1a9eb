import { serve } from '#foundation/server/http/serve.ts'
import * as contract from '#features/security/contract.ts'
import { changePassword } from './change-password.ts'
import { endDevices, listDevices } from './devices.ts'
import { listAuthenticators } from './factors.ts'
import { addPasskey, getPasskeyCreation, removePasskeys, renamePasskey } from './passkeys.ts'
import { byCode, byPasskey, byPassword, passkeyOptions } from './reauthenticate.ts'
import { getRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts'
import { activateTotp, deactivateTotp, getTotp } from './totp.ts'

export const routes = [
  serve(contract.reauthenticate, byPassword),
  serve(contract.reauthenticateByCode, byCode),
  serve(contract.getPasskeyProof, passkeyOptions),
  serve(contract.reauthenticateByPasskey, byPasskey),
  serve(contract.changePassword, changePassword),
  serve(contract.listAuthenticators, listAuthenticators),
  serve(contract.getTotp, getTotp),
  serve(contract.activateTotp, activateTotp),
  serve(contract.deactivateTotp, deactivateTotp),
  serve(contract.getRecoveryCodes, getRecoveryCodes),
  serve(contract.renewRecoveryCodes, renewRecoveryCodes),
  serve(contract.getPasskeyCreation, getPasskeyCreation),
  serve(contract.addPasskey, addPasskey),
  serve(contract.renamePasskey, renamePasskey),
  serve(contract.removePasskeys, removePasskeys),
  serve(contract.listDevices, listDevices),
  serve(contract.endDevices, endDevices),
]
