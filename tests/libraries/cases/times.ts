import * as d from '#tests/libraries/documents.ts'
import { DAY, issued, claims, entitlements, signed } from '#tests/libraries/documents.ts'
import { licensed, STANDARD, not, one, type VectorCase } from './case.ts'

export function ofTime(): VectorCase[] {
  const still = licensed('in_grace', 'starter-month', {})
  const around = [-2, -1, 0, 1, 2]
  const document = signed(claims)
  const paid = signed({ ...claims, next: [], paid_until: d.inTime(1) })
  const inGrace = signed({ ...claims, next: [], paid_until: d.inTime(8) })
  return [
    ...around.map((s) =>
      one(`the clock is behind by 300 s and ${s} s`, document, s < 0 ? not('not_yet_issued') : STANDARD, {
        at: issued - 300 + s,
      }),
    ),
    ...around.map((s) =>
      one(
        `exp and ${s} s`,
        document,
        licensed(s < 0 ? 'valid' : 'in_grace', 'business-month', { seats: 20 }),
        {
          at: issued + 7 * DAY + s,
        },
      ),
    ),
    ...around.map((s) =>
      one(`the end of the grace and ${s} s`, document, s < 0 ? still : not('document_expired'), {
        at: issued + 10 * DAY + s,
      }),
    ),
    ...around.map((s) =>
      one(`the end of the paid time and ${s} s`, paid, s < 0 ? STANDARD : not('expired'), {
        at: issued + DAY + s,
      }),
    ),
    ...around.map((s) =>
      one(
        `the end of the paid time in the grace and ${s} s`,
        inGrace,
        s < 0 ? licensed('in_grace', 'standard-month', entitlements) : not('expired'),
        { at: issued + 8 * DAY + s },
      ),
    ),
    one('half a second before exp', document, licensed('valid', 'business-month', { seats: 20 }), {
      at: issued + 7 * DAY - 0.5,
    }),
    one(
      'a paid time of milliseconds, before',
      signed({ ...claims, paid_until: '2026-03-02T12:00:00.250Z' }),
      STANDARD,
      {
        at: issued + DAY + 0.125,
      },
    ),
    one(
      'a paid time of milliseconds, after',
      signed({ ...claims, paid_until: '2026-03-02T12:00:00.250Z' }),
      not('expired'),
      {
        at: issued + DAY + 0.5,
      },
    ),
    one(
      'a paid time without a fraction',
      signed({ ...claims, paid_until: '2026-03-31T12:00:00Z' }),
      STANDARD,
    ),
    ...[
      'soon',
      '',
      '2026-03-31',
      '2026-03-31T12:00:00',
      '2026-03-31T12:00:00+02:00',
      '2026-02-30T12:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-03-31T12:00:61Z',
      ' 2026-03-31T12:00:00Z',
      '2026-03-31T12:00:00Z\n',
    ].map((text) =>
      one(
        `a paid time that is none: ${JSON.stringify(text)}`,
        signed({ ...claims, paid_until: text }),
        not('expired'),
      ),
    ),
    one('no paid time', signed({ ...claims, paid_until: null }), not('expired')),
    one('no grace', signed({ ...claims, grace_s: 0 }), not('document_expired'), { at: issued + 7 * DAY }),
    one('long ago', document, not('not_yet_issued'), { at: 1 }),
    one('in a hundred years', document, not('expired'), { at: issued + 36_500 * DAY }),
  ]
}

export function ofNext(): VectorCase[] {
  const around = [-1, 0, 1]
  const begins = (days: number, more: object = {}) => ({ ...claims.next[0], from: d.inTime(days), ...more })
  return [
    ...around.map((s) =>
      one(
        `another plan begins and ${s} s`,
        signed(claims),
        s < 0 ? STANDARD : licensed('valid', 'business-month', { seats: 20 }),
        { at: issued + 2 * DAY + s },
      ),
    ),
    ...around.map((s) =>
      one(
        `a third plan begins in the grace and ${s} s`,
        signed(claims),
        s < 0
          ? licensed('in_grace', 'business-month', { seats: 20 })
          : licensed('in_grace', 'starter-month', {}),
        { at: issued + 8 * DAY + s },
      ),
    ),
    one('no next', signed({ ...claims, next: [] }), STANDARD, { at: issued + 3 * DAY }),
    one('a time in next that is none', signed({ ...claims, next: [begins(1, { from: 'soon' })] }), STANDARD, {
      at: issued + 3 * DAY,
    }),
    one(
      'two begin at once: the later in the list',
      signed({ ...claims, next: [begins(1), begins(1, { plan: 'last' })] }),
      licensed('valid', 'last', { seats: 20 }),
      { at: issued + DAY },
    ),
    one('a later version is read as this one', signed({ ...claims, ver: 9, more: { x: 1 } }), STANDARD),
    one(
      'a version written with a fraction of none',
      d.signedParts(d.encode(d.header), d.encodeText(JSON.stringify(claims).replace('"ver":2', '"ver":2.0'))),
      STANDARD,
    ),
  ]
}
