import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  hostCan,
  isIpv4,
  isPrintable,
  licenceStatus,
  metricsStep_s,
  remainingSeconds,
  restingInterval_s,
} from './rules.ts'

it('V-04 takes every dotted quad, private and reserved ones too', () => {
  fc.assert(fc.property(fc.ipV4(), isIpv4))
  for (const address of ['0.0.0.0', '10.0.0.1', '127.0.0.1', '192.168.0.255', '255.255.255.255'])
    expect(isIpv4(address), address).toBe(true)
})

it.each([
  ['leading zeros', '192.168.01.1'],
  ['zeros all over', '010.0.0.1'],
  ['hexadecimal', '0x7f.0.0.1'],
  ['one number', '2130706433'],
  ['a short form', '127.1'],
  ['three numbers', '1.2.3'],
  ['five numbers', '1.2.3.4.5'],
  ['a network', '10.0.0.0/8'],
  ['more than a byte', '1.2.3.256'],
  ['a dot behind', '1.2.3.4.'],
  ['a dot before', '.1.2.3.4'],
  ['an empty number', '1..2.3'],
  ['blanks', '1.2. 3.4'],
  ['a port', '1.2.3.4:80'],
  ['IPv6', '::ffff:1.2.3.4'],
  ['other digits', '١.٢.٣.٤'],
  ['a line break', '1.2.3.4\n'],
  ['nothing', ''],
])('V-04 refuses %s', (_, text) => {
  expect(isIpv4(text)).toBe(false)
})

it('takes names in any script, but nothing that cannot be seen', () => {
  for (const name of ['web-1', 'Größe', 'сервер №2', '🚀 prod']) expect(isPrintable(name), name).toBe(true)
  for (const name of ['a\nb', 'a\u202eb', 'a\u200bb', '\u2028', '\u0007'])
    expect(isPrintable(name)).toBe(false)
})

it('H-01 derives the state of a licence from the time it is paid until', () => {
  const now = new Date('2026-03-01T12:00:00.000Z')
  const after = (ms: number) => new Date(now.getTime() + ms)
  expect([null, after(-1), now, after(1)].map((time) => licenceStatus(time, now))).toEqual([
    'free',
    'expired',
    'expired',
    'active',
  ])
  expect([null, after(-5000), after(999), after(61_000)].map((time) => remainingSeconds(time, now))).toEqual([
    0, 0, 0, 61,
  ])
})

it('H-02 lets the address be removed while nothing is paid, and changed while changes are left', () => {
  const host = (status: 'free' | 'active' | 'expired', ipv4_changes_left: number | null) => ({
    ipv4: '10.0.0.1',
    ipv6: null,
    ipv4_changes_left,
    licence: { status },
  })
  expect(hostCan.loseAddresses(host('active', 3))).toBe(false)
  for (const status of ['free', 'expired'] as const)
    expect(hostCan.loseAddresses(host(status, null))).toBe(true)
  expect([null, 3, 1, 0].map((left) => hostCan.changeAddresses(host('active', left)))).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(hostCan.renew(host('expired', null))).toBe(true)
  expect(hostCan.renew({ ...host('free', null), ipv4: null })).toBe(false)
  const byIpv6 = { ipv4: null, ipv6: '2001:db8::1' }
  expect(hostCan.renew({ ...host('free', null), ...byIpv6 })).toBe(false)
  expect(hostCan.renew({ ...host('active', 3), ...byIpv6 })).toBe(true)
  expect(hostCan.renew({ ...host('expired', null), ...byIpv6 })).toBe(true)
})

it('draws no more than 300 whole steps for any time', () => {
  for (let hours = 1; hours <= 720; hours += 1) {
    const step_s = metricsStep_s(hours)
    expect(step_s % 60).toBe(0)
    expect((hours * 3600) / step_s).toBeLessThanOrEqual(300)
  }
  expect(metricsStep_s(24)).toBe(300)
})

it('has agents come less often the more there are, between one and five minutes', () => {
  expect([0, 1, 6000, 6001, 15_000, 30_000, 4_000_000].map(restingInterval_s)).toEqual([
    60, 60, 60, 61, 150, 300, 300,
  ])
})
