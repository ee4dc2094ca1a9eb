import fc from 'fast-check'
import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { decodeRow, DAY_S, encodeRow, HOUR_S, lastOfEach, type Disk, type Point } from './figures-row.ts'

const START_S = 1_800_000_000 - (1_800_000_000 % DAY_S)
const bytes = fc.oneof(fc.constant(8_000_000_000), fc.maxSafeNat())
const anyDisks = fc.uniqueArray(
  fc.record({
    mount: fc.constantFrom('/srv', '/var', '/var/lib/é'),
    used: fc.nat(10_000),
    total_bytes: fc.constant(64e9),
  }),
  { selector: ({ mount }) => mount, minLength: 1 },
)
const inOrder = (disks: readonly Disk[]) => disks.toSorted((one, other) => (one.mount < other.mount ? -1 : 1))
const anyPoint = (within_s: number) =>
  fc
    .record({ point: plainPoint(within_s), disks: fc.option(anyDisks) })
    .map(({ point, disks }): Point => ({ ...point, ...(disks && { disks: inOrder(disks) }) }))
const plainPoint = (within_s: number) =>
  fc.record({
    at_s: fc.integer({ min: START_S, max: START_S + within_s - 1 }),
    load: fc.oneof(fc.nat(500), fc.nat(100_000_000)),
    memory: fc.nat(10_000),
    disk: fc.nat(10_000),
    memory_total_bytes: bytes,
    disk_total_bytes: bytes,
  })
const points = (within_s: number, maxLength: number) =>
  fc.array(anyPoint(within_s), { minLength: 1, maxLength })
const plain: Point = {
  at_s: START_S,
  load: 42,
  memory: 2500,
  disk: 3000,
  memory_total_bytes: 8e9,
  disk_total_bytes: 1e11,
}
const hour = (all: readonly Point[]) => encodeRow(all, START_S, 'hour')

it('reads back of an hour the last report of each minute, as it came', () => {
  fc.assert(
    fc.property(points(HOUR_S, 30), (some) => {
      expect(decodeRow(hour(some), START_S)).toEqual(lastOfEach(some, 60))
    }),
  )
})

it('comes to the same row in any order, in parts, and where a part is written twice', () => {
  const two = fc.tuple(points(HOUR_S, 15), points(HOUR_S, 15))
  fc.assert(
    fc.property(two, ([one, other]) => {
      const first = decodeRow(hour(one), START_S) ?? []
      const second = decodeRow(hour(other), START_S) ?? []
      const whole = hour([...one, ...other])
      expect(hour([...first, ...other])).toEqual(whole)
      expect(hour([...second, ...one])).toEqual(whole)
      expect(hour([...(decodeRow(whole, START_S) ?? []), ...one, ...second])).toEqual(whole)
    }),
  )
})

it('makes of a day means of five minutes, each of all reports in it', () => {
  fc.assert(
    fc.property(points(DAY_S, 40), (some) => {
      const means = decodeRow(encodeRow(some, START_S, 'day'), START_S) ?? []
      const steps = Map.groupBy(some, ({ at_s }) => at_s - (at_s % 300))
      expect(means.map(({ at_s }) => at_s)).toEqual([...steps.keys()].toSorted((one, other) => one - other))
      for (const mean of means) {
        const among = steps.get(mean.at_s) ?? []
        const exact = among.reduce((sum, { load }) => sum + load, 0) / among.length
        expect(Math.abs(mean.load - exact)).toBeLessThanOrEqual(0.5)
      }
    }),
  )
})

it('never writes an hour of more than 600 bytes, nor a day that would leave its page, whatever agents report', () => {
  const many = (within_s: number) => fc.array(anyPoint(within_s), { minLength: 200, maxLength: 1500 })
  fc.assert(
    fc.property(many(HOUR_S), (some) => {
      const row = hour(some)
      expect(row.length).toBeLessThanOrEqual(600)
      expect(decodeRow(row, START_S)?.length).toBeGreaterThan(4)
    }),
    { numRuns: 15 },
  )
  fc.assert(
    fc.property(many(DAY_S), (some) => {
      expect(encodeRow(some, START_S, 'day').length).toBeLessThanOrEqual(1900)
    }),
    { numRuns: 5 },
  )
})

it('keeps the fullest disks of many, and a row without them reads as before', () => {
  const disks = Array.from({ length: 32 }, (_, place) => ({
    mount: `/mnt/${'x'.repeat(place * 8)}`,
    used: place * 100,
    total_bytes: 2 ** 50,
  }))
  const some = Array.from({ length: 60 }, (_, minute): Point => ({
    ...plain,
    at_s: START_S + minute * 60,
    disks,
  }))
  const row = hour(some)
  expect(row.length).toBeLessThanOrEqual(600)
  const kept = must(decodeRow(row, START_S)?.[0]).disks ?? []
  expect(kept.every(({ used }) => used >= 2900)).toBe(true)
  expect(decodeRow(hour([plain]), START_S)).toEqual([plain])
})

it('leaves alone what a newer release has written in another form', () => {
  expect(decodeRow(Buffer.of(9, 1, 2, 3), START_S)).toBeUndefined()
})
