import * as d from '#tests/libraries/documents.ts'
import { DAY, issued, claims, entitlements, signed } from '#tests/libraries/documents.ts'
import {
  licensed,
  STANDARD,
  not,
  forged,
  one,
  soon,
  type VectorCase,
  type Answer,
  type Expected,
} from './case.ts'

export function ofLists(): VectorCase[] {
  const document = signed(claims)
  const { sub } = claims
  const under = (name: string, text: string, answer: Answer, more: Expected = {}) =>
    one(`list: ${name}`, document, answer, { revocations: text, ...more })
  const old = { exp: issued + 10 }
  const bad = forged('list_not_genuine')
  return [
    under('empty', d.list(), STANDARD),
    under('a line end behind it', `${d.list()}\n`, STANDARD),
    ...[-1, 0, 1].map((s) =>
      under(
        `revoked before iat and ${s} s`,
        d.list({ revoked: [[sub, issued + s]] }),
        s > 0 ? not('revoked') : STANDARD,
      ),
    ),
    under(
      'revoked up to its second, which is still to come',
      d.list({ revoked: [[sub, issued]] }),
      STANDARD,
      {
        at: issued - 2,
      },
    ),
    under('another host', d.list({ revoked: [['B'.repeat(22), issued + 1]] }), STANDARD),
    under(
      'twice, the second later',
      d.list({
        revoked: [
          [sub, issued - 5],
          [sub, issued + 5],
        ],
      }),
      not('revoked'),
    ),
    under(
      'twice, the first later',
      d.list({
        revoked: [
          [sub, issued + 5],
          [sub, issued - 5],
        ],
      }),
      not('revoked'),
    ),
    under('more in an entry', d.list({ revoked: [[sub, issued + 5, 'x']] }), not('revoked')),
    under('revoked and free is revoked', d.list({ revoked: [[sub, issued + 5]] }), not('revoked')),
    under(
      'the key is withdrawn',
      d.list({ withdrawn_keys: ['present'] }, { kid: 'before' }, 'before'),
      forged('withdrawn_key'),
    ),
    under('its own key is withdrawn', d.list({ withdrawn_keys: ['present'] }), forged('withdrawn_key')),
    under('another key is withdrawn', d.list({ withdrawn_keys: ['before', 'stolen'] }), STANDARD),
    under('run out, still revokes', d.list({ ...old, revoked: [[sub, issued + 1]] }), not('revoked')),
    under(
      'run out, still withdraws',
      d.list({ ...old, withdrawn_keys: ['present'] }),
      forged('withdrawn_key'),
    ),
    ...[-1, 0, 1].map((s) =>
      under(
        `runs out and ${s} s`,
        d.list({ exp: soon - s }),
        licensed('valid', 'standard-month', entitlements, s < 0 ? 'valid' : 'list_expired'),
      ),
    ),
    under(
      'run out, in the grace',
      d.list(old),
      licensed('in_grace', 'business-month', { seats: 20 }, 'list_expired'),
      { at: issued + 7 * DAY },
    ),
    under('run out, and the document too', d.list(old), not('document_expired'), { at: issued + 10 * DAY }),
    ...[6, 7, 8].map((least_seq) =>
      under(`seq 7 after ${least_seq}`, d.list(), least_seq > 7 ? forged('list_rolled_back') : STANDARD, {
        least_seq,
      }),
    ),
    under('an old one without the revocation', d.list({ seq: 3 }), forged('list_rolled_back'), {
      least_seq: 7,
    }),
    under('a licence document in its place', document, bad),
    under('signed by a stranger', d.list({}, {}, 'stranger'), bad),
    under('signed by a key that was stolen', d.list({}, { kid: 'stolen' }, 'stolen'), bad),
    under('nothing', '', bad),
    under('cut in the middle', d.list().slice(0, 200), bad),
    ...[
      { revoked: null },
      { revoked: {} },
      { revoked: [[1, 'x']] },
      { revoked: [[sub]] },
      { revoked: [[sub, '7']] },
      { revoked: [[sub, 0.5]] },
      { revoked: [sub] },
      { withdrawn_keys: null },
      { withdrawn_keys: 'present' },
      { seq: null },
      { seq: '7' },
      { seq: 0.5 },
      { exp: undefined },
      { iat: true },
    ].map((change) => under(`with ${JSON.stringify(change)}`, d.list(change), bad)),
    one(
      'list: a document that is not genuine is said first',
      signed(claims, {}, 'stranger'),
      forged('wrong_signature'),
      { revocations: 'x' },
    ),
  ]
}
