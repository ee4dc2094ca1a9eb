import { judge } from './judge.mjs'

/**
 * @import { Claims, Expected, Judgement } from './judge.mjs'
 * @typedef {Omit<Expected, 'ipv4' | 'at'> & { ipv4?: readonly string[] | 'any', now?: number }} Asked
 */

/**
 * Judges a licence document, and says why in one line. `ipv4` and `ipv6` are addresses of this machine, `now` is in seconds.
 * @param {string} document
 * @param {Asked} asked
 * @returns {Judgement & { why: string }}
 */
export function judgeLicence(document, { ipv4, now = Date.now() / 1000, ...asked }) {
  const expected = { ...asked, at: now, ...(ipv4 !== undefined && ipv4 !== 'any' && { ipv4 }) }
  const judgement = judge(document, expected)
  const why = judgement.claims ? whyOf(judgement, judgement.claims, expected) : whyNotGenuine(judgement)
  return { ...judgement, why }
}

/** @param {Judgement} judgement */
function whyNotGenuine({ reason, kid = 'undefined' }) {
  const key = `It is signed with the key ${kid}, which`
  const texts = {
    malformed:
      'This is no licence document: it should be three parts with dots between them, the first of them a header.',
    wrong_algorithm: 'It is not signed by EdDSA, the only way in which licences are signed.',
    wrong_type: 'It is a signed document, but no licence.',
    unknown_key: `${key} is not among the known keys.`,
    withdrawn_key: 'It is signed with a key that the operator has withdrawn: fetch a new document.',
    unusable_key: 'The key that it names is no Ed25519 key.',
    wrong_signature: 'Its signature is wrong: it was changed, or somebody else has written it.',
    unknown_claims: 'It is signed, but says things that this version does not understand.',
    list_not_genuine: 'The list of revocations is not genuine: fetch it anew.',
    list_rolled_back: 'The list of revocations is older than one that was seen before: fetch it anew.',
  }
  return textFor(texts, reason)
}

/** @param {Judgement} judgement @param {Claims} claims @param {Expected} expected */
function whyOf({ verdict, reason }, claims, { issuer, licence_key, ipv4 = [], ipv6 = [], requires = [] }) {
  const { iss, iat, exp, grace_s, paid_until } = claims
  const paid_s = Date.parse(paid_until ?? '') / 1000
  const [young, last] = [exp, exp + grace_s].map((end) => time(Math.min(end, paid_s)))
  const licensed = [claims.ipv4, claims.ipv6].filter((address) => typeof address === 'string')
  const stale = reason === 'list_expired' ? ' The list of revocations has run out: fetch a new one.' : ''
  if (verdict === 'valid') return `Valid until ${young}.${stale}`
  if (verdict === 'in_grace')
    return `The document ran out at ${time(exp)} and counts until ${last}: fetch a new one.${stale}`
  const texts = {
    other_issuer: `It was issued by ${iss}, not by ${issuer}.`,
    other_product: 'It is for another product.',
    other_licence_key: `It is for the licence key ${claims.licence_key}, not for ${licence_key}.`,
    not_yet_issued: `It was issued at ${time(iat)}, which is yet to come: set the clock of this machine.`,
    address_mismatch: `It is for the address ${named(licensed, ' or ')}, not for ${named([...ipv4, ...ipv6], ', ')}.`,
    other_machine: 'It is for another machine with this licence: fetch a document for this one.',
    revoked: 'The operator has revoked it: fetch a new document.',
    free: 'The host has no paid licence.',
    suspended: 'The operator has suspended this host.',
    too_many_machines: 'It runs on more machines than its licence allows: release one in the customer area.',
    expired: `The licence ended at ${paid_until ?? 'an unknown time'}.`,
    document_expired: `The document ran out at ${time(exp)}, and its time of grace at ${time(exp + grace_s)}: fetch a new one.`,
    entitlement_missing: `The licence does not allow all of: ${requires.join(', ')}.`,
  }
  return textFor(texts, reason)
}

/** @param {readonly string[]} addresses @param {string} between */
const named = (addresses, between) => addresses.join(between) || '(none)'

/** @param {Record<string, string>} texts @param {string} reason */
const textFor = (texts, reason) => texts[reason] ?? reason

const time = (/** @type {number} */ seconds) => {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? `second ${seconds}` : date.toISOString().replace('.000Z', 'Z')
}
