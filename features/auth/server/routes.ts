import { serve } from '#foundation/server/http/serve.ts'
import * as contract from '#features/auth/contract.ts'
import * as auth from './auth.ts'
import * as byCode from './login-by-code.ts'
import * as login from './login.ts'
import * as passkey from './passkey-login.ts'
import * as reset from './password-reset.ts'
import { refreshTokens } from './refresh.ts'
import { judgeSignup, signup } from './signup.ts'
import * as email from './verify-email.ts'

export const routes = [
  serve(contract.getConfig, auth.getConfig),
  serve(contract.getSession, auth.getSession),
  serve(contract.signOut, auth.signOut),
  serve(contract.login, login.login),
  serve(contract.authenticateByCode, login.authenticateByCode),
  serve(contract.getPasskeyStep, passkey.getPasskeyStep),
  serve(contract.authenticateByPasskey, passkey.authenticateByPasskey),
  serve(contract.getPasskeyLogin, passkey.getPasskeyLogin),
  serve(contract.loginByPasskey, passkey.loginByPasskey),
  serve(contract.signup, signup, judgeSignup),
  serve(contract.inspectVerification, email.inspectVerification),
  serve(contract.verifyEmail, email.verifyEmail),
  serve(contract.disownAddress, email.disownAddress),
  serve(contract.resendVerification, email.resendVerification),
  serve(contract.requestReset, reset.requestReset),
  serve(contract.inspectReset, reset.inspectReset),
  serve(contract.resetPassword, reset.resetPassword, reset.judgeReset),
  serve(contract.refreshTokens, refreshTokens),
  serve(contract.requestCode, byCode.requestCode),
  serve(contract.confirmCode, byCode.confirmCode),
  serve(contract.resendCode, byCode.resendCode),
]
