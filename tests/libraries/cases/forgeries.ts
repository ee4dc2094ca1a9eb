import * as d from '#tests/libraries/documents.ts'
import { claims, signed } from '#tests/libraries/documents.ts'
import { STANDARD, forged, one, type VectorCase } from './case.ts'

export function ofForgery(): VectorCase[] {
  const document = signed(claims)
  const [head = '', body = '', signature = ''] = document.split('.')
  const changed = d.encode({ ...claims, plan: 'enterprise' })
  return [
    one('another content under the signature', `${head}.${changed}.${signature}`, forged('wrong_signature')),
    one('another signature', `${head}.${body}.${'A'.repeat(86)}`, forged('wrong_signature')),
    one(
      'a signature that is too short',
      `${head}.${body}.${signature.slice(0, -4)}`,
      forged('wrong_signature'),
    ),
    one('a signature that is too long', `${head}.${body}.${signature}AA`, forged('wrong_signature')),
    one('a signature with stray bits', `${head}.${body}.${otherBits(signature)}`, forged('wrong_signature')),
    one('signed by a stranger under our name', signed(claims, {}, 'stranger'), forged('wrong_signature')),
    one(
      'signed by a stranger under its own name',
      signed(claims, { kid: 'stranger' }, 'stranger'),
      forged('unknown_key'),
    ),
    one('signed by the key before', signed(claims, { kid: 'before' }, 'before'), STANDARD),
    one(
      'signed by a key that was stolen',
      signed(claims, { kid: 'stolen' }, 'stolen'),
      forged('withdrawn_key'),
    ),
    one('a key of another curve', signed(claims, { kid: 'other-curve' }), forged('unusable_key')),
    one('a key that is too short', signed(claims, { kid: 'short' }), forged('unusable_key')),
    one('no kid', signed(claims, { kid: undefined }), forged('unknown_key')),
    ...[null, 7, '', ['present'], { kid: 'present' }].map((kid) =>
      one(`kid ${JSON.stringify(kid)}`, signed(claims, { kid }), forged('unknown_key')),
    ),
    one(
      'a key that it brings along',
      signed(claims, { kid: 'stranger', jwk: d.publicKeys[0] }, 'stranger'),
      forged('unknown_key'),
    ),
    ...['none', 'None', 'HS256', 'ES256', 'RS256', 'Ed25519', 'eddsa', '', null, 7].map((alg) =>
      one(`alg ${JSON.stringify(alg)}`, signed(claims, { alg }), forged('wrong_algorithm')),
    ),
    one('HS256 with the public key as the password', d.hmacSigned(claims), forged('wrong_algorithm')),
    one('alg none, unsigned', `${d.encode({ ...d.header, alg: 'none' })}.${body}.`, forged('malformed')),
    ...['JWT', 'hostdesk-revocations+jwt', 'HOSTDESK-LICENCE+JWT', '', null, undefined].map((typ) =>
      one(`typ ${String(typ)}`, signed(claims, { typ }), forged('wrong_type')),
    ),
    one('conditions that we do not know', signed(claims, { crit: ['b64'] }), forged('wrong_type')),
    one('empty conditions', signed(claims, { crit: null }), forged('wrong_type')),
    one('more in the header', signed(claims, { x5u: 'https://example.com' }), STANDARD),
  ]
}

/** Returns the signature with another last character, whose low four bits do not count: 86 characters hold 516 bits, a signature 512. */
const otherBits = (signature: string): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return signature.slice(0, -1) + (letters[letters.indexOf(signature.at(-1) ?? '') + 1] ?? '')
}
