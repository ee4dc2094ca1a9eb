import { isUtf8 } from 'node:buffer'
import { createPublicKey, verify } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'

/**
 * Judges a licence document without asking anybody, in one file without packages, for Node 20 and later. The same function is there
 * in other languages (libraries/README.md); all of them answer vectors.json alike.
 *
 * Times in a document are seconds since 1970 but for `paid_until` and `from`, which are RFC 3339 in UTC. `plan`, `edition` and
 * `entitlements` count when it was issued; `next` has what begins while it may be used. `ver` is 2; later versions only add claims.
 * @typedef {Readonly<Record<string, boolean | number | string>>} Entitlements what a licence allows, by key
 *
 * @typedef {{
 *   ver: number, iss: string, sub: string, licence_key: string, ipv4: string | null, ipv6?: string | null, machine?: string | null,
 *   product?: string, status: string, plan: string | null, edition: string | null, entitlements: Entitlements,
 *   next: readonly { from: string, plan: string, edition: string, entitlements: Entitlements }[],
 *   paid_until: string | null, iat: number, exp: number, grace_s: number,
 * }} Claims
 *
 * @typedef {{ kid?: string | undefined, kty?: string | undefined, crv?: string | undefined, x?: string | undefined, withdrawn?: boolean }} Key
 *
 * The operator's list of void documents: those of the host `sub` with an earlier `iat` than `before`. `seq` rises with each change.
 * @typedef {{
 *   seq: number, iat: number, exp: number, revoked: readonly (readonly [sub: string, before: number])[], withdrawn_keys: readonly string[],
 * }} Revocations
 *
 * `keys` are those of the operator's /.well-known/jwks.json, `revocations` is the list of /.well-known/licence-revocations and
 * `least_seq` the highest `seq` seen so far. `at` is in seconds, now unless given. All else that is given must fit: addresses of this
 * machine (one of them is enough), its fingerprint, the licence key, the issuer, the product, the entitlements that the software `requires`.
 * @typedef {{
 *   keys: readonly Key[], revocations?: string | undefined, least_seq?: number | undefined, at?: number | undefined,
 *   ipv4?: readonly string[] | undefined, ipv6?: readonly string[] | undefined, fingerprint?: string | undefined,
 *   licence_key?: string | undefined, issuer?: string | undefined, product?: string | undefined, requires?: readonly string[] | undefined,
 * }} Expected
 *
 * `valid` and `in_grace` are licensed; `not_licensed` is a true document that does not license this machine now; `not_genuine` proves
 * nothing, because anybody may have written it. A `valid` one for the reason `list_expired` was held against a list that is too old.
 * @typedef {'valid' | 'in_grace' | 'not_licensed' | 'not_genuine'} Verdict
 * @typedef {{ verdict: Verdict, reason: string, plan: string | null, entitlements: Entitlements, claims?: Claims, kid?: string }} Judgement
 */

const DOCUMENT = { type: 'hostdesk-licence+jwt', longest: 65_536 }
const LIST = { type: 'hostdesk-revocations+jwt', longest: 2_000_000 }
// A clock may be a little off. One that is further back was perhaps set so, to keep an old document young.
const CLOCK_LEEWAY_S = 300

/** @param {string} document @param {Expected} expected @returns {Judgement} */
export function judge(document, expected) {
  try {
    const { kid, claims } = readSigned(document, expected.keys, DOCUMENT)
    if (!areClaims(claims)) throw new NotGenuine('unknown_claims')
    const list = listOf(expected)
    if (list?.withdrawn_keys.includes(kid)) throw new NotGenuine('withdrawn_key')
    const { at = Date.now() / 1000 } = expected
    const refusal = refusalOf(claims, expected, list, at)
    if (refusal) return { verdict: 'not_licensed', reason: refusal, plan: null, entitlements: {}, claims }
    const verdict = at < claims.exp ? 'valid' : 'in_grace'
    return {
      verdict,
      reason: list && at >= list.exp ? 'list_expired' : verdict,
      ...inForceAt(claims, at),
      claims,
    }
  } catch (error) {
    if (!(error instanceof NotGenuine)) throw error
    return {
      verdict: 'not_genuine',
      reason: error.message,
      plan: null,
      entitlements: {},
      ...(error.kid && { kid: error.kid }),
    }
  }
}

/** The operator's list of void documents; throws where it is not genuine. @param {string} list @param {readonly Key[]} keys */
export function readRevocations(list, keys) {
  const { claims } = readSigned(list, keys, LIST)
  if (!areRevocations(claims)) throw new NotGenuine('unknown_claims')
  return claims
}

/** The kid that a document names, to find its key by; nothing in it is to be trusted yet. @param {string} document */
export function keyIdOf(document) {
  const [head = ''] = trimmed(document).split('.')
  const kid = isPart(head) ? objectIn(head)?.['kid'] : undefined
  return typeof kid === 'string' ? kid : undefined
}

class NotGenuine extends Error {
  /** @param {string} reason @param {string} [kid] */
  constructor(reason, kid) {
    super(reason)
    this.kid = kid
  }
}

/** @param {Expected} expected @returns {Revocations | undefined} */
function listOf({ revocations, keys, least_seq = 0 }) {
  if (revocations === undefined) return undefined
  try {
    const list = readRevocations(revocations, keys)
    if (list.seq >= least_seq) return list
  } catch (error) {
    throw error instanceof NotGenuine ? new NotGenuine('list_not_genuine') : error
  }
  throw new NotGenuine('list_rolled_back')
}

/**
 * The reason why a genuine document does not license. @param {Claims} claims @param {Expected} expected
 * @param {Revocations | undefined} list @param {number} at
 */
function refusalOf(claims, expected, list, at) {
  const { iss, sub, licence_key, iat, exp, grace_s, status, machine } = claims
  const { issuer = iss, fingerprint, requires = [] } = expected
  if (issuer !== iss) return 'other_issuer'
  if ((expected.licence_key ?? licence_key) !== licence_key) return 'other_licence_key'
  // A document without a product is of the one that was there before there were several.
  if ((expected.product ?? productOf(claims)) !== productOf(claims)) return 'other_product'
  if (iat > at + CLOCK_LEEWAY_S) return 'not_yet_issued'
  if (!fitsAddress(claims, expected)) return 'address_mismatch'
  if (fingerprint !== undefined && typeof machine === 'string' && machine !== fingerprint)
    return 'other_machine'
  // By index: taking entries apart costs a third of a millisecond for ten thousand.
  if (list?.revoked.some((entry) => entry[0] === sub && iat < entry[1])) return 'revoked'
  if (['free', 'suspended', 'too_many_machines'].includes(status)) return status
  // A paid period ends at its end: the grace below covers a network that is down, not an unpaid bill.
  if (status !== 'active' || !(at < secondsOf(claims.paid_until))) return 'expired'
  if (!(at < exp + grace_s)) return 'document_expired'
  const { entitlements } = inForceAt(claims, at)
  return requires.every((key) => isAllowed(entitlements, key)) ? undefined : 'entitlement_missing'
}

/** @param {Claims} claims */
const productOf = ({ product }) => (typeof product === 'string' ? product : 'server')

/** @param {Claims} claims @param {Expected} expected */
function fitsAddress(claims, { ipv4, ipv6 }) {
  if (!ipv4 && !ipv6) return true
  if (claims.ipv4 !== null && ipv4?.includes(claims.ipv4)) return true
  const [, address = '', , bits = '128'] = /^([^/]*)(\/(.*))?$/.exec(String(claims.ipv6)) ?? []
  if (!ipv6 || !isAddress(address) || !/^(0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > 128) return false
  const licensed = new BlockList()
  licensed.addSubnet(address, Number(bits), 'ipv6')
  return ipv6.some((one) => isAddress(one) && licensed.check(one, 'ipv6'))
}

/** @param {string} text */
const isAddress = (text) => isIPv6(text) && !text.includes('%')

/** The plan that counts at a time, and what it allows. @param {Claims} claims @param {number} at @returns {{ plan: string | null, entitlements: Entitlements }} */
function inForceAt({ plan, entitlements, next }, at) {
  const present = next.findLast(({ from }) => secondsOf(from) <= at) ?? { plan, entitlements }
  return { plan: present.plan, entitlements: present.entitlements }
}

/** @param {Entitlements} entitlements @param {string} key */
function isAllowed(entitlements, key) {
  const value = Object.hasOwn(entitlements, key) ? entitlements[key] : undefined
  return typeof value === 'number' ? value > 0 : value === true || (typeof value === 'string' && value !== '')
}

/**
 * The claims, where a known key has signed them. The header chooses among our keys and nothing more: the way of signing
 * is fixed, so that `alg: none`, or a public key used as the password of HS256, gets no further (RFC 8725 3.1, 3.11).
 * @param {string} document @param {readonly Key[]} keys @param {{ type: string, longest: number }} kind
 */
function readSigned(document, keys, { type, longest }) {
  const text = trimmed(document)
  const parts = text.split('.')
  const [head = '', body = '', signature = ''] = parts
  const header =
    parts.length === 3 && text.length <= longest && parts.every(isPart) ? objectIn(head) : undefined
  if (!header) throw new NotGenuine('malformed')
  if (header['alg'] !== 'EdDSA') throw new NotGenuine('wrong_algorithm')
  if (header['typ'] !== type || 'crit' in header) throw new NotGenuine('wrong_type')
  const kid = typeof header['kid'] === 'string' ? header['kid'] : ''
  const key = keys.find((one) => one.kid === kid)
  if (!key) throw new NotGenuine('unknown_key', kid)
  if (key.withdrawn) throw new NotGenuine('withdrawn_key', kid)
  const bytes = Buffer.from(signature, 'base64url')
  // Decoding forgives stray bits; a signature has one spelling only.
  const isStraight = bytes.length === 64 && bytes.toString('base64url') === signature
  if (!isStraight || !verify(null, Buffer.from(`${head}.${body}`), publicKeyOf(key), bytes))
    throw new NotGenuine('wrong_signature', kid)
  return { kid, claims: objectIn(body) }
}

/** @param {Key} key */
function publicKeyOf({ kid, kty, crv, x }) {
  try {
    if (kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string')
      return createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  } catch {
    // Said below.
  }
  throw new NotGenuine('unusable_key', kid)
}

/** @param {Record<string, unknown> | undefined} claims @returns {claims is Claims} */
function areClaims(claims) {
  if (!claims) return false
  const { ver, edition, entitlements, next } = claims
  return (
    ['iss', 'sub', 'licence_key', 'status'].every((name) => typeof claims[name] === 'string') &&
    ['ipv4', 'plan', 'paid_until'].every(
      (name) => typeof claims[name] === 'string' || claims[name] === null,
    ) &&
    ['iat', 'exp', 'grace_s'].every((name) => Number.isSafeInteger(claims[name])) &&
    Number.isSafeInteger(ver) &&
    Number(ver) >= 2 &&
    (typeof edition === 'string' || edition === null) &&
    isRecord(entitlements) &&
    Array.isArray(next) &&
    next.every(isBeginning)
  )
}

/** @param {unknown} one what begins, of `next` */
const isBeginning = (one) =>
  isRecord(one) &&
  ['from', 'plan', 'edition'].every((name) => typeof one[name] === 'string') &&
  isRecord(one['entitlements'])

/** @param {Record<string, unknown> | undefined} list @returns {list is Revocations} */
function areRevocations(list) {
  const { revoked, withdrawn_keys } = list ?? {}
  const isEntry = (/** @type {unknown} */ entry) =>
    Array.isArray(entry) && typeof entry[0] === 'string' && Number.isSafeInteger(entry[1])
  return (
    ['seq', 'iat', 'exp'].every((name) => Number.isSafeInteger(list?.[name])) &&
    Array.isArray(revoked) &&
    revoked.every(isEntry) &&
    Array.isArray(withdrawn_keys)
  )
}

/** A time in UTC as seconds; NaN for what cannot be read. Date.parse takes the 30th of February. @param {string | null} text */
function secondsOf(text) {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text ?? '')) return Number.NaN
  const date = new Date(text ?? '')
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === text?.slice(0, 19)
    ? date.getTime() / 1000
    : Number.NaN
}

/** @param {string} text */
const trimmed = (text) => text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')

/** @param {string} part */
const isPart = (part) => /^[\w-]+$/.test(part) && part.length % 4 !== 1

/** A part of the document (`isPart`) as an object; undefined where it is none. @param {string} part @returns {Record<string, unknown> | undefined} */
function objectIn(part) {
  try {
    const bytes = Buffer.from(part, 'base64url')
    const value = /** @type {unknown} */ (isUtf8(bytes) ? JSON.parse(bytes.toString('utf8')) : undefined)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
