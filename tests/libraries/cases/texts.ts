import * as d from '#tests/libraries/documents.ts'
import { claims, signed } from '#tests/libraries/documents.ts'
import { licensed, STANDARD, not, forged, one, type VectorCase } from './case.ts'

export function ofText(): VectorCase[] {
  const document = signed(claims)
  const [head = '', body = '', signature = ''] = document.split('.')
  const broken = (text: string): string => d.signedParts(d.encode(d.header), d.encodeText(text))
  return [
    ...['\n', '\r\n', ' ', '\t\n'].map((end) =>
      one(`${JSON.stringify(end)} at its end`, document + end, STANDARD),
    ),
    one('spaces before it', `  ${document}`, STANDARD),
    one('a space of Unicode at its end', `${document}\u{a0}`, forged('malformed')),
    one('a byte order mark before it', `\u{feff}${document}`, forged('malformed')),
    ...['', '.', '..', '...', 'a.b.c', 'a.b', 'null', '{}', '\u{1f600}.\u{1f600}.\u{1f600}'].map((text) =>
      one(`the text ${JSON.stringify(text)}`, text, forged('malformed')),
    ),
    one('cut in the middle', document.slice(0, 400), forged('malformed')),
    one('without its last part', `${head}.${body}`, forged('malformed')),
    one('with a part too many', `${document}.x`, forged('malformed')),
    one('a line end in the middle', `${head}.\n${body}.${signature}`, forged('malformed')),
    one('padded', `${head}.${body}.${signature}==`, forged('malformed')),
    one('base64 of another alphabet', `${head}.${body}.${signature.slice(0, -2)}+/`, forged('malformed')),
    one('longer than 65,536', signed({ ...claims, more: 'x'.repeat(50_000) }), forged('malformed')),
    one('almost as long', signed({ ...claims, more: 'x'.repeat(9_000) }), STANDARD),
    ...[
      '[]',
      'null',
      '"x"',
      '7',
      '',
      '{',
      '{"alg":"EdDSA"',
      "{'alg':'EdDSA'}",
      '\u{feff}{}',
      '{"a":NaN}',
      '{} {}',
    ].map((text) =>
      one(`the header ${JSON.stringify(text)}`, d.signedParts(d.encodeText(text), body), forged('malformed')),
    ),
    one(
      'a header that is not UTF-8',
      d.signedParts(d.encodeText(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), body),
      forged('malformed'),
    ),
    ...['[]', 'null', '"x"', '{', '\u{feff}{}', '{"iat":Infinity}'].map((text) =>
      one(`the content ${JSON.stringify(text)}`, broken(text), forged('unknown_claims')),
    ),
    one('spaces in its JSON', broken(JSON.stringify(claims, null, 2)), STANDARD),
    one(
      'a name twice: the last counts',
      broken(JSON.stringify(claims).replace('"status":"active"', '"status":"free","status":"active"')),
      STANDARD,
    ),
    one(
      'a name twice: the last counts, the other way',
      broken(JSON.stringify(claims).replace('"status":"active"', '"status":"active","status":"free"')),
      not('free'),
    ),
    one('Unicode in its texts', signed({ ...claims, plan: 'größer-месяц-\u{1f680}' }), {
      ...STANDARD,
      plan: 'größer-месяц-\u{1f680}',
    }),
    one(
      'Unicode as escapes',
      broken(JSON.stringify(claims).replace('"standard-month"', String.raw`"gr\u00f6\u00dfer"`)),
      { ...STANDARD, plan: 'größer' },
    ),
    one(
      'Unicode in a key that is asked for',
      signed({ ...claims, entitlements: { größe: 1 } }),
      licensed('valid', 'standard-month', { größe: 1 }),
      { requires: ['größe'] },
    ),
  ]
}
