import * as d from '#tests/libraries/documents.ts'
import { claims, signed } from '#tests/libraries/documents.ts'
import { STANDARD, forged, one, type VectorCase } from './case.ts'

export function ofClaims(): VectorCase[] {
  const unknown = forged('unknown_claims')
  const bad = (name: string, values: readonly unknown[]) =>
    values.map((value) =>
      one(
        `${name} is ${value === undefined ? 'missing' : JSON.stringify(value)}`,
        signed({ ...claims, [name]: value }),
        unknown,
      ),
    )
  const written = (name: string, from: string, to: string) =>
    d.signedParts(
      d.encode(d.header),
      d.encodeText(JSON.stringify(claims).replace(`"${name}":${from}`, `"${name}":${to}`)),
    )
  return [
    ...['iss', 'sub', 'licence_key', 'status'].flatMap((name) => bad(name, [undefined, null, 7])),
    ...['ipv4', 'plan', 'paid_until'].flatMap((name) => bad(name, [undefined, 7, false])),
    ...['iat', 'exp', 'grace_s'].flatMap((name) => bad(name, [undefined, null, '7', 0.5, true, 2 ** 53])),
    one('exp is huge', written('exp', String(claims.exp), '1e999'), unknown),
    one(
      'exp is a long whole number',
      written('exp', String(claims.exp), '123456789012345678901234567890'),
      unknown,
    ),
    one('exp is written as a power', written('exp', String(claims.exp), `${claims.exp / 1000}e3`), STANDARD),
    ...bad('ver', [undefined, null, 0, 1, 1.5, '2', true]),
    ...bad('edition', [undefined, 7]),
    ...bad('entitlements', [undefined, null, ['seats'], 'x']),
    ...bad('next', [
      undefined,
      null,
      {},
      'x',
      [null],
      [{}],
      [{ ...claims.next[0], entitlements: undefined }],
      [{ ...claims.next[0], from: 7 }],
    ]),
    one('no edition', signed({ ...claims, edition: null }), STANDARD),
    one('more claims', signed({ ...claims, aud: ['x'], nested: { a: [1, { b: null }] } }), STANDARD),
  ]
}
