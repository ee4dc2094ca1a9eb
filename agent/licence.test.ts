import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyIdOf, readRevocations } from './judge.mjs'
import { judgeLicence } from './licence.mjs'

const [ours, theirs] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
const jwk = { ...ours.publicKey.export({ format: 'jwk' }), kid: 'ours', alg: 'EdDSA', use: 'sig' }
const issued = Date.parse('2026-03-01T12:00:00Z') / 1000
const DAY = 86_400
const header = { alg: 'EdDSA', typ: 'hostdesk-licence+jwt', kid: 'ours' }
const claims = {
  ver: 2,
  iss: 'https://account.example.com',
  sub: 'AAAAAAAAAAAAAAAAAAAAAA',
  licence_key: 'ABCDE-FGHIJ',
  ipv4: '203.0.113.7',
  status: 'active',
  plan: 'standard',
  edition: 'standard',
  entitlements: { seats: 5 },
  next: [],
  paid_until: '2026-04-01T12:00:00.000Z',
  iat: issued,
  exp: issued + 7 * DAY,
  grace_s: 3 * DAY,
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function written(change: object = {}, head: object = {}, key = ours.privateKey): string {
  const signed = `${encode({ ...header, ...head })}.${encode({ ...claims, ...change })}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}

const judged = (document: string, expected: Partial<Parameters<typeof judgeLicence>[1]> = {}) => {
  const { verdict, why } = judgeLicence(document, {
    keys: [jwk],
    ipv4: ['203.0.113.7'],
    now: issued + 60,
    ...expected,
  })
  return `${verdict}: ${why}`
}

describe('a licence document', () => {
  it('licenses the machine that it was issued for', () => {
    expect(judged(written())).toBe('valid: Valid until 2026-03-08T12:00:00Z.')
    expect(judged(`${written()}\n`)).toContain('valid: ')
    expect(keyIdOf(written())).toBe('ours')
  })

  it('counts for 72 hours after its expiry, with the verdict in_grace, and licenses nothing after that', () => {
    const at = (seconds: number) => judged(written(), { now: claims.exp + seconds })
    expect(at(-1)).toContain('valid: ')
    expect(at(0)).toBe(
      'in_grace: The document ran out at 2026-03-08T12:00:00Z and counts until 2026-03-11T12:00:00Z: fetch a new one.',
    )
    expect(at(3 * DAY - 1)).toContain('in_grace: ')
    expect(at(3 * DAY)).toContain('not_licensed: The document ran out at 2026-03-08T12:00:00Z')
  })

  // Seen red with a grace that begins at the earlier of both ends: three unpaid days were licensed.
  it('licenses nothing after the paid period has ended, even while its hours of grace last', () => {
    const soon = '2026-03-02T12:00:00.000Z'
    const at = (now: number) => judged(written({ paid_until: soon }), { now })
    expect(at(issued + DAY - 1)).toBe('valid: Valid until 2026-03-02T12:00:00Z.')
    expect(at(issued + DAY)).toBe(`not_licensed: The licence ended at ${soon}.`)
    const inGrace = written({ paid_until: '2026-03-09T00:00:00.000Z' })
    expect(judged(inGrace, { now: claims.exp + 60 })).toContain('in_grace: ')
    expect(judged(inGrace, { now: claims.exp + DAY })).toContain('not_licensed: The licence ended')
  })

  it('of a free or an expired licence licenses nothing', () => {
    expect(judged(written({ status: 'free', plan: null, paid_until: null }))).toBe(
      'not_licensed: The host has no paid licence.',
    )
    expect(judged(written({ status: 'expired' }))).toContain('not_licensed: The licence ended at')
    expect(judged(written({ paid_until: null }))).toContain('not_licensed: ')
    expect(judged(written({ paid_until: 'soon' }))).toContain('not_licensed: ')
  })

  it('licenses only the IPv4 address, the licence key and the operator that it names', () => {
    expect(judged(written(), { ipv4: ['203.0.113.8', '10.0.0.1'] })).toBe(
      'not_licensed: It is for the address 203.0.113.7, not for 203.0.113.8, 10.0.0.1.',
    )
    expect(judged(written(), { ipv4: [] })).toContain('not_licensed: It is for the address')
    expect(judged(written(), { ipv4: 'any' })).toContain('valid: ')
    expect(judged(written({ ipv4: null }), { ipv4: ['203.0.113.7'] })).toContain('(none)')
    expect(judged(written(), { licence_key: 'OTHER' })).toContain('It is for the licence key ABCDE-FGHIJ')
    expect(judged(written(), { issuer: 'https://other.example' })).toContain(
      'It was issued by https://account',
    )
    expect(judged(written(), { issuer: claims.iss, licence_key: claims.licence_key })).toContain('valid: ')
  })

  it('issued more than 300 seconds in the future is refused with the advice to set the clock of this machine', () => {
    expect(judged(written(), { now: issued - 301 })).toContain('set the clock of this machine')
    expect(judged(written(), { now: issued - 299 })).toContain('valid: ')
  })
})

describe('what is not genuine', () => {
  it.each<[string, string, string]>([
    ['by a key that nobody knows', written({}, { kid: 'strange' }), 'not among the known keys'],
    ['without a key id', written({}, { kid: undefined }), 'not among the known keys'],
    ['by another key under our name', written({}, {}, theirs.privateKey), 'signature is wrong'],
    ['unsigned, alg none', `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`, 'three parts'],
    ['alg none with a signature', written({}, { alg: 'none' }), 'not signed by EdDSA'],
    ['another way of signing', written({}, { alg: 'ES256' }), 'not signed by EdDSA'],
    ['our signature on something else', written({}, { typ: 'JWT' }), 'no licence'],
    ['with conditions we do not know', written({}, { crit: ['b64'] }), 'no licence'],
    ['with claims of another version', written({ grace_s: '3' }), 'does not understand'],
    ['with no claims at all', written({ iss: undefined, exp: undefined }), 'does not understand'],
    ['with a part too many', `${written()}.x`, 'three parts'],
    ['empty', '', 'three parts'],
    ['endless', written({ plan: 'x'.repeat(60_000) }), 'three parts'],
    ['no JSON', 'a.b.c', 'This is no licence document'],
  ])('%s', (_name, document, why) => {
    const said = judged(document)
    expect(said).toMatch(/^not_genuine: /)
    expect(said).toContain(why)
  })

  it('HS256 with our public key as the password', () => {
    const signed = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`
    for (const password of [
      jwk.x!,
      JSON.stringify(jwk),
      ours.publicKey.export({ type: 'spki', format: 'pem' }),
    ]) {
      const forged = `${signed}.${createHmac('sha256', password).update(signed).digest('base64url')}`
      expect(judged(forged)).toContain('not_genuine: It is not signed by EdDSA')
    }
  })

  it('a key that the document brings along', () => {
    const brought = { ...theirs.publicKey.export({ format: 'jwk' }), kid: 'ours' }
    expect(judged(written({}, { jwk: brought }, theirs.privateKey))).toContain('signature is wrong')
  })

  it('a document whose verification key is broken or of another kind is judged not genuine without an exception', () => {
    for (const key of [
      { kid: 'ours' },
      { ...jwk, crv: 'X25519' },
      { ...jwk, kty: 'oct' },
      { ...jwk, x: 'AAAA' },
    ])
      expect(judged(written(), { keys: [key] })).toContain('not_genuine: The key that it names')
  })

  it('any character changed, added or taken (property)', () => {
    const document = written()
    const place = fc.nat({ max: document.length - 1 })
    const character = fc.constantFrom(...'ABCxyz019-_.=+/ \n')
    fc.assert(
      fc.property(place, character, fc.constantFrom(0, 1), (at, other, taken) => {
        const changed = document.slice(0, at) + other + document.slice(at + taken)
        fc.pre(changed.trim() !== document)
        expect(judged(changed)).toMatch(/^not_genuine: /)
      }),
      { numRuns: 2000 },
    )
  })

  it('any random text is judged not genuine without an exception (property)', () => {
    const part = fc.oneof(
      fc.base64String(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    )
    const document = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(part, part, part).map((parts) => parts.join('.')),
    )
    fc.assert(
      fc.property(document, (text) => {
        expect(judged(text)).toMatch(/^not_genuine: /)
      }),
      { numRuns: 2000 },
    )
  })
})

it('a signed document is read with exactly the claims that were signed, and its verdict follows from them (property)', () => {
  const time = fc.integer({ min: issued, max: issued + 400 * DAY })
  fc.assert(
    fc.property(
      fc.ipV4(),
      fc.constantFrom('active', 'free', 'expired'),
      time,
      time,
      (ipv4, status, now, paid) => {
        const paid_until = new Date(paid * 1000).toISOString()
        const judgement = judgeLicence(written({ ipv4, status, paid_until }), {
          keys: [jwk],
          ipv4: [ipv4],
          now,
        })
        expect(judgement.claims).toEqual({ ...claims, ipv4, status, paid_until })
        const licensed = status === 'active' && now < paid && now < claims.exp + claims.grace_s
        expect(judgement.verdict === 'valid' || judgement.verdict === 'in_grace').toBe(licensed)
        expect(judgement.verdict === 'valid').toBe(licensed && now < claims.exp)
      },
    ),
    { numRuns: 500 },
  )
})

describe('a document that says what begins later', () => {
  const later = (days: number, plan: string, entitlements: object) => ({
    from: new Date((issued + days * DAY) * 1000).toISOString(),
    plan: `${plan}-month`,
    edition: plan,
    entitlements,
  })
  const ahead = {
    next: [later(2, 'business', { seats: 20, 'team.chat': true }), later(4, 'starter', {})],
  }
  const inForce = (days: number, change: object = {}) => {
    const expected = { keys: [jwk], ipv4: 'any' as const, now: issued + days * DAY }
    const { plan, entitlements } = judgeLicence(written({ ...ahead, ...change }), expected)
    return [plan, entitlements]
  }

  it('allows what the newest period that has begun allows, to the second', () => {
    expect(inForce(0)).toEqual(['standard', { seats: 5 }])
    expect(inForce(2 - 1 / DAY)).toEqual(['standard', { seats: 5 }])
    expect(inForce(2)).toEqual(['business-month', { seats: 20, 'team.chat': true }])
    expect(inForce(4)).toEqual(['starter-month', {}])
    // The newest period counts in the time of grace, too.
    expect(inForce(9)).toEqual(['starter-month', {}])
    // A clock that is a little behind the operator's.
    expect(inForce(-250 / DAY)).toEqual(['standard', { seats: 5 }])
  })

  it('is read as one of version 2 if its version is later', () => {
    expect(inForce(2, { ver: 3, more: ['x'] })[0]).toBe('business-month')
  })

  it('says why a host that is paid for may not run', () => {
    expect(judged(written({ ...ahead, status: 'suspended' }))).toBe(
      'not_licensed: The operator has suspended this host.',
    )
    expect(judged(written({ ...ahead, status: 'too_many_machines' }))).toContain(
      'not_licensed: It runs on more machines than its licence allows',
    )
  })

  it.each([
    { ver: undefined },
    { ver: 1 },
    { ver: '2' },
    { edition: 7 },
    { entitlements: null },
    { entitlements: ['seats'] },
    { next: undefined },
    { next: [{ from: '2026-03-03T12:00:00Z', plan: 'x', edition: 'x' }] },
    { next: [{ plan: 'x', edition: 'x', entitlements: {} }] },
  ])('is not understood with %o', (change) => {
    expect(judged(written({ ...ahead, ...change }))).toContain(
      'says things that this version does not understand',
    )
  })
})

describe('a list of revocations', () => {
  const list = (change: object = {}, head: object = {}, key = ours.privateKey) => {
    const content = { seq: 7, iat: issued, exp: issued + DAY, revoked: [], withdrawn_keys: [], ...change }
    const signed = `${encode({ ...header, typ: 'hostdesk-revocations+jwt', ...head })}.${encode(content)}`
    return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
  }
  const { sub } = claims

  it('voids the documents of a host that were issued before a second, and no others', () => {
    const under = (revoked: unknown) => judged(written(), { revocations: list({ revoked }) })
    expect(under([[sub, issued + 1]])).toBe(
      'not_licensed: The operator has revoked it: fetch a new document.',
    )
    expect(under([[sub, issued]])).toContain('valid: ')
    expect(under([['another', issued + 1]])).toContain('valid: ')
    expect(under([])).toBe('valid: Valid until 2026-03-08T12:00:00Z.')
    // Several of one host: the latest counts.
    expect(
      under([
        [sub, issued - 5],
        [sub, issued + 5],
      ]),
    ).toContain('not_licensed: ')
  })

  it('makes a document not genuine if its key was withdrawn after the keys were fetched', () => {
    expect(judged(written(), { revocations: list({ withdrawn_keys: ['ours'] }, { kid: 'ours' }) })).toContain(
      'not_genuine: It is signed with a key that the operator has withdrawn',
    )
  })

  it('that has run out still revokes, and says that it has run out', () => {
    const old = { exp: issued + 10 }
    expect(judged(written(), { revocations: list({ ...old, revoked: [[sub, issued + 1]] }) })).toContain(
      'not_licensed: ',
    )
    expect(judged(written(), { revocations: list(old) })).toBe(
      'valid: Valid until 2026-03-08T12:00:00Z. The list of revocations has run out: fetch a new one.',
    )
  })

  it.each([
    ['a licence document', () => written()],
    ['a list that somebody else has signed', () => list({}, {}, theirs.privateKey)],
    ['a list without its entries', () => list({ revoked: null })],
    ['a list with other entries', () => list({ revoked: [[1, 'x']] })],
    ['nothing', () => ''],
  ])('%s in its place proves nothing', (_name, text) => {
    expect(judged(written(), { revocations: text() })).toContain('not_genuine: ')
    expect(() => readRevocations(text(), [jwk])).toThrow()
  })
})
