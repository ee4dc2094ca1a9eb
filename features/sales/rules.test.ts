import fc from 'fast-check'
import { expect, it } from 'vitest'
import { leftValue, priceOfMonths, priceOfRest } from './rules.ts'

/** The number of runs of each property; `npm run test:faults` sets it to 100,000. */
const RUNS = { numRuns: Number(process.env['UPGRADE_RUNS'] ?? 500) }
const START = Date.UTC(2026, 0, 31, 11, 22, 33, 444)
const net = fc.bigInt(0n, 100_000_000_000n)
const length_ms = fc.integer({ min: 1, max: 366 * 86_400_000 })
const spanOf = (length: number) => ({ starts_at: new Date(START), ends_at: new Date(START + length) })
const anySpan = fc.record({ value: net, length: length_ms, part: fc.nat(10_000) })
const timeIn = (length: number, part: number) => new Date(START + Math.floor((length * part) / 10_000))

it('L-18 the left value is the exact share, rounded half up, so left and used are the value', () => {
  fc.assert(
    fc.property(anySpan, ({ value, length, part }) => {
      const span = spanOf(length)
      const from = timeIn(length, part)
      const left = leftValue(value, span, from)
      const rest = BigInt(span.ends_at.getTime() - from.getTime())
      // 2·(left − value·rest/length) is in (−1, 1].
      const twice = 2n * (left * BigInt(length) - value * rest)
      expect(twice > -BigInt(length) && twice <= BigInt(length)).toBe(true)
      expect(left >= 0n && left <= value).toBe(true)
    }),
    RUNS,
  )
})

it('L-18 before its start all of a period is left, after its end nothing, and less with each moment', () => {
  fc.assert(
    fc.property(anySpan, fc.nat(10_000), ({ value, length, part }, other) => {
      const span = spanOf(length)
      expect(leftValue(value, span, new Date(START - 1))).toBe(value)
      expect(leftValue(value, span, new Date(START + length))).toBe(0n)
      const [earlier, later] = [Math.min(part, other), Math.max(part, other)]
      expect(
        leftValue(value, span, timeIn(length, earlier)) >= leftValue(value, span, timeIn(length, later)),
      ).toBe(true)
    }),
    RUNS,
  )
})

it('L-18 k upgrades in one instant cost what one would, to k minor units', () => {
  const lists = fc.array(net, { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(anySpan, lists, ({ value, length, part }, prices) => {
      const span = spanOf(length)
      const from = timeIn(length, part)
      const term = { term_starts_at: span.starts_at, ends_at: span.ends_at }
      const buy = (list: bigint) => priceOfRest(list, term, from)
      let present = { value, starts_at: span.starts_at }
      let paid = 0n
      for (const list of prices) {
        const bought = buy(list)
        paid += bought - leftValue(present.value, { ...span, starts_at: present.starts_at }, from)
        present = { value: bought, starts_at: from }
      }
      const atOnce = buy(prices.at(-1) ?? 0n) - leftValue(value, span, from)
      const difference = paid > atOnce ? paid - atOnce : atOnce - paid
      // If `from` is the end of the span, no time is left, and all amounts are 0.
      expect(difference <= BigInt(prices.length)).toBe(true)
    }),
    RUNS,
  )
})

it('L-18 an upgrade at the first moment of a term costs the whole price, however often it was upgraded before', () => {
  const span = spanOf(30 * 86_400_000)
  expect(priceOfRest(4990n, { ...span, term_starts_at: span.starts_at }, span.starts_at)).toBe(4990n)
  const half = new Date(START + 15 * 86_400_000)
  expect(priceOfRest(4990n, { ...span, term_starts_at: span.starts_at }, half)).toBe(2495n)
  // A quarter of the term is left: it costs a quarter of the whole price, though it is half of the part that was bought last.
  const later = new Date(START + 22.5 * 86_400_000)
  expect(priceOfRest(10_000n, { ...span, term_starts_at: span.starts_at }, later)).toBe(2500n)
  expect(leftValue(4990n, { starts_at: half, ends_at: span.ends_at }, later)).toBe(2495n)
})

it('L-29 all paid months cost the total, and two refunds that name all months are at most one minor unit apart from it', () => {
  fc.assert(
    fc.property(net, fc.constantFrom(3, 12), fc.nat(11), (total, of, part) => {
      const first = priceOfMonths(total, { of, count: part % of })
      const apart = first + priceOfMonths(total, { of, count: of - (part % of) }) - total
      expect(apart === 0n || apart === 1n).toBe(true)
      expect(priceOfMonths(total, { of, count: of })).toBe(total)
    }),
    RUNS,
  )
})
