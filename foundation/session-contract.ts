import * as z from 'zod/mini'

/**
 * The envelope of the account calls (auth contract section 2): every answer repeats its status, and `data`, `meta`
 * and `errors` are left out when empty.
 */
export const user = z.strictObject({
  id: z.string(),
  display: z.string(),
  email: z.optional(z.string()),
  has_usable_password: z.boolean(),
})

const method = z.strictObject({
  method: z.enum(['password', 'mfa', 'code', 'password_reset']),
  at: z.number(),
  email: z.optional(z.string()),
  reauthenticated: z.optional(z.boolean()),
  id: z.optional(z.number()),
  type: z.optional(z.enum(['totp', 'recovery_codes', 'webauthn'])),
  passwordless: z.optional(z.boolean()),
})
export type AuthenticationMethod = z.infer<typeof method>

export const factor = z.enum(['recovery_codes', 'totp', 'webauthn'])
export type Factor = z.infer<typeof factor>

const flow = z.strictObject({
  id: z.string(),
  is_pending: z.optional(z.boolean()),
  types: z.optional(z.array(factor)),
})

/** D1: one object holds both tokens of the pair. */
export const tokenPair = z.strictObject({ access: z.string(), refresh: z.string() })
export type TokenPair = z.infer<typeof tokenPair>

const meta = z.strictObject({
  is_authenticated: z.boolean(),
  session_token: z.optional(z.string()),
  access_token: z.optional(tokenPair),
})

/** A200: signed in. */
export const authenticated = z.strictObject({
  status: z.literal(200),
  data: z.strictObject({ user, methods: z.array(method) }),
  meta,
})

const anonymousData = z.strictObject({ flows: z.array(flow) })

/** U401 (nothing pending), P401 (a step is pending) and R401 (signed in, but must prove it again). */
export const unauthenticated = z.strictObject({
  status: z.literal(401),
  data: z.union([anonymousData, z.strictObject({ user, methods: z.array(method), flows: z.array(flow) })]),
  meta,
})

/** G410: the session token that was presented does not exist (any more). */
export const gone = z.strictObject({ status: z.literal(410), data: anonymousData, meta })

export const done = z.strictObject({ status: z.literal(200) })
export const conflict = z.strictObject({ status: z.literal(409) })
export const forbidden = z.strictObject({ status: z.literal(403) })
export const missing = z.strictObject({ status: z.literal(404) })

/** Where all account calls live. */
export const AUTH = '/api/allauth/app/v1'
