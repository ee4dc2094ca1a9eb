import type { Handler } from '#foundation/server/http/handler.ts'
import { on } from '#foundation/server/events.ts'
import { accessChanged, addressChanged, userDeactivated } from '#features/profile/contract.ts'
import { passwordChanged } from '#features/security/contract.ts'
import * as auth from './auth.ts'
import * as byCode from './login-by-code.ts'
import * as login from './login.ts'
import * as passkey from './passkey-login.ts'
import * as reset from './password-reset.ts'
import { refreshTokens } from './refresh.ts'
import { signup } from './signup.ts'
import * as email from './verify-email.ts'
import { deleteResetKeys } from './queries.ts'

export const routes: readonly Handler[] = [
  auth.getConfig,
  auth.getSession,
  auth.signOut,
  login.login,
  login.authenticateByCode,
  passkey.getPasskeyStep,
  passkey.authenticateByPasskey,
  passkey.getPasskeyLogin,
  passkey.loginByPasskey,
  signup,
  email.inspectVerification,
  email.verifyEmail,
  email.disownAddress,
  email.resendVerification,
  reset.requestReset,
  reset.inspectReset,
  reset.resetPassword,
  refreshTokens,
  byCode.requestCode,
  byCode.confirmCode,
  byCode.resendCode,
]

/** Reset links are void once the account has another password or other addresses, was locked, or is gone (auth contract section 10). */
export const reactions = [
  on(passwordChanged, (_app, tx, { user_id }) => deleteResetKeys(tx, user_id)),
  on(addressChanged, (_app, tx, { user_id }) => deleteResetKeys(tx, user_id)),
  on(accessChanged, (_app, tx, { user_id }) => deleteResetKeys(tx, user_id)),
  on(userDeactivated, (_app, tx, { user_id }) => deleteResetKeys(tx, user_id)),
]
