import { DAY, issued, claims, signed } from '#tests/libraries/documents.ts'
import { licensed, STANDARD, not, one, soon, type VectorCase, type Answer } from './case.ts'

export function ofMachines(): VectorCase[] {
  const at6 = (ipv6: unknown) => signed({ ...claims, ipv6 })
  const mismatch = not('address_mismatch')
  const [mine, other] = ['a'.repeat(64), 'b'.repeat(64)]
  const bound = signed({ ...claims, machine: mine })
  return [
    one('its address', signed(claims), STANDARD, { ipv4: ['203.0.113.7'] }),
    one('one of its addresses', signed(claims), STANDARD, { ipv4: ['10.0.0.1', '203.0.113.7'] }),
    one('another address', signed(claims), mismatch, { ipv4: ['203.0.113.8'] }),
    one('no address at all', signed(claims), mismatch, { ipv4: [] }),
    one('a document without an address', signed({ ...claims, ipv4: null }), mismatch, {
      ipv4: ['203.0.113.7'],
    }),
    one('an address that is not compared', signed({ ...claims, ipv4: null }), STANDARD),
    one('an address with a space', signed(claims), mismatch, { ipv4: ['203.0.113.7 '] }),
    one('IPv6', at6('2001:db8::7'), STANDARD, { ipv6: ['2001:db8::7'] }),
    one('IPv6 in another spelling', at6('2001:db8::7'), STANDARD, { ipv6: ['2001:0DB8:0:0::0007'] }),
    one('another IPv6', at6('2001:db8::7'), mismatch, { ipv6: ['2001:db8::8'] }),
    one('a network of IPv6', at6('2001:db8:0:1::/64'), STANDARD, { ipv6: ['2001:db8:0:1:ffff::1'] }),
    one('beside a network of IPv6', at6('2001:db8:0:1::/64'), mismatch, { ipv6: ['2001:db8:0:2::1'] }),
    one('the document has no IPv6', at6(null), mismatch, { ipv6: ['2001:db8::7'] }),
    one('the wrong IPv4 and the right IPv6', at6('2001:db8::7'), STANDARD, {
      ipv4: ['10.0.0.1'],
      ipv6: ['2001:db8::7'],
    }),
    one('the right IPv4 and the wrong IPv6', at6('2001:db8::7'), STANDARD, {
      ipv4: ['203.0.113.7'],
      ipv6: ['2001:db8::8'],
    }),
    one('IPv6 with a zone', at6('2001:db8::7'), mismatch, { ipv6: ['2001:db8::7%eth0'] }),
    one('an IPv6 that is none', at6('2001:db8::7'), mismatch, { ipv6: ['x', ''] }),
    one('an IPv6 in the document that is none', at6('x'), mismatch, { ipv6: ['2001:db8::7'] }),
    one('IPv6 of another type in the document', at6(7), mismatch, { ipv6: ['2001:db8::7'] }),
    ...['2001:db8:0:1::', '2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:DB8:0:1::192.0.2.7'].map((ipv6) =>
      one(`in a network of IPv6: ${ipv6}`, at6('2001:db8:0:1::/64'), STANDARD, { ipv6: [ipv6] }),
    ),
    ...[
      '2001:db8::ffff:ffff:ffff:ffff',
      '2001:db8:0:2::',
      '[2001:db8:0:1::1]',
      '2001:db8:0:1::/64',
      '203.0.113.7',
    ].map((ipv6) =>
      one(`not in a network of IPv6: ${ipv6}`, at6('2001:db8:0:1::/64'), mismatch, { ipv6: [ipv6] }),
    ),
    one('IPv6 alone', signed({ ...claims, ipv4: null, ipv6: '2001:db8::7' }), STANDARD, {
      ipv4: ['203.0.113.7'],
      ipv6: ['2001:db8::7'],
    }),
    one(
      'IPv6 alone, of which the machine has none',
      signed({ ...claims, ipv4: null, ipv6: '2001:db8::7' }),
      mismatch,
      {
        ipv4: ['203.0.113.7'],
      },
    ),
    one('a network with its bits written behind it', at6('2001:db8::7/64'), STANDARD, {
      ipv6: ['2001:db8::8'],
    }),
    one('one address as a network', at6('2001:db8::7/128'), STANDARD, { ipv6: ['2001:db8::7'] }),
    ...['', '064', '129', '-1', '+64', ' 64', '1e1', '64/64', 'x'].map((bits) =>
      one(`a network of ${JSON.stringify(bits)} bits`, at6(`2001:db8::/${bits}`), mismatch, {
        ipv6: ['2001:db8::7'],
      }),
    ),
    one('an IPv4 written as IPv6', at6('2001:db8::7'), mismatch, { ipv6: ['::ffff:203.0.113.7'] }),
    one('its machine', bound, STANDARD, { fingerprint: mine }),
    one('another machine', bound, not('other_machine'), { fingerprint: other }),
    one('a machine that does not say which it is', bound, STANDARD),
    one('a document for any machine', signed(claims), STANDARD, { fingerprint: other }),
    one('its key', signed(claims), STANDARD, { licence_key: 'ABCDE-FGHIJ' }),
    one('another licence key', signed(claims), not('other_licence_key'), { licence_key: 'ABCDE-FGHIK' }),
    one('its issuer', signed(claims), STANDARD, { issuer: claims.iss }),
    one('its product', signed({ ...claims, product: 'backup' }), STANDARD, { product: 'backup' }),
    one('another product', signed({ ...claims, product: 'editor' }), not('other_product'), {
      product: 'backup',
    }),
    one('a product that is not compared', signed({ ...claims, product: 'editor' }), STANDARD),
    one('no product is the server', signed(claims), STANDARD, { product: 'server' }),
    one('no product where another is asked for', signed(claims), not('other_product'), { product: 'backup' }),
    one('another issuer', signed(claims), not('other_issuer'), { issuer: `${claims.iss}/` }),
  ]
}

/** The document of a floating seat ends with its lease, without grace. */
export function ofSeats(): VectorCase[] {
  const mine = 'a'.repeat(64)
  const seat = signed({ ...claims, machine: mine, exp: issued + 600, grace_s: 0 })
  return [
    ...[-1, 0, 1].map((s) =>
      one(`a lease ends and ${s} s`, seat, s < 0 ? STANDARD : not('document_expired'), {
        at: issued + 600 + s,
        fingerprint: mine,
      }),
    ),
    one('a lease of another machine', seat, not('other_machine'), { fingerprint: 'b'.repeat(64) }),
    one('a lease by a clock that is set back', seat, not('not_yet_issued'), { at: issued - 301 }),
  ]
}

export function ofStatus(): VectorCase[] {
  return [
    ...['free', 'suspended', 'too_many_machines'].flatMap((status) => [
      one(`status ${status}`, signed({ ...claims, status }), not(status)),
      one(`status ${status}, run out`, signed({ ...claims, status }), not(status), { at: issued + 20 * DAY }),
    ]),
    ...['expired', 'ACTIVE', '', 'new'].map((status) =>
      one(`status ${JSON.stringify(status)}`, signed({ ...claims, status }), not('expired')),
    ),
    one(
      'free without a plan',
      signed({ ...claims, status: 'free', plan: null, paid_until: null }),
      not('free'),
    ),
  ]
}

export function ofEntitlements(): VectorCase[] {
  const asked = (requires: string[], answer: Answer, at = soon) =>
    one(`requires ${JSON.stringify(requires)} at ${at - issued} s`, signed(claims), answer, { requires, at })
  const missing = not('entitlement_missing')
  return [
    asked([], STANDARD),
    asked(['seats'], STANDARD),
    asked(['team.chat', 'tier'], STANDARD),
    ...[
      'export',
      'none',
      'minus',
      'empty',
      'unknown',
      'toString',
      '__proto__',
      'constructor',
      '',
      'SEATS',
    ].map((key) => asked([key], missing)),
    asked(['seats', 'export'], missing),
    asked(['team.chat'], missing, issued + 3 * DAY),
    asked(['seats'], licensed('valid', 'business-month', { seats: 20 }), issued + 3 * DAY),
    asked(['seats'], missing, issued + 9 * DAY),
    asked(['unknown'], not('document_expired'), issued + 11 * DAY),
    one('a list is no entitlement', signed({ ...claims, entitlements: { x: [1] } }), missing, {
      requires: ['x'],
    }),
    one('null is no entitlement', signed({ ...claims, entitlements: { x: null } }), missing, {
      requires: ['x'],
    }),
  ]
}
