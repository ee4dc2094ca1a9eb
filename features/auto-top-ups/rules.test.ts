import { expect, it } from 'vitest'
import { chargeFor, type Due, type Limits, type Wanted } from './rules.ts'

const until = new Date('2026-12-04T00:00:00Z')
const due = (total: bigint, day: number): Due => ({ total, due_at: new Date(Date.UTC(2026, 11, day)) })
const limits: Limits = {
  min: 5_00n,
  max: 500_00n,
  cap: 1000_00n,
  month_limit: 100_00n,
  used: 0n,
  round: (amount) => amount,
}
const cover = (upcoming: Due[]): Wanted => ({ kind: 'cover', upcoming, until })

it.each([
  [
    'what the renewals of the next days lack, whatever order they are in',
    10_00n,
    [due(20_00n, 3), due(30_00n, 2)],
    {},
    40_00n,
  ],
  ['the smallest top-up if less lacks', 29_00n, [due(30_00n, 2)], {}, 5_00n],
  ['nothing for what is covered, or due later', 30_00n, [due(30_00n, 2), due(50_00n, 5)], {}, undefined],
  ['the debt as well', -10_00n, [due(30_00n, 2)], {}, 40_00n],
  ['for the first renewals where not all fit', 0n, [due(60_00n, 1), due(60_00n, 2)], {}, 60_00n],
  ['nothing if the month has too little left', 0n, [due(60_00n, 1)], { used: 50_00n }, 'month_limit'],
  [
    'nothing if the balance would be too high',
    990_00n,
    [due(995_00n, 1), due(5_00n, 1)],
    { cap: 992_00n },
    'balance_cap',
  ],
  [
    'what its provider counts',
    0n,
    [due(60_01n, 1)],
    { round: (amount: bigint) => amount + ((10n - (amount % 10n)) % 10n) },
    60_10n,
  ],
])('covers %s', (_, balance, upcoming, more, expected) => {
  const charge = chargeFor(balance, cover(upcoming), { ...limits, ...more })
  expect(charge.amount ?? ('held' in charge ? charge.held : undefined)).toBe(expected)
})

it('tops up by a fixed amount below the threshold, or not at all', () => {
  const wanted: Wanted = { kind: 'threshold', threshold: 20_00n, amount: 30_00n }
  expect(chargeFor(19_99n, wanted, limits)).toEqual({ amount: 30_00n })
  expect(chargeFor(20_00n, wanted, limits)).toEqual({ amount: undefined, held: undefined })
  expect(chargeFor(0n, wanted, { ...limits, used: 70_01n })).toEqual({
    amount: undefined,
    held: 'month_limit',
  })
})

it('never charges above the month’s limit, the largest top-up or the highest balance, nor less than the smallest top-up', () => {
  const random = (most: number) => BigInt(Math.floor(Math.random() * most))
  for (let step = 0; step < 20_000; step += 1) {
    const [min, used] = [1n + random(1000), random(5000)]
    const balance = random(20_000) - 5000n
    const grain = 1n + random(3) * 10n
    const bounds: Limits = {
      min,
      max: min + random(20_000),
      cap: random(30_000),
      month_limit: random(20_000),
      used,
      round: (amount) => ((amount + grain - 1n) / grain) * grain,
    }
    const wanted: Wanted =
      step % 3 === 0
        ? { kind: 'threshold', threshold: random(10_000), amount: min + random(5000) }
        : cover(Array.from({ length: Number(random(5)) }, () => due(random(9000), Number(1n + random(6)))))
    const { amount } = chargeFor(balance, wanted, bounds)
    if (amount === undefined) continue
    expect(amount >= bounds.min && amount <= bounds.max).toBe(true)
    expect(used + amount <= bounds.month_limit && balance + amount <= bounds.cap).toBe(true)
    const lacks = wanted.kind === 'threshold' ? balance < wanted.threshold : wanted.upcoming.length > 0
    expect(lacks).toBe(true)
  }
})
