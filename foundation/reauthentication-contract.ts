import * as z from 'zod/mini'
import { route } from './contract.ts'
import { code, password } from './fields.ts'
import { AUTH, authenticated, missing, unauthenticated } from './session-contract.ts'
import { bigCount, count, named } from './printed.ts'

/**
 * The calls by which a page asks for a proof of identity (auth contract section 6). The dialog that asks is in the foundation,
 * because pages of every feature need it; the feature `security` serves the calls.
 */

export const reauthenticate = route({
  id: 'reauthenticate',
  tag: 'Security',
  method: 'POST',
  path: `${AUTH}/auth/reauthenticate`,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Prove again who you are, with the password',
  limits: ['reauthenticate'],
  body: z.object({ password: password() }),
  replies: { 200: authenticated, 401: unauthenticated },
  errors: { 400: ['incorrect_password', 'too_many_login_attempts'] },
})

export const reauthenticateByCode = route({
  id: 'reauthenticateByCode',
  tag: 'Security',
  method: 'POST',
  path: `${AUTH}/auth/2fa/reauthenticate`,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Prove again who you are, with a code',
  description: 'A code of the app, or a recovery code, which is used up.',
  body: z.object({ code: code() }),
  replies: { 200: authenticated, 401: unauthenticated },
  errors: { 400: ['incorrect_code', 'too_many_login_attempts'] },
})

// Input and output of the browser's passkey calls; WebAuthn level 3 defines their content.
export const publicKey = z.record(z.string(), z.unknown())
export const credential = z.record(z.string(), z.unknown())
const requestOptions = z.strictObject({
  status: z.literal(200),
  data: z.strictObject({ request_options: z.strictObject({ publicKey }) }),
})

export const getPasskeyProof = route({
  id: 'getPasskeyProof',
  tag: 'Security',
  method: 'GET',
  path: `${AUTH}/auth/webauthn/reauthenticate`,
  access: { who: 'customer', acts: 'own' },
  style: 'auth',
  summary: 'Options for proving again who you are, with a passkey',
  replies: { 200: requestOptions, 401: unauthenticated, 404: missing },
})

export const reauthenticateByPasskey = route({
  id: 'reauthenticateByPasskey',
  tag: 'Security',
  method: 'POST',
  path: `${AUTH}/auth/webauthn/reauthenticate`,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Prove again who you are, with a passkey',
  body: z.object({ credential }),
  replies: { 200: authenticated, 401: unauthenticated, 404: missing },
  errors: { 400: ['incorrect_code'] },
})

/** Unix seconds, with a fraction. */
const timestamp = z.number()
const times = { created_at: timestamp, last_used_at: z.nullable(timestamp) }

export const totp = z.strictObject({ type: z.literal('totp'), ...times })
named('TotpFactor', totp)
export const recoveryCodes = z.strictObject({
  type: z.literal('recovery_codes'),
  ...times,
  total_code_count: count(),
  unused_code_count: count(),
})
named('RecoveryCodesFactor', recoveryCodes)
export const passkey = z.strictObject({
  type: z.literal('webauthn'),
  ...times,
  id: bigCount(),
  name: z.string(),
  is_passwordless: z.boolean(),
})
named('PasskeyFactor', passkey)
export type Passkey = z.infer<typeof passkey>

export const answer = <Data extends z.ZodMiniType>(data: Data) =>
  z.strictObject({ status: z.literal(200), data })

export const listAuthenticators = route({
  id: 'listAuthenticators',
  tag: 'Security',
  method: 'GET',
  path: `${AUTH}/account/authenticators`,
  access: { who: 'customer', acts: 'own' },
  style: 'auth',
  viewable: true,
  summary: 'The second factors of the account',
  replies: { 200: answer(z.array(z.union([totp, recoveryCodes, passkey]))), 401: unauthenticated },
})
