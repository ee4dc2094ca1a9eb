import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  months,
  nextCharge,
  nextPeriod,
  perMonth,
  periodFrom,
  priceOf,
  savingOf,
  stepAt,
  steps,
  terms,
  type Period,
} from './rules.ts'
import { serviceDays } from '#features/invoices/rules.ts'
import { must } from '#foundation/must.ts'

const at = (text: string) => new Date(text)
const chain = (start: string, count: number): string[] => {
  const ends: string[] = []
  let last: Period | undefined
  for (let order = 0; order < count; order += 1) {
    last = nextPeriod('P1M', at(start), last)
    ends.push(last.ends_at.toISOString())
  }
  return ends
}

// Seen red with `setUTCMonth` alone: 31 January and a month was 3 March.
it('rule 31: a period in a month without the day ends on its last, and the next one has the day again', () => {
  expect(chain('2026-01-31T10:30:00.123Z', 4)).toEqual([
    '2026-02-28T10:30:00.123Z',
    '2026-03-31T10:30:00.123Z',
    '2026-04-30T10:30:00.123Z',
    '2026-05-31T10:30:00.123Z',
  ])
  expect(chain('2028-01-31T00:00:00.000Z', 1)).toEqual(['2028-02-29T00:00:00.000Z'])
  const leap = nextPeriod('P1Y', at('2028-02-29T12:00:00Z'))
  expect(leap.ends_at).toEqual(at('2029-02-28T12:00:00Z'))
})

it('counts in UTC, in any time zone of the server: no hour is lost to summer time', () => {
  expect(chain('2026-02-28T23:30:00.000Z', 2)).toEqual([
    '2026-03-28T23:30:00.000Z',
    '2026-04-28T23:30:00.000Z',
  ])
})

// Seen red with the day of the last moment as the last day: each period that ends at a time of day shared it with the next.
it('F-02 successive paid periods share no day on their documents, and leave none out', () => {
  const zone = fc.constantFrom(
    'Europe/Berlin',
    'UTC',
    'America/New_York',
    'Pacific/Kiritimati',
    'Asia/Kolkata',
  )
  const start = fc.date({ min: new Date('2023-12-01'), max: new Date('2029-01-31'), noInvalidDate: true })
  const days = (period: { starts_at: Date; ends_at: Date }, timeZone: string) => serviceDays(period, timeZone)
  fc.assert(
    fc.property(start, zone, fc.constantFrom(...terms), (starts_at, timeZone, term) => {
      let period = periodFrom(term, starts_at, starts_at.getUTCDate())
      for (let turn = 0; turn < 4; turn += 1) {
        const next = periodFrom(term, period.ends_at, period.anchor_day)
        const { last_day } = days(period, timeZone)
        const after = new Date(Date.parse(last_day) + 86_400_000).toISOString().slice(0, 10)
        expect(days(next, timeZone).first_day).toBe(after)
        period = next
      }
    }),
  )
  const shown = (from: string, to: string) =>
    Object.values(serviceDays({ starts_at: new Date(from), ends_at: new Date(to) }, 'Europe/Berlin'))
  expect(shown('2026-10-31T23:00:00Z', '2026-11-30T23:00:00Z')).toEqual(['2026-11-01', '2026-11-30'])
  expect(shown('2026-11-01T09:00:00Z', '2026-12-01T09:00:00Z')).toEqual(['2026-11-01', '2026-11-30'])
  // The clock goes forward at the end of March: the same time in UTC is the next day in summer.
  expect(shown('2026-03-28T22:30:00Z', '2026-04-28T22:30:00Z')).toEqual(['2026-03-28', '2026-04-28'])
  expect(shown('2028-02-29T12:00:00Z', '2028-03-29T12:00:00Z')).toEqual(['2028-02-29', '2028-03-28'])
  // A day has to stand on the document, also for some hours.
  expect(shown('2026-11-01T08:00:00Z', '2026-11-01T10:00:00Z')).toEqual(['2026-11-01', '2026-11-01'])
})

it('extends from the end while it runs, and starts from now if it has ended', () => {
  const now = at('2026-06-10T08:00:00Z')
  const last = { ends_at: at('2026-06-20T00:00:00Z'), anchor_day: 20 }
  expect(nextPeriod('P1M', now, last)).toEqual({
    starts_at: last.ends_at,
    ends_at: at('2026-07-20T00:00:00Z'),
    anchor_day: 20,
  })
  const ended = { ends_at: now, anchor_day: 20 }
  expect(nextPeriod('P3M', now, ended)).toEqual({
    starts_at: now,
    ends_at: at('2026-09-10T08:00:00Z'),
    anchor_day: 10,
  })
})

const time = fc.date({ min: at('1990-01-01'), max: at('2200-01-01'), noInvalidDate: true })
const term = fc.constantFrom(...terms)

it('a year bought by months, by quarters or at once ends on the same day', () => {
  fc.assert(
    fc.property(time, fc.array(term, { minLength: 1, maxLength: 30 }), (now, bought) => {
      let last: Period | undefined
      for (const one of bought) {
        const next: Period = nextPeriod(one, now, last)
        expect(next.starts_at).toEqual(last?.ends_at ?? now)
        expect(next.ends_at > next.starts_at).toBe(true)
        last = next
      }
      const sum = bought.reduce((count, one) => count + months[one], 0)
      const whole = periodFrom('P1M', now, now.getUTCDate())
      expect(last?.anchor_day).toBe(whole.anchor_day)
      const months_later = (now.getUTCFullYear() * 12 + now.getUTCMonth() + sum) % 12
      expect(last?.ends_at.getUTCMonth()).toBe(months_later)
      expect(must(last).ends_at.getTime() % 86_400_000).toBe(now.getTime() % 86_400_000)
    }),
  )
})

it('an order costs net and VAT, to the cent', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 11n), fc.constantFrom(0n, 700n, 1900n, 2550n), (net, rate_bp) => {
      const price = priceOf(net, rate_bp)
      expect(price.total).toBe(price.net + price.vat)
      // Half a cent away at most from the exact tax.
      const distance = price.vat * 10_000n - net * rate_bp
      expect(distance <= 5_000n && distance > -5_000n).toBe(true)
    }),
  )
  expect(priceOf(1990n, 1900n)).toEqual({ net: 1990n, vat: 378n, total: 2368n })
})

it('rule 31: the balance is charged a day before the end, then each day until three days after it', () => {
  const end = at('2026-05-10T12:00:00Z')
  const charges: string[] = []
  for (let now = at('2026-05-01T00:00:00Z'); ;) {
    const next = nextCharge(end, now)
    if (!next) break
    charges.push(next.toISOString().slice(5, 16))
    now = next
  }
  expect(charges).toEqual(['05-09T12:00', '05-10T12:00', '05-11T12:00', '05-12T12:00', '05-13T12:00'])
  expect(steps.map((step) => stepAt(end, step).getUTCDate())).toEqual([3, 7, 9, 10, 11, 12, 13])
})

it('compares terms by the month, to the nearest cent, and never overstates the saving', () => {
  expect(perMonth(5831n, 'P1Y')).toBe(486n)
  expect(perMonth(1654n, 'P3M')).toBe(551n)
  expect(perMonth(583n, 'P1M')).toBe(583n)
  expect(savingOf(5831n, 'P1Y', 583n)).toEqual({ amount: 1165n, percent: 16n })
  expect(savingOf(6996n, 'P1Y', 583n)).toBeUndefined()
  expect(savingOf(6995n, 'P1Y', 583n), 'less than a percent').toBeUndefined()
  expect(savingOf(0n, 'P1Y', 0n)).toBeUndefined()
  expect(savingOf(9000n, 'P1Y', 583n), 'dearer is no saving').toBeUndefined()
})
