import * as z from 'zod/mini'
import { liveEvent } from './contract.ts'
import { bigCount, emailText, named, uuidText } from './printed.ts'

/**
 * The envelope of the account calls (auth contract section 2): every answer repeats its status, and `data`, `meta`
 * and `errors` are left out when empty.
 */
export const user = z.strictObject({
  id: uuidText(),
  display: z.string(),
  email: z.optional(emailText()),
  has_usable_password: z.boolean(),
})
named('AccountUser', user)

const method = z.strictObject({
  method: z.enum(['password', 'mfa', 'code', 'password_reset']),
  at: z.number(),
  email: z.optional(z.string()),
  reauthenticated: z.optional(z.boolean()),
  id: z.optional(bigCount()),
  type: z.optional(z.enum(['totp', 'recovery_codes', 'webauthn'])),
  passwordless: z.optional(z.boolean()),
})
named('AuthenticationMethod', method)
export type AuthenticationMethod = z.infer<typeof method>

export const factor = z.enum(['recovery_codes', 'totp', 'webauthn'])
export type Factor = z.infer<typeof factor>

const flow = z.strictObject({
  id: z.string(),
  is_pending: z.optional(z.boolean()),
  types: z.optional(z.array(factor)),
})
named('Flow', flow)

/** One object holds both tokens of the pair (auth contract D1). */
const tokenPair = z.strictObject({ access: z.string(), refresh: z.string() })
named('TokenPair', tokenPair)
export type TokenPair = z.infer<typeof tokenPair>

const meta = z.strictObject({
  is_authenticated: z.boolean(),
  session_token: z.optional(z.string()),
  access_token: z.optional(tokenPair),
})
named('AuthenticationMeta', meta)

/** A200: signed in. */
export const authenticated = z.strictObject({
  status: z.literal(200),
  data: z.strictObject({ user, methods: z.array(method) }),
  meta,
})
named('Authenticated', authenticated)

const anonymousData = z.strictObject({ flows: z.array(flow) })
named('FlowsData', anonymousData)

/** U401 (nobody is signed in), P401 (a step of the sign-in is pending) and R401 (signed in, but must prove it again). */
export const unauthenticated = z.strictObject({
  status: z.literal(401),
  data: z.union([anonymousData, z.strictObject({ user, methods: z.array(method), flows: z.array(flow) })]),
  meta,
})
named('Unauthenticated', unauthenticated)

/** G410: the session token that was presented does not exist (any more). */
export const gone = z.strictObject({ status: z.literal(410), data: anonymousData, meta })
named('Gone', gone)

export const done = z.strictObject({ status: z.literal(200) })
named('StatusDone', done)
export const conflict = z.strictObject({ status: z.literal(409) })
named('StatusConflict', conflict)
export const forbidden = z.strictObject({ status: z.literal(403) })
named('StatusForbidden', forbidden)
export const missing = z.strictObject({ status: z.literal(404) })
named('StatusMissing', missing)

/** The base path of all account calls. */
export const AUTH = '/api/allauth/app/v1'

/** A session of the person ended. Carries `session_id`. */
export const SESSION_ENDED = liveEvent('session.ended')
