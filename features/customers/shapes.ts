import * as z from 'zod/mini'
import { actorKinds } from '#foundation/actor-kinds.ts'
import { money } from '#foundation/money.ts'
import { bigCount, count, emailText, ipv4Text, named, time, uuidText } from '#foundation/printed.ts'
import { version } from '#foundation/versions.ts'
import { causes, matchKinds, states } from './rules.ts'

/** The shapes of the answers in contract.ts. */

export const customerRow = z.strictObject({
  id: uuidText(),
  name: z.string(),
  company: z.string(),
  email: emailText(),
  /** ISO 3166, or empty. */
  country: z.string(),
  /** `unconfirmed`: no address of the account is proven. `blocked` may not buy, `locked` may not sign in. */
  state: z.enum(states),
  is_staff: z.boolean(),
  balance: money,
  /** The beginning of the debt and its age, in lists by `debt`; null where it is not known. */
  owes: z.optional(z.nullable(z.strictObject({ since: time(), days: count() }))),
  hosts: count(),
  open_tickets: count(),
  created_at: time(),
  last_login_at: z.nullable(time()),
  /** The thing through which the search found the customer; null if it found the person. */
  matched: z.nullable(z.strictObject({ kind: z.enum(matchKinds), text: z.string() })),
})
named('CustomerRow', customerRow)

export const block = z.strictObject({
  level: z.enum(['blocked', 'locked']),
  cause: z.enum(causes),
  reason: z.string(),
  message: z.string(),
  /** Null for the command line. */
  by: z.nullable(z.string()),
  at: time(),
})
named('CustomerBlock', block)

export const customerSession = z.strictObject({
  id: bigCount(),
  ip: z.string(),
  user_agent: z.string(),
  created_at: time(),
  last_seen_at: time(),
})

export const factorReset = z.strictObject({
  reason: z.string(),
  /** The address to which the account moves with the reset; null where it keeps its addresses. */
  new_email: z.nullable(z.string()),
  /** The address of the account into which it is merged instead; null otherwise. */
  merge_into: z.nullable(z.string()),
  by: z.nullable(z.string()),
  requested_at: time(),
  due_at: time(),
})
named('FactorReset', factorReset)

/** The account into which one was merged; until `undo_until` that can be undone, null once it cannot. */
export const mergedInto = z.strictObject({
  id: uuidText(),
  email: emailText(),
  undo_until: z.nullable(time()),
})

/** An account that was merged into one, and was not undone. */
export const mergedFrom = z.strictObject({ id: uuidText(), email: emailText(), merged_at: time() })

export const customerHost = z.strictObject({
  id: z.string(),
  name: z.string(),
  ipv4: z.nullable(ipv4Text()),
  ipv6: z.nullable(z.string()),
  connected: z.boolean(),
  last_seen_at: z.nullable(time()),
  licence: z.enum(['free', 'active', 'expired']),
  suspended: z.boolean(),
  paid_until: z.nullable(time()),
  auto_renew: z.boolean(),
  created_at: time(),
})
named('CustomerHost', customerHost)

export const note = z.strictObject({
  id: uuidText(),
  text: z.string(),
  pinned: z.boolean(),
  /** Null where the author's account is gone. */
  author: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
  created_at: time(),
  may_edit: z.boolean(),
  version,
})
named('CustomerNote', note)

export const auditedAct = z.strictObject({
  id: z.string(),
  at: time(),
  act: z.string(),
  actor: z.strictObject({ kind: z.enum(actorKinds), name: z.nullable(z.string()) }),
  ip: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
  detail: z.record(z.string(), z.unknown()),
})
named('CustomerActivity', auditedAct)
