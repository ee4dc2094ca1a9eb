import * as z from 'zod/mini'
import { event, liveEvent, route } from '#foundation/contract.ts'
import { code, passwordFaults, requiredText, text } from '#foundation/fields.ts'
import {
  answer,
  credential,
  passkey,
  publicKey,
  recoveryCodes,
  totp,
} from '#foundation/reauthentication-contract.ts'
import {
  AUTH,
  authenticated,
  conflict,
  done,
  missing,
  unauthenticated,
} from '#foundation/session-contract.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { bigCount, count, named, time } from '#foundation/printed.ts'

/** The proofs of identity: password, second factors, signed-in devices (auth contract sections 4 to 8, 10). */

export {
  getPasskeyProof,
  listAuthenticators,
  reauthenticate,
  reauthenticateByCode,
  reauthenticateByPasskey,
  type Passkey,
} from '#foundation/reauthentication-contract.ts'

/** The password of the account changed; reset keys made for the old password are void. */
export const passwordChanged = event<{ user_id: string }>('security.password_changed')

/** A code or a passkey was used, so its owner still has it. */
export const factorUsed = event<{ user_id: string }>('security.factor_used')

/** A second factor was added or removed. */
export const factorsChanged = event<{ user_id: string }>('security.factors_changed')

/**
 * Tells a person's open pages that their activity has a new entry: a sign-in, a change of a proof of identity, or an act of staff
 * on the account. Movements of money have an event of their own.
 */
export const ACTIVITY_ADDED = liveEvent('activity.added')

// Checked by the handler, so that the errors of both fields are reported at once.
const judgedLater = () => z.optional(z.nullable(z.string({ error: 'invalid' })))

export const changePassword = route({
  id: 'changePassword',
  tag: 'Security',
  method: 'POST',
  path: `${AUTH}/account/password/change`,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Change the password',
  description: 'It ends all other sessions and hands out new tokens.',
  limits: ['password_change'],
  body: z.object({ current_password: judgedLater(), new_password: judgedLater() }),
  replies: { 200: authenticated, 401: unauthenticated },
  errors: { 400: ['enter_current_password', ...passwordFaults, 'same_as_current'] },
})

const generated = z.strictObject({ recovery_codes_generated: z.boolean() })

const totpPath = `${AUTH}/account/authenticators/totp` as const

export const getTotp = route({
  id: 'getTotp',
  tag: 'Security',
  method: 'GET',
  path: totpPath,
  access: { who: 'customer', acts: 'own' },
  style: 'auth',
  summary: 'Whether an authenticator app is on',
  description: 'Where they are not asked for, a 404 with a secret to set it up.',
  replies: {
    200: answer(totp),
    401: unauthenticated,
    404: z.strictObject({
      status: z.literal(404),
      meta: z.strictObject({ secret: z.string(), totp_url: z.string() }),
    }),
  },
  errors: { 409: ['unverified_email'] },
})

export const activateTotp = route({
  id: 'activateTotp',
  tag: 'Security',
  method: 'POST',
  path: totpPath,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Turn the authenticator app on',
  body: z.object({ code: code() }),
  replies: {
    200: z.strictObject({ status: z.literal(200), data: totp, meta: generated }),
    401: unauthenticated,
    409: conflict,
  },
  errors: { 400: ['incorrect_code', 'unverified_email', 'too_many_login_attempts'] },
})

export const deactivateTotp = route({
  id: 'deactivateTotp',
  tag: 'Security',
  method: 'DELETE',
  path: totpPath,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Turn the authenticator app off',
  replies: { 200: done, 401: unauthenticated },
})

const shownRecoveryCodes = z.strictObject({ ...recoveryCodes.shape, unused_codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof shownRecoveryCodes>

const recoveryPath = `${AUTH}/account/authenticators/recovery-codes` as const

export const getRecoveryCodes = route({
  id: 'getRecoveryCodes',
  tag: 'Security',
  method: 'GET',
  path: recoveryPath,
  access: { who: 'customer', acts: 'own' },
  style: 'auth',
  summary: 'The recovery codes that were not used yet',
  replies: { 200: answer(shownRecoveryCodes), 401: unauthenticated, 404: missing },
})

export const renewRecoveryCodes = route({
  id: 'renewRecoveryCodes',
  tag: 'Security',
  method: 'POST',
  path: recoveryPath,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Generate new recovery codes; the old ones stop working',
  replies: { 200: answer(shownRecoveryCodes), 401: unauthenticated },
  errors: { 400: ['cannot_generate_recovery_codes'] },
})

const passkeyPath = `${AUTH}/account/authenticators/webauthn` as const

export const getPasskeyCreation = route({
  id: 'getPasskeyCreation',
  tag: 'Security',
  method: 'GET',
  path: passkeyPath,
  access: { who: 'customer', acts: 'own' },
  style: 'auth',
  summary: 'Options for a new passkey',
  description: 'Options for a new passkey; with `passwordless` for one that may sign in alone',
  query: z.object({ passwordless: z.optional(z.string()) }),
  replies: {
    200: answer(z.strictObject({ creation_options: z.strictObject({ publicKey }) })),
    401: unauthenticated,
    404: missing,
  },
  errors: { 409: ['unverified_email'] },
})

export const addPasskey = route({
  id: 'addPasskey',
  tag: 'Security',
  method: 'POST',
  path: passkeyPath,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Add a passkey',
  body: z.object({ name: z.optional(text(100)), credential }),
  replies: {
    200: z.strictObject({ status: z.literal(200), data: passkey, meta: generated }),
    401: unauthenticated,
    404: missing,
  },
  errors: { 400: ['incorrect_code'], 409: ['unverified_email'] },
})

const passkeyId = () => z.int({ error: 'invalid' })

export const renamePasskey = route({
  id: 'renamePasskey',
  tag: 'Security',
  method: 'PUT',
  path: passkeyPath,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Rename a passkey',
  body: z.object({ id: passkeyId(), name: requiredText(100) }),
  replies: { 200: answer(passkey), 401: unauthenticated, 404: missing },
  errors: { 400: ['invalid_choice'] },
})

export const removePasskeys = route({
  id: 'removePasskeys',
  tag: 'Security',
  method: 'DELETE',
  path: passkeyPath,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Remove passkeys',
  body: z.object({
    authenticators: z.array(z.unknown(), { error: listFault }).check(
      z.refine((list) => list.length > 0, { error: 'required' }),
      z.maxLength(100, { error: 'max_length' }),
    ),
  }),
  replies: { 200: done, 401: unauthenticated, 404: missing },
  errors: { 400: ['invalid_list', 'invalid_choice'] },
})

const devices = answer(
  z.array(
    z.strictObject({
      id: bigCount(),
      user_agent: z.string(),
      ip: z.string(),
      /** Unix seconds. */
      created_at: z.number(),
      /** Unix seconds: the time of the last renewal of the session's tokens. */
      last_seen_at: z.number(),
      is_current: z.boolean(),
    }),
  ),
)
export type Device = z.infer<typeof devices>['data'][number]

export const listDevices = route({
  id: 'listDevices',
  tag: 'Security',
  method: 'GET',
  path: `${AUTH}/auth/sessions`,
  access: { who: 'customer', acts: 'own' },
  style: 'auth',
  summary: 'The devices the account is signed in on',
  replies: { 200: devices, 401: unauthenticated },
})

export const endDevices = route({
  id: 'endDevices',
  tag: 'Security',
  method: 'DELETE',
  path: `${AUTH}/auth/sessions`,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Sign out other devices, or this one',
  description: 'Sign out other devices, or this one (then 401 is the success)',
  body: z.object({
    sessions: z.array(z.unknown(), { error: listFault }).check(
      z.refine((list) => list.length > 0, { error: 'required' }),
      z.maxLength(1000, { error: 'max_length' }),
    ),
  }),
  replies: { 200: devices, 401: unauthenticated },
  errors: { 400: ['invalid_list', 'invalid_choice', 'invalid_pk_value'] },
})

const activity = z.strictObject({
  id: z.string(),
  at: time(),
  /** The action, such as `session.started`. */
  act: z.string(),
  /** `helper`: another account that the owner lets act for this one. `unknown`: tried by somebody who had not proven who they are. */
  by: z.enum(['you', 'support', 'helper', 'system', 'unknown']),
  /** The first name of the member of the support, or the name of the helper. */
  by_name: z.nullable(z.string()),
  /** The message that the support wrote about the action. */
  message: z.nullable(z.string()),
  /** The origin of the customer's own actions, and of attempts by others. */
  ip: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  /** The number of attempts within the hour, for an action that failed. */
  times: count(),
})
named('Activity', activity)
export type Activity = z.infer<typeof activity>

export const listActivity = route({
  id: 'listActivity',
  tag: 'Security',
  method: 'GET',
  path: '/api/users/activity/',
  access: { who: 'customer', acts: 'own' },
  fromReplica: true,
  viewable: true,
  summary: 'What happened to the account, newest first',
  description:
    'What happened to the account, newest first: sign-ins, security, and what staff did. Failed sign-ins of one hour are one entry',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(activity) },
})

function listFault({ input }: { input?: unknown }): string {
  return input === undefined || input === null ? 'required' : 'invalid_list'
}
