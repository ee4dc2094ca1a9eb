import type { FastifyRequest } from 'fastify'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clientAddress, isFromThisMachine, parseAddress } from './client-address.ts'

const from = (peer: string, forwarded?: string) =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as FastifyRequest

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:51234', '203.0.113.9'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['fe80::1%eth0', 'fe80::1'],
])('rule 41: reads %s as an address', (text, address) => expect(parseAddress(text)).toBe(address))

it.each([
  '',
  'unknown',
  '_hidden',
  '203.0.113.9:x',
  '203.0.113.9:123456',
  '[203.0.113.9]:80',
  '2001:db8::1]:443',
  '[2001:db8::1',
  '256.1.1.1',
  '1.2.3',
  '010.0.0.1',
  '"203.0.113.9"',
  "203.0.113.9'; drop table sessions; --",
  '::1/128',
])('rule 41: %j is no address', (text) => expect(parseAddress(text)).toBeUndefined())

it('rule 41: goes as far back as proxies are trusted, and no further', () => {
  const request = from('10.0.0.1', '6.6.6.6, 203.0.113.9:51234')
  expect([0, 1, 2, 3].map((trusted) => clientAddress(request, trusted))).toEqual([
    '10.0.0.1',
    '203.0.113.9',
    '6.6.6.6',
    '6.6.6.6',
  ])
})

it('rule 41: an entry that is no address hides nothing that the caller wrote before it', () => {
  expect(clientAddress(from('10.0.0.1', '6.6.6.6, unknown'), 1)).toBe('10.0.0.1')
  expect(clientAddress(from('10.0.0.1', '6.6.6.6, unknown'), 2)).toBe('10.0.0.1')
})

it('rule 41: whatever a header holds, the answer is an address (property)', () => {
  const entry = fc.oneof(
    fc.string(),
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV4().map((ip) => `${ip}:80`),
  )
  fc.assert(
    fc.property(fc.array(entry), fc.nat(4), (entries, trusted) => {
      expect(parseAddress(clientAddress(from('::1', entries.join(',')), trusted))).toBeDefined()
    }),
  )
})

it('rule 39: a request counts as made on this machine only if its peer is local and no proxy has forwarded it', () => {
  expect(isFromThisMachine(from('127.0.0.1'))).toBe(true)
  expect(isFromThisMachine(from('::ffff:127.0.0.1'))).toBe(true)
  expect(isFromThisMachine(from('::1'))).toBe(true)
  expect(isFromThisMachine(from('192.0.2.7'))).toBe(false)
  expect(isFromThisMachine(from('127.0.0.1', '127.0.0.1'))).toBe(false)
})
