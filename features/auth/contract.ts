import * as z from 'zod/mini'
import { event, route } from '#foundation/contract.ts'
import { code, email, newEmail, opaqueText, password, passwordFaults, pastedKey } from '#foundation/fields.ts'
import {
  AUTH,
  authenticated,
  conflict,
  done,
  factor,
  forbidden,
  missing,
  unauthenticated,
  user,
} from '#foundation/session-contract.ts'
import { plainKey } from '#foundation/typed-code.ts'
import { terms } from '#features/legal/contract.ts'

/** Sign-up, sign-in and sign-out, the proof of an address, and a forgotten password. */

/** Emitted when somebody asks for a password reset by a confirmed address of a locked account. */
export const lockedOut = event<{ user_id: string; email: string }>('auth.locked_out')

const key = () => pastedKey()

// A blank key is a wrong key, as a missing one is.
const keyHeader = z.optional(z.string().check(z.overwrite(plainKey)))

// An object in the form of the browser's passkey calls. Its content is checked by cryptography.
const credential = z.record(z.string(), z.unknown())
const requestOptions = z.strictObject({
  status: z.literal(200),
  data: z.strictObject({ request_options: z.strictObject({ publicKey: z.record(z.string(), z.unknown()) }) }),
  meta: z.optional(z.strictObject({ is_authenticated: z.boolean(), session_token: z.optional(z.string()) })),
})

export const getConfig = route({
  id: 'getConfig',
  tag: 'Sign-in',
  method: 'GET',
  path: `${AUTH}/config`,
  access: { who: 'anyone' },
  style: 'auth',
  viewable: true,
  summary: 'What this installation offers for signing in',
  replies: {
    200: z.strictObject({
      status: z.literal(200),
      data: z.strictObject({
        account: z.strictObject({
          authentication_method: z.literal('email'),
          login_methods: z.array(z.literal('email')),
          is_open_for_signup: z.boolean(),
          email_verification_by_code_enabled: z.boolean(),
          login_by_code_enabled: z.boolean(),
          password_reset_by_code_enabled: z.boolean(),
        }),
        mfa: z.strictObject({ supported_types: z.array(factor), passkey_login_enabled: z.boolean() }),
        usersessions: z.strictObject({ track_activity: z.boolean() }),
      }),
    }),
  },
})

export const getSession = route({
  id: 'getSession',
  tag: 'Sign-in',
  method: 'GET',
  path: `${AUTH}/auth/session`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Show who is signed in, or the pending sign-in step',
  replies: { 200: authenticated, 401: unauthenticated },
})

export const signOut = route({
  id: 'signOut',
  tag: 'Sign-in',
  method: 'DELETE',
  path: `${AUTH}/auth/session`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Sign out; a 401 that says so is the success',
  replies: { 401: unauthenticated },
})

export const login = route({
  id: 'login',
  tag: 'Sign-in',
  method: 'POST',
  path: `${AUTH}/auth/login`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Sign in with email and password',
  limits: ['login'],
  body: z.object({ email: email(), password: password() }),
  replies: { 200: authenticated, 401: unauthenticated, 409: conflict },
  errors: { 400: ['email_password_mismatch', 'too_many_login_attempts', 'example_staff_elsewhere'] },
})

export const signup = route({
  id: 'signup',
  tag: 'Sign-in',
  method: 'POST',
  path: `${AUTH}/auth/signup`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Create an account',
  limits: ['signup'],
  body: z.object({
    email: newEmail(),
    password: password(),
    repeat_password: z.optional(z.string({ error: 'invalid' }).check(z.trim())),
    // The key from a mail to this very address: it opens sign-up where that is closed to others (SIGNUP_OPEN).
    invitation: z.optional(key()),
    // The version of the terms that was shown and accepted. Without it the account is made all the same, and its owner is asked later.
    terms,
  }),
  replies: { 200: authenticated, 401: unauthenticated, 403: forbidden, 409: conflict },
  errors: { 400: [...passwordFaults, 'password_mismatch', 'email_taken'] },
})

export const authenticateByCode = route({
  id: 'authenticateByCode',
  tag: 'Sign-in',
  method: 'POST',
  path: `${AUTH}/auth/2fa/authenticate`,
  access: { who: 'pending' },
  style: 'auth',
  summary: 'The second step of a login, by code',
  description: 'The second step of a login: a code of the authenticator app, or a recovery code',
  body: z.object({ code: code() }),
  replies: { 200: authenticated, 401: unauthenticated },
  errors: { 400: ['incorrect_code', 'too_many_login_attempts', 'example_staff_elsewhere'] },
})

export const getPasskeyStep = route({
  id: 'getPasskeyStep',
  tag: 'Sign-in',
  method: 'GET',
  path: `${AUTH}/auth/webauthn/authenticate`,
  access: { who: 'pending' },
  style: 'auth',
  summary: 'Options for the second step by passkey',
  replies: { 200: requestOptions, 404: missing },
})

export const authenticateByPasskey = route({
  id: 'authenticateByPasskey',
  tag: 'Sign-in',
  method: 'POST',
  path: `${AUTH}/auth/webauthn/authenticate`,
  access: { who: 'pending' },
  style: 'auth',
  summary: 'The second step of a login, by passkey',
  body: z.object({ credential }),
  replies: { 200: authenticated, 401: unauthenticated, 404: missing },
  errors: { 400: ['incorrect_code', 'example_staff_elsewhere'] },
})

export const getPasskeyLogin = route({
  id: 'getPasskeyLogin',
  tag: 'Sign-in',
  method: 'GET',
  path: `${AUTH}/auth/webauthn/login`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Options for signing in by passkey alone',
  limits: ['passkey_login'],
  replies: { 200: requestOptions, 404: missing, 409: conflict },
})

export const loginByPasskey = route({
  id: 'loginByPasskey',
  tag: 'Sign-in',
  method: 'POST',
  path: `${AUTH}/auth/webauthn/login`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Sign in by passkey alone',
  limits: ['login'],
  body: z.object({ credential }),
  replies: { 200: authenticated, 401: unauthenticated, 404: missing, 409: conflict },
  errors: { 400: ['incorrect_code', 'example_staff_elsewhere'] },
})

export const inspectVerification = route({
  id: 'inspectVerification',
  tag: 'Sign-in',
  method: 'GET',
  path: `${AUTH}/auth/email/verify`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Show the account whose address a key would confirm',
  description: 'Show the account whose address a key from a mail would confirm; changes nothing',
  headers: z.object({ 'x-email-verification-key': keyHeader }),
  replies: {
    200: z.strictObject({
      status: z.literal(200),
      data: z.strictObject({
        email: z.string(),
        user,
        /** True if the account was made with this address, false if the address was added later. */
        is_new_account: z.boolean(),
        /** Unix seconds. */
        account_since: z.number(),
      }),
      meta: z.strictObject({ is_authenticating: z.boolean() }),
    }),
  },
  errors: { 400: ['invalid_or_expired_key', 'email_taken'] },
})

export const verifyEmail = route({
  id: 'verifyEmail',
  tag: 'Sign-in',
  method: 'POST',
  path: `${AUTH}/auth/email/verify`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Confirm an address; a 401 means: confirmed, now sign in',
  // If `key` is absent, it is read from the header X-Email-Verification-Key (D9).
  body: z.object({ key: z.optional(key()) }),
  replies: { 200: authenticated, 401: unauthenticated },
  errors: { 400: ['invalid_or_expired_key', 'email_taken'] },
})

export const disownAddress = route({
  id: 'disownAddress',
  tag: 'Sign-in',
  method: 'DELETE',
  path: `${AUTH}/auth/email/verify`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'End the claim that a key from a mail would confirm',
  description:
    'This was not me: ends the unproven claim to an address, and with it the account that was signed up with it. The key is read from the header X-Email-Verification-Key if the body has none.',
  // If `key` is absent, it is read from the header X-Email-Verification-Key.
  body: z.object({ key: z.optional(key()) }),
  replies: { 200: done },
  errors: { 400: ['invalid_or_expired_key', 'email_taken'] },
})

export const resendVerification = route({
  id: 'resendVerification',
  tag: 'Sign-in',
  method: 'POST',
  path: `${AUTH}/auth/email/verify/resend`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Send the confirmation of a pending sign-up again',
  description: 'Send the confirmation of a pending sign-up again, at most every 180 s',
  replies: { 200: done, 409: conflict },
})

export const requestReset = route({
  id: 'requestReset',
  tag: 'Sign-in',
  method: 'POST',
  path: `${AUTH}/auth/password/request`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Ask for a link to set another password',
  description:
    'Ask for a link to set another password; the answer does not reveal whether the address is known',
  body: z.object({ email: email() }),
  replies: { 200: done },
})

export const inspectReset = route({
  id: 'inspectReset',
  tag: 'Sign-in',
  method: 'GET',
  path: `${AUTH}/auth/password/reset`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Show whose password a key would set; changes nothing',
  headers: z.object({ 'x-password-reset-key': keyHeader }),
  replies: { 200: z.strictObject({ status: z.literal(200), data: z.strictObject({ user }) }) },
  errors: { 400: ['invalid_password_reset'] },
})

export const resetPassword = route({
  id: 'resetPassword',
  tag: 'Sign-in',
  method: 'POST',
  path: `${AUTH}/auth/password/reset`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Set another password with a key from a mail',
  description:
    'Set another password with a key from a mail; ends all sessions, a 401 means: done, now sign in',
  limits: ['password_reset'],
  // If `key` is absent, it is read from the header X-Password-Reset-Key (D9).
  body: z.object({ key: z.optional(key()), password: password() }),
  replies: { 200: authenticated, 401: unauthenticated },
  errors: { 400: ['invalid_password_reset', ...passwordFaults, 'same_as_current'] },
})

export const refreshTokens = route({
  id: 'refreshTokens',
  tag: 'Sign-in',
  method: 'POST',
  path: `${AUTH}/tokens/refresh`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Exchange a refresh token for a new pair of tokens',
  description: 'Another pair of tokens for a refresh token, which is used up by it',
  limits: ['refresh'],
  body: z.object({ refresh_token: opaqueText(2000) }),
  replies: {
    200: z.strictObject({
      status: z.literal(200),
      data: z.strictObject({ access_token: z.string(), refresh_token: z.string() }),
    }),
  },
})

// Sign-in by a code from a mail is not offered. Clients of this interface still find its routes, with the answers that the
// interface defines for that case.
export const requestCode = route({
  id: 'requestCode',
  tag: 'Sign-in',
  method: 'POST',
  path: `${AUTH}/auth/code/request`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Sign in by a code from a mail: not offered',
  replies: { 404: missing },
})

export const confirmCode = route({
  id: 'confirmCode',
  tag: 'Sign-in',
  method: 'POST',
  path: `${AUTH}/auth/code/confirm`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Confirm a code from a mail: none is ever pending',
  replies: { 409: conflict },
})

export const resendCode = route({
  id: 'resendCode',
  tag: 'Sign-in',
  method: 'POST',
  path: `${AUTH}/auth/code/resend`,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Send a code again: none is ever pending',
  replies: { 409: conflict },
})
