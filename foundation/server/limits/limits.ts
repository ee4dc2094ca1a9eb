import type { FastifyReply } from 'fastify'
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { countHere } from './count-here.ts'
import * as queries from './queries.ts'

export { sweepAttempts } from './queries.ts'

/** If `stored` is false, each process counts in its own memory and writes nothing: for calls that are frequent and harm nobody. */
type Limit = { limit: number; window_s: number; by: 'ip' | 'user' | 'key'; stored?: false }

/** All request limits (auth contract section 11). Limits by `key` are counted by a handler, which names the key. */
const limits = {
  login: { limit: 30, window_s: 60, by: 'ip' },
  login_failure_ip: { limit: 10, window_s: 60, by: 'ip' },
  login_failure: { limit: 5, window_s: 300, by: 'key' },
  login_failure_anywhere: { limit: 30, window_s: 300, by: 'key' },
  lock_note: { limit: 1, window_s: 300, by: 'key' },
  refused_act: { limit: 1, window_s: 60, by: 'key' },
  refused_acts: { limit: 30, window_s: 60, by: 'key' },
  reauthenticate: { limit: 10, window_s: 60, by: 'user' },
  passkey_login: { limit: 60, window_s: 60, by: 'ip' },
  signup: { limit: 20, window_s: 60, by: 'ip' },
  password_request_ip: { limit: 20, window_s: 60, by: 'ip' },
  password_request: { limit: 5, window_s: 60, by: 'key' },
  password_reset: { limit: 20, window_s: 60, by: 'ip' },
  // Mail programs stop letters for many of their users from one network.
  news_stop: { limit: 600, window_s: 60, by: 'ip' },
  mail_again: { limit: 10, window_s: 3600, by: 'key' },
  factor_veto: { limit: 20, window_s: 60, by: 'ip' },
  password_change: { limit: 5, window_s: 60, by: 'user' },
  manage_email: { limit: 10, window_s: 60, by: 'user' },
  verification_mail: { limit: 1, window_s: 180, by: 'key' },
  verification_mail_network: { limit: 5, window_s: 900, by: 'key' },
  verification_mailbox: { limit: 30, window_s: 3600, by: 'key' },
  // A provider calls some times for one payment, and again where we did not answer.
  payment_call: { limit: 60, window_s: 3600, by: 'key', stored: false },
  voucher: { limit: 10, window_s: 600, by: 'key' },
  promo: { limit: 10, window_s: 600, by: 'key' },
  export: { limit: 10, window_s: 3600, by: 'user' },
  book_export: { limit: 60, window_s: 3600, by: 'user' },
  data_export: { limit: 10, window_s: 600, by: 'ip' },
  invitation: { limit: 10, window_s: 3600, by: 'user' },
  leak: { limit: 60, window_s: 60, by: 'ip' },
  helper_invitation: { limit: 20, window_s: 86_400, by: 'user' },
  webhook_send: { limit: 30, window_s: 60, by: 'user' },
  host_transfer: { limit: 20, window_s: 86_400, by: 'user' },
  payment_agreement: { limit: 20, window_s: 86_400, by: 'user' },
  refresh: { limit: 120, window_s: 60, by: 'ip' },
  ticket: { limit: 10, window_s: 60, by: 'user' },
  // A message must not wait for a second commit. Tickets, each of which costs staff more, are counted in the database, for all processes
  // together.
  message: { limit: 60, window_s: 60, by: 'user', stored: false },
  upload: { limit: 40, window_s: 300, by: 'user' },
  typing: { limit: 60, window_s: 60, by: 'user', stored: false },
  validation: { limit: 600, window_s: 60, by: 'ip', stored: false },
  validate_licence: { limit: 60, window_s: 60, by: 'key', stored: false },
  unknown_licence: { limit: 30, window_s: 60, by: 'key', stored: false },
  free_seat: { limit: 30, window_s: 86_400, by: 'key' },
  renew_key: { limit: 5, window_s: 86_400, by: 'key' },
  assistant: { limit: 120, window_s: 60, by: 'user', stored: false },
  // Forms of people without an account, each of which may become a payment.
  guest_form: { limit: 10, window_s: 600, by: 'key' },
  guest_form_mailbox: { limit: 5, window_s: 3600, by: 'key' },
  drafted_text: { limit: 20, window_s: 60, by: 'user', stored: false },
  // A page asks while somebody types.
  help_search: { limit: 120, window_s: 60, by: 'ip', stored: false },
  // One visitor has one vote for an article; the other bounds what one network may count.
  help_vote: { limit: 1, window_s: 86_400, by: 'key' },
  help_votes: { limit: 30, window_s: 86_400, by: 'key' },
  presence: { limit: 60, window_s: 60, by: 'user', stored: false },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits

/** Limits that a contract names, and that are counted before the input of its call is read. */
export type RequestLimit = {
  [Name in LimitName]: (typeof limits)[Name]['by'] extends 'key' ? never : Name
}[LimitName]

/** An attempt that was counted. `release` removes it from the count, for limits that count failures only. */
export type Attempt = {
  allowed: boolean
  /** The number of further attempts, and the seconds after which there is room for one more. */
  remaining: number
  retry_after_s: number
  release: () => Promise<void>
}

/**
 * Counts a request against a limit of its route; throws 429 with Retry-After where the limit is reached. The answer says how much is left
 * (RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers), of the last limit where a route has several.
 */
export async function countRequest(
  app: App,
  name: RequestLimit,
  caller: Caller,
  reply: Pick<FastifyReply, 'headers'>,
): Promise<void> {
  const { by, limit, window_s } = limits[name]
  const key = by === 'user' ? (caller.actor?.user_id ?? caller.program?.id ?? caller.ip) : caller.ip
  const attempt = await count(app, app.db, name, key)
  reply.headers({
    'ratelimit-policy': `"${name}";q=${Math.ceil(limit * app.config.rateLimitScale)};w=${window_s}`,
    ratelimit: `"${name}";r=${attempt.remaining};t=${attempt.retry_after_s}`,
  })
  if (!attempt.allowed) throw new HttpError(429, [{ code: 'too_many_requests' }], attempt.retry_after_s)
}

/**
 * Counts one attempt for `key`: an address (IPv6 by its /64, which one customer gets whole), an e-mail, a user. An attempt that is counted
 * in a transaction counts only if the transaction commits.
 */
export async function count(app: App, db: App['db'], name: LimitName, key: string): Promise<Attempt> {
  const { limit, window_s, stored }: Limit = limits[name]
  const bucket = bucketOf(name, key)
  if (stored === false)
    return countHere(app, bucket, Math.ceil(limit * app.config.rateLimitScale), window_s * 1000)
  const counted = await queries.countAttempt(
    db,
    bucket,
    Math.ceil(limit * app.config.rateLimitScale),
    window_s,
  )
  return {
    allowed: counted.allowed,
    remaining: Math.max(0, Math.ceil(limit * app.config.rateLimitScale) - counted.used),
    retry_after_s: counted.retry_after_s,
    release: () => queries.releaseAttempt(db, bucket, counted.at),
  }
}

/** Forgets what was counted for a key: after a reset of the password, its owner may try again at once. */
export const forget = (app: App, name: LimitName, key: string) =>
  queries.forgetAttempts(app.db, bucketOf(name, key))

// Hashed, so that the table holds no addresses.
const bucketOf = (name: LimitName, key: string) =>
  createHash('sha256')
    .update(`${name}:${isIPv6(key) ? networkOf(key) : key}`)
    .digest()

/** The network that failed sign-ins of an account are counted for (D24): the /24 of an IPv4 address, the /48 of an IPv6. */
export const lockNetworkOf = (address: string): string =>
  isIPv6(address) ? networkOf(address, 3) : address.split('.').slice(0, 3).join('.')

/** The /64 of an IPv6 address, or its first `groups`; an IPv4 address written as IPv6 stays one address. */
export function networkOf(address: string, groups = 4): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped) return mapped
  const [head = '', tail] = must(address.split('%')[0]).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const all =
    tail === undefined
      ? before
      : [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after]
  return all
    .slice(0, groups)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
