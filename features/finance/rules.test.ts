import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lastsUntil } from './forecast.ts'
import { checkDigits, referenceOf, type Upcoming } from './rules.ts'

const now = new Date('2026-01-15T12:00:00Z')
const charge = (due_at: string, total: bigint, months = 1): Upcoming => ({
  host_id: 'host',
  host_name: 'brave-otter-42',
  due_at: new Date(due_at),
  total,
  months,
})

it('F-01 computes when a balance will not cover the upcoming charges', () => {
  const monthly = charge('2026-01-31T10:00:00Z', 10_00n)
  expect(lastsUntil(25_00n, [monthly], now)?.toISOString()).toBe('2026-03-31T10:00:00.000Z')
  expect(lastsUntil(0n, [monthly], now)?.toISOString()).toBe('2026-01-31T10:00:00.000Z')
  expect(lastsUntil(-5_00n, [monthly], now)?.toISOString()).toBe('2026-01-31T10:00:00.000Z')
})

it('counts the months of a charge from the end of its period, a day after it is due', () => {
  const monthly = charge('2027-02-28T00:00:00Z', 10_00n)
  expect(lastsUntil(10_00n, [monthly], now)?.toISOString()).toBe('2027-03-31T00:00:00.000Z')
  expect(lastsUntil(20_00n, [monthly], now)?.toISOString()).toBe('2027-04-30T00:00:00.000Z')
})

it('takes upcoming charges by date, whatever order they are passed in', () => {
  const yearly = charge('2026-02-20T00:00:00Z', 100_00n, 12)
  const monthly = charge('2026-02-01T00:00:00Z', 10_00n)
  expect(lastsUntil(110_00n, [yearly, monthly], now)?.toISOString()).toBe('2026-03-01T00:00:00.000Z')
  expect(lastsUntil(109_99n, [monthly, yearly], now)?.toISOString()).toBe('2026-02-20T00:00:00.000Z')
})

it('a day missing in a month becomes its last, and is used again in the next', () => {
  const monthly = charge('2026-01-31T00:00:00Z', 10_00n)
  expect(lastsUntil(10_00n, [monthly], now)?.toISOString()).toBe('2026-02-28T00:00:00.000Z')
  expect(lastsUntil(20_00n, [monthly], now)?.toISOString()).toBe('2026-03-31T00:00:00.000Z')
})

it('returns nothing if nothing is due, or the balance lasts for ten years', () => {
  expect(lastsUntil(0n, [], now)).toBeNull()
  expect(lastsUntil(10_000_00n, [charge('2026-02-01T00:00:00Z', 1_00n)], now)).toBeNull()
})

it('more money never lasts for less time', () => {
  const upcoming = fc.array(
    fc.record({
      day: fc.integer({ min: 1, max: 28 }),
      total: fc.bigInt(1n, 500_00n),
      months: fc.constantFrom(1, 3, 12),
    }),
    { minLength: 1, maxLength: 5 },
  )
  fc.assert(
    fc.property(upcoming, fc.bigInt(0n, 1000_00n), fc.bigInt(0n, 1000_00n), (hosts, balance, more) => {
      const charges = hosts.map(({ day, total, months }) =>
        charge(`2026-02-${String(day).padStart(2, '0')}T00:00:00Z`, total, months),
      )
      const until = (amount: bigint) => lastsUntil(amount, charges, now)?.getTime() ?? Infinity
      expect(until(balance + more)).toBeGreaterThanOrEqual(until(balance))
    }),
  )
})

it('two check digits find each wrong letter and each swap, and need not be copied', () => {
  const reference = fc
    .tuple(fc.stringMatching(/^[A-Z]{4}$/), fc.integer({ min: 0, max: 9999 }))
    .map(([letters, number]) => `HD-${letters}-${String(number).padStart(4, '0')}`)
  fc.assert(
    fc.property(reference, fc.nat(7), fc.nat(35), (stem, at, other) => {
      const made = `${stem}-${checkDigits(stem)}`
      expect(referenceOf(made.toLowerCase().replaceAll('-', ' '))).toBe(made)
      expect(referenceOf(stem)).toBe(made)
      const bare = made.replaceAll('-', '')
      const place = at + 2
      const typed = bare.slice(0, place) + other.toString(36).toUpperCase() + bare.slice(place + 1)
      if (typed !== bare) expect(referenceOf(typed)).toBeUndefined()
    }),
  )
  expect(checkDigits('120300000000202051DE')).toBe('02')
})
