import * as z from 'zod/mini'
import { helperRoles } from '#foundation/capability.ts'
import { route } from '#foundation/contract.ts'
import { opaqueText, requiredText, uuid } from '#foundation/fields.ts'
import { named, time, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { helpPermission } from '#features/hosts/contract.ts'
import { programScope, role, used } from './contract.ts'
import { TOKEN_DAYS } from './rules.ts'

/** Tokens of an account: helpers that are no person. A program acts by one for the account, as a helper with the same role. */

const token = z.strictObject({
  id: uuidText(),
  name: z.string(),
  /** The prefix and the last letters of the secret. */
  hint: z.string(),
  role: z.enum(helperRoles),
  all_hosts: z.boolean(),
  host_ids: z.array(z.string()),
  ...used,
  created_at: time(),
  /** The end; a token that lives as long as it is used ends 90 days after it was used last. */
  ends_at: time(),
  /** True for a token that lives as long as it is used. */
  while_used: z.boolean(),
  /** At most a minute old; null before the first use. */
  last_used_at: z.nullable(time()),
  last_used_ip: z.nullable(z.string()),
})
named('AccountToken', token)
export type AccountToken = z.infer<typeof token>

const params = z.strictObject({ tokenId: uuid })
const name = requiredText(100)

export const listTokens = route({
  id: 'listTokens',
  tag: 'Tokens',
  method: 'GET',
  path: '/api/tokens/',
  access: { who: 'customer', acts: 'own' },
  summary: 'The tokens of your account',
  description: 'The tokens by which programs act for your account, the newest first',
  replies: { 200: z.strictObject({ items: z.array(token) }) },
})

export const createToken = route({
  id: 'createToken',
  tag: 'Tokens',
  method: 'POST',
  path: '/api/tokens/',
  access: { who: 'customer', acts: 'own', proof: 'recent', whileBlocked: 'allowed' },
  summary: 'Make a token for a program',
  description:
    'The answer holds the secret, which is shown this once. `ends` is the number of days, or `unused`: 90 days after the last use, for roles that do not pay',
  limits: ['helper_invitation'],
  body: z.strictObject({
    name,
    role,
    ...programScope,
    ends: z.enum([...TOKEN_DAYS, 'unused'], { error: 'invalid' }),
  }),
  replies: { 201: z.extend(token, { secret: z.string() }) },
  errors: {
    400: ['host_required', 'unknown_host', 'all_hosts_required', 'end_required'],
    409: ['too_many_tokens'],
  },
})

export const getToken = route({
  id: 'getToken',
  tag: 'Tokens',
  method: 'GET',
  path: '/api/tokens/{tokenId}/',
  access: { who: 'customer', acts: 'own' },
  summary: 'A token of your account',
  params,
  replies: { 200: token },
})

export const renameToken = route({
  id: 'renameToken',
  tag: 'Tokens',
  method: 'PATCH',
  path: '/api/tokens/{tokenId}/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Rename a token',
  params,
  body: z.strictObject({ name }),
  replies: { 200: token },
})

export const endToken = route({
  id: 'endToken',
  tag: 'Tokens',
  method: 'DELETE',
  path: '/api/tokens/{tokenId}/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'End a token',
  description: 'Its next call is refused. Calls that run finish first',
  params,
  replies: { 204: null },
})

export const getOwnToken = route({
  id: 'getOwnToken',
  tag: 'Tokens',
  method: 'GET',
  path: '/api/tokens/self/',
  access: { who: 'program' },
  summary: 'The token of this call',
  replies: { 200: token },
})

export const endOwnToken = route({
  id: 'endOwnToken',
  tag: 'Tokens',
  method: 'DELETE',
  path: '/api/tokens/self/',
  access: { who: 'program' },
  summary: 'End the token of this call',
  replies: { 204: null },
})

export const reportLeak = route({
  id: 'reportLeak',
  tag: 'Tokens',
  method: 'POST',
  path: '/api/tokens/leaks/',
  access: { who: 'anyone' },
  summary: 'Report a token that was found in the open',
  description:
    'A token that lives ends at once, and its owner is mailed. The answer is the same for any text',
  limits: ['leak'],
  body: z.strictObject({ secret: opaqueText(200) }),
  replies: { 204: null },
})

const userId = uuid

export const listTokensOf = route({
  id: 'listTokensOf',
  tag: 'Staff customers',
  method: 'GET',
  path: '/api/staff/customers/{userId}/tokens/',
  access: staff(helpPermission),
  summary: "The tokens of a customer's account",
  params: z.strictObject({ userId }),
  replies: { 200: z.strictObject({ items: z.array(token) }) },
})

export const endTokenOf = route({
  id: 'endTokenOf',
  tag: 'Staff customers',
  method: 'DELETE',
  path: '/api/staff/customers/{userId}/tokens/{tokenId}/',
  access: staff(helpPermission),
  summary: 'End a token of a customer',
  description: 'The customer is mailed; the reason is for the audit log',
  params: z.strictObject({ userId, tokenId: uuid }),
  query: z.strictObject({ reason: requiredText(400) }),
  replies: { 204: null },
  errors: { 403: ['own_account'] },
})
