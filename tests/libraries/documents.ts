import { createHmac, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'

// A private key of Ed25519 in DER is this prefix and 32 bytes. The keys are the same at each run, so that the file of vectors is too.
const DER = Buffer.from('302e020100300506032b657004220420', 'hex')
const keyOf = (byte: number): KeyObject =>
  createPrivateKey({ key: Buffer.concat([DER, Buffer.alloc(32, byte)]), format: 'der', type: 'pkcs8' })

const pairs = { present: keyOf(1), before: keyOf(2), stolen: keyOf(3), stranger: keyOf(4) }
export type Signer = keyof typeof pairs

const jwk = (kid: Signer) => ({ ...createPublicKey(pairs[kid]).export({ format: 'jwk' }), kid })

/** The keys that the operator publishes; `stranger` is somebody else's. */
export const publicKeys = [
  jwk('present'),
  jwk('before'),
  { ...jwk('stolen'), withdrawn: true },
  { kty: 'OKP', crv: 'X25519', kid: 'other-curve', x: jwk('present').x },
  { kty: 'OKP', crv: 'Ed25519', kid: 'short', x: 'AAAA' },
]

export const DAY = 86_400
export const issued = Date.parse('2026-03-01T12:00:00Z') / 1000
export const inTime = (days: number): string => new Date((issued + days * DAY) * 1000).toISOString()

export const header = { alg: 'EdDSA', typ: 'hostdesk-licence+jwt', kid: 'present' }
const listHeader = { ...header, typ: 'hostdesk-revocations+jwt' }

const licence = {
  iss: 'https://account.example.com',
  sub: 'AAAAAAAAAAAAAAAAAAAAAA',
  licence_key: 'ABCDE-FGHIJ',
  ipv4: '203.0.113.7',
  status: 'active',
  plan: 'standard-month',
  paid_until: inTime(31),
  iat: issued,
  exp: issued + 7 * DAY,
  grace_s: 3 * DAY,
}

export const entitlements = {
  seats: 5,
  'team.chat': true,
  export: false,
  tier: 'standard',
  none: 0,
  minus: -1,
  empty: '',
}

/** A document in which another plan begins after two days and a third after eight. */
export const claims = {
  ver: 2,
  ...licence,
  edition: 'standard',
  entitlements,
  ipv6: null as string | null,
  machine: null as string | null,
  plan_until: inTime(2),
  next: [
    { from: inTime(2), plan: 'business-month', edition: 'business', entitlements: { seats: 20 } },
    { from: inTime(8), plan: 'starter-month', edition: 'starter', entitlements: {} },
  ],
}

export const encode = (value: unknown): string => encodeText(JSON.stringify(value))
export const encodeText = (text: string | Buffer): string => Buffer.from(text).toString('base64url')

const signedBy = (text: string, signer: Signer): string =>
  sign(null, Buffer.from(text), pairs[signer]).toString('base64url')

/** Returns a signed text of any two parts. */
export const signedParts = (head: string, body: string, signer: Signer = 'present'): string =>
  `${head}.${body}.${signedBy(`${head}.${body}`, signer)}`

export const signed = (claims: unknown, head: object = {}, signer: Signer = 'present'): string =>
  signedParts(encode({ ...header, ...head }), encode(claims), signer)

/** Signs claims by HMAC with the public key as the secret: a library must not take this for a signature of the operator. */
export function hmacSigned(claims: unknown): string {
  const text = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`
  return `${text}.${createHmac('sha256', String(publicKeys[0]?.x)).update(text).digest('base64url')}`
}

export const list = (change: object = {}, head: object = {}, signer: Signer = 'present'): string =>
  signed(
    { seq: 7, iat: issued, exp: issued + DAY, revoked: [], withdrawn_keys: [], ...change },
    { ...listHeader, ...head },
    signer,
  )
