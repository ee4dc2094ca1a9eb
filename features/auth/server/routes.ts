import type { Handler } from '#foundation/server/http/handler.ts'
import * as auth from './auth.ts'
import * as byCode from './login-by-code.ts'
import * as login from './login.ts'
import * as passkey from './passkey-login.ts'
import * as reset from './password-reset.ts'
import { refreshTokens } from './refresh.ts'
import { signup } from './signup.ts'
import * as email from './verify-email.ts'

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
