import { createPublicKey, verify } from 'node:crypto'
import { areClaims, areRevocations, inForceAt, isRecord } from './claims.mjs'

/**
 * @import { Claims, Entitlements, Revocations } from './claims.mjs'
 *
 * @typedef {{
 *   kid?: string | undefined, kty?: string | undefined, crv?: string | undefined, x?: string | undefined,
 *   withdrawn?: boolean,
 * }} Key
 *
 * The verdict, with its reason in one line, and the plan and the entitlements that count now. `valid` and `in_grace` are licensed;
 * `not_licensed` is a true document that does not license this machine now; `not_genuine` proves nothing, because anybody may have written it.
 * @typedef {{ verdict: 'valid' | 'in_grace', why: string, plan: string | null, entitlements: Entitlements, claims: Claims }
 *   | { verdict: 'not_licensed', why: string, plan?: undefined, entitlements?: undefined, claims: Claims }
 *   | { verdict: 'not_genuine', why: string, plan?: undefined, entitlements?: undefined, claims?: undefined }} Judgement
 *
 * @typedef {{
 *   keys: readonly Key[],
 *   ipv4: readonly string[] | 'any',
 *   now?: number,
 *   licence_key?: string | undefined,
 *   issuer?: string | undefined,
 *   revocations?: string | undefined,
 * }} Expected
 */

export const TYPE = 'hostdesk-licence+jwt'

// A clock may be a little off. One that is further back was perhaps set so, to keep an old document young.
const CLOCK_LEEWAY_S = 300
const LONGEST = 65_536
const LONGEST_LIST = 2_000_000
const LIST_TYPE = 'hostdesk-revocations+jwt'

/**
 * Judges a licence document without asking anybody. `keys` are those of the operator's /.well-known/jwks.json, `ipv4`
 * the addresses of this machine, `now` is in seconds, `revocations` the list of /.well-known/licence-revocations. A list that
 * is not genuine proves nothing, and neither does the document then; one that has run out still revokes.
 * @param {string} document
 * @param {Expected} expected
 * @returns {Judgement}
 */
export function judgeLicence(document, expected) {
  try {
    const claims = readGenuine(document.trim(), expected.keys)
    const list =
      expected.revocations === undefined ? undefined : readRevocations(expected.revocations, expected.keys)
    if (list?.withdrawn_keys.includes(keyIdOf(document) ?? ''))
      throw new NotGenuine('It is signed with a key that the operator has withdrawn: fetch a new document.')
    return judgeClaims(claims, expected, list)
  } catch (error) {
    if (error instanceof NotGenuine) return { verdict: 'not_genuine', why: error.message }
    throw error
  }
}

/** The kid that a document names, to find its key by; nothing in it is to be trusted yet. @param {string} document */
export function keyIdOf(document) {
  const header = parse(document.trim().split('.')[0] ?? '')
  return typeof header?.['kid'] === 'string' ? header['kid'] : undefined
}

class NotGenuine extends Error {}

/**
 * The operator's list of void documents; throws where it is not genuine.
 * @param {string} list
 * @param {readonly Key[]} keys
 * @returns {Revocations}
 */
export function readRevocations(list, keys) {
  const claims = readSigned(list.trim(), {
    keys,
    type: LIST_TYPE,
    longest: LONGEST_LIST,
    name: 'list of revocations',
  })
  if (!areRevocations(claims))
    throw new NotGenuine('The list of revocations says things that this version does not understand.')
  return claims
}

/**
 * @param {string} document
 * @param {readonly Key[]} keys
 * @returns {Claims}
 */
function readGenuine(document, keys) {
  const claims = readSigned(document, { keys, type: TYPE, longest: LONGEST, name: 'licence document' })
  if (!areClaims(claims))
    throw new NotGenuine('It is signed, but says things that this version does not understand.')
  return claims
}

/**
 * The claims, where a known key has signed them. The header chooses among our keys and nothing more: the way of signing
 * is fixed, so that `alg: none`, or a public key used as the password of HS256, gets no further (RFC 8725 3.1, 3.11).
 * @param {string} document
 * @param {{ keys: readonly Key[], type: string, longest: number, name: string }} expected
 */
function readSigned(document, { keys, type, longest, name }) {
  const [head = '', body = '', signature = '', ...more] = document.split('.')
  if (document.length > longest || signature === '' || more.length > 0)
    throw new NotGenuine(`This is no ${name}: it should be three parts with dots between them.`)
  const header = parse(head)
  if (!header) throw new NotGenuine(`This is no ${name}: its header cannot be read.`)
  if (header['alg'] !== 'EdDSA')
    throw new NotGenuine(`It is signed by ${String(header['alg'])}; licences are signed by EdDSA alone.`)
  if (header['typ'] !== type || 'crit' in header)
    throw new NotGenuine(`It is a signed document, but no ${type === TYPE ? 'licence' : name}.`)
  const key = keys.find(({ kid }) => kid !== undefined && kid === header['kid'])
  if (!key)
    throw new NotGenuine(
      `It is signed with the key ${String(header['kid'])}, which is not among the known keys.`,
    )
  if (key.withdrawn)
    throw new NotGenuine(
      `It is signed with the key ${String(key.kid)}, which the operator has withdrawn: fetch a new document.`,
    )
  const bytes = Buffer.from(signature, 'base64url')
  // Decoding forgives stray characters; a document has one spelling only.
  const straight = bytes.length === 64 && bytes.toString('base64url') === signature
  if (!straight || !verify(null, Buffer.from(`${head}.${body}`), publicKeyOf(key), bytes))
    throw new NotGenuine('Its signature is wrong: it was changed, or somebody else has written it.')
  return parse(body)
}

/** @param {Key} key */
function publicKeyOf({ kty, crv, x }) {
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string')
    throw new NotGenuine('The key that it names is no Ed25519 key.')
  try {
    return createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  } catch {
    throw new NotGenuine('The key that it names is no Ed25519 key.')
  }
}

/**
 * @param {Claims} claims
 * @param {Expected} expected
 * @param {Revocations | undefined} list
 * @returns {Judgement}
 */
function judgeClaims(claims, { ipv4, issuer, licence_key, now = Date.now() / 1000 }, list) {
  /** @param {string} why @returns {Judgement} */
  const not = (why) => ({ verdict: 'not_licensed', why, claims })
  if (issuer !== undefined && claims.iss !== issuer)
    return not(`It was issued by ${claims.iss}, not by ${issuer}.`)
  if (licence_key !== undefined && claims.licence_key !== licence_key)
    return not(`It is for the licence key ${claims.licence_key}, not for ${licence_key}.`)
  if (claims.iat > now + CLOCK_LEEWAY_S)
    return not(`It was issued at ${time(claims.iat)}, which is yet to come: set the clock of this machine.`)
  if (ipv4 !== 'any' && (claims.ipv4 === null || !ipv4.includes(claims.ipv4)))
    return not(`It is for the address ${claims.ipv4 ?? '(none)'}, not for ${ipv4.join(', ') || '(none)'}.`)
  if (list?.revoked.some(([sub, before]) => sub === claims.sub && claims.iat < before))
    return not('The operator has revoked it: fetch a new document.')
  const stale =
    list && now >= list.exp ? ` The list of revocations ran out at ${time(list.exp)}: fetch a new one.` : ''
  if (claims.status === 'free') return not('The host has no paid licence.')
  if (claims.status === 'suspended') return not('The operator has suspended this host.')
  if (claims.status === 'too_many_machines')
    return not('It runs on more machines than its licence allows: release one in the customer area.')
  // A paid period ends at its end: the grace below covers a network that is down, not an unpaid bill.
  const paid_until = claims.paid_until === null ? Number.NaN : Date.parse(claims.paid_until) / 1000
  if (claims.status !== 'active' || !(now < paid_until))
    return not(`The licence ended at ${claims.paid_until ?? 'an unknown time'}.`)
  const { plan, entitlements } = inForceAt(claims, now)
  if (now < claims.exp)
    return {
      verdict: 'valid',
      why: `Valid until ${time(Math.min(claims.exp, paid_until))}.${stale}`,
      plan,
      entitlements,
      claims,
    }
  const last = Math.min(claims.exp + claims.grace_s, paid_until)
  if (now < last)
    return {
      verdict: 'in_grace',
      why: `The document ran out at ${time(claims.exp)} and counts until ${time(last)}: fetch a new one.${stale}`,
      plan,
      entitlements,
      claims,
    }
  return not(
    `The document ran out at ${time(claims.exp)}, and its time of grace at ${time(last)}: fetch a new one.`,
  )
}

const time = (/** @type {number} */ seconds) => {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? `second ${seconds}` : date.toISOString().replace('.000Z', 'Z')
}

/**
 * A part of the document as an object; undefined where it is none.
 * @param {string} part
 * @returns {Record<string, unknown> | undefined}
 */
function parse(part) {
  try {
    if (!/^[\w-]+$/.test(part)) return undefined
    const value = /** @type {unknown} */ (JSON.parse(Buffer.from(part, 'base64url').toString('utf8')))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
