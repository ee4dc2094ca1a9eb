import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { expect, it } from 'vitest'
import { canonicalIpv6, isWithin } from './ipv6.ts'

it.each([
  ['2001:db8::1', '2001:db8::1'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:0db8::0001', '2001:db8::1'],
  // RFC 5952 4.2: `::` stands for the longest run of zeros, for the first of equally long runs, and never for a single group.
  ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['fd00::192.0.2.1', 'fd00::c000:201'],
  ['fe80::1', 'fe80::1'],
  ['2001:db8::1/128', '2001:db8::1'],
  ['2001:DB8:0:1::/64', '2001:db8:0:1::/64'],
  ['2001:db8:0:1:0:0:0:0/64', '2001:db8:0:1::/64'],
])('L-32 reads %s as %s', (typed, canonical) => {
  expect(canonicalIpv6(typed)).toBe(canonical)
})

it.each([
  '',
  '192.0.2.7',
  'example.com',
  '2001:db8',
  '2001:db8:::1',
  '2001:db8::12345',
  'fe80::1%eth0',
  'fe80::1%25eth0',
  '[2001:db8::1]',
  '2001:db8::1]:80/[',
  // An IPv4 address spelt as IPv6 as well would give one machine two licences.
  '::ffff:192.0.2.7',
  '::ffff:c000:207',
  '::192.0.2.7',
  '::1',
  '::',
  '::/64',
  // The text names one address and its whole network: it is unclear which of them is meant.
  '2001:db8::1/64',
  '2001:db8::/48',
  '2001:db8::/65',
  '2001:db8::/',
  '2001:db8::/064',
])('L-32 does not read %j', (typed) => {
  expect(canonicalIpv6(typed)).toBeUndefined()
})

const parts = fc.array(fc.constantFrom(0, 0, 0, 1, 0xdb8, 0x2001, 0xff_ff), { minLength: 8, maxLength: 8 })

it('L-32 writes each IPv6 address in the same form as the ipaddr.js library (property)', () => {
  fc.assert(
    fc.property(parts, (groups) => {
      const address = new ipaddr.IPv6(groups)
      fc.pre(groups.slice(0, 5).some((group) => group > 0))
      expect(canonicalIpv6(address.toNormalizedString())).toBe(address.toRFC5952String())
    }),
    { numRuns: 1000 },
  )
})

it('L-32 an IPv6 address is within a /64 network exactly when their first 64 bits are equal (property)', () => {
  fc.assert(
    fc.property(parts, parts, fc.boolean(), (one, other, isNear) => {
      const network = [...other.slice(0, 4), 0, 0, 0, 0]
      const groups = isNear ? [...network.slice(0, 4), ...one.slice(4)] : one
      const [address, prefix] = [new ipaddr.IPv6(groups), new ipaddr.IPv6(network)]
      expect(isWithin(address.toRFC5952String(), `${prefix.toRFC5952String()}/64`)).toBe(
        address.match(prefix, 64),
      )
    }),
    { numRuns: 1000 },
  )
  expect(isWithin('2001:db8::1', '2001:db8::1')).toBe(true)
  expect(isWithin('2001:db8::1', '2001:db8::2')).toBe(false)
  expect(isWithin('2001:db8::/64', '2001:db8::/64')).toBe(true)
  expect(isWithin('2001:db8::/64', '2001:db8::1')).toBe(false)
})
