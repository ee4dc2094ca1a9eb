import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dueStep, nextStepAt, suspendsAt, type DebtStep } from './debt-steps.ts'

const DAY = 86_400_000
const began_at = new Date('2026-03-01T08:00:00Z')
const newDebt = (days: number | null) => ({
  began_at,
  suspend_after_days: days,
  done_day: null as number | null,
  last_step_at: null as Date | null,
})

type Taken = DebtStep & { at: number }

/** Asks for the due step at each of these times (days after the debt began), and takes it. */
function live(days: number | null, times: readonly number[]): Taken[] {
  const debt = newDebt(days)
  const taken: Taken[] = []
  for (const at of times) {
    const now = new Date(began_at.getTime() + Math.round(at * DAY))
    const step = dueStep(debt, now)
    if (!step) continue
    Object.assign(debt, { done_day: step.day, last_step_at: now })
    taken.push({ ...step, at: now.getTime() })
  }
  return taken
}

const each = (steps: readonly Taken[]) => steps.map(({ day, does }) => `${does} ${day}`)
const hourly = Array.from({ length: 24 * 40 }, (_, hour) => hour / 24)

it('L-22 mails at once, after 3 and 6 days, and suspends after the days of the setting', () => {
  expect(each(live(7, hourly))).toEqual(['mail 0', 'mail 3', 'mail 6', 'suspend 7'])
  expect(each(live(3, hourly))).toEqual(['mail 0', 'suspend 3'])
  expect(each(live(30, hourly))).toEqual(['mail 0', 'mail 3', 'mail 6', 'suspend 30'])
  expect(each(live(null, hourly)), 'never').toEqual(['mail 0', 'mail 3', 'mail 6'])
})

it('L-22 after an outage takes the latest step alone, and the next one 12 hours later at the earliest', () => {
  expect(each(live(7, [0, 20]))).toEqual(['mail 0', 'suspend 7'])
  const late = live(7, [0, 6.9, ...hourly.filter((at) => at > 6.9)])
  expect(each(late)).toEqual(['mail 0', 'mail 6', 'suspend 7'])
  expect(late.map(({ at }) => (at - began_at.getTime()) / DAY)[2]).toBeGreaterThanOrEqual(7.4)
})

it('L-22 takes each step once, in order, never early and never within 12 hours, whenever it is asked', () => {
  const time = fc.double({ min: 0, max: 40, noNaN: true })
  fc.assert(
    fc.property(
      fc.option(fc.integer({ min: 1, max: 30 }), { nil: null }),
      fc.array(time, { maxLength: 60 }),
      (days, asked) => {
        const taken = live(
          days,
          asked.toSorted((one, other) => one - other),
        )
        for (const [place, step] of taken.entries()) {
          expect(step.at).toBeGreaterThanOrEqual(began_at.getTime() + step.day * DAY)
          const before = taken[place - 1]
          if (!before) continue
          expect(step.day).toBeGreaterThan(before.day)
          expect(step.at - before.at).toBeGreaterThanOrEqual(DAY / 2)
        }
        const suspensions = taken.filter(({ does }) => does === 'suspend')
        expect(suspensions.length).toBeLessThanOrEqual(days === null ? 0 : 1)
        expect(taken.slice(0, -1).filter(({ does }) => does === 'suspend')).toEqual([])
      },
    ),
  )
})

it('L-22 is due exactly when it said that the next step would be', () => {
  fc.assert(
    fc.property(
      fc.option(fc.integer({ min: 1, max: 30 }), { nil: null }),
      fc.array(fc.integer({ min: 0, max: 9 * DAY }), { maxLength: 6 }),
      (days, delays) => {
        const debt = newDebt(days)
        for (const delay of delays) {
          const at = nextStepAt(debt)
          if (!at) return
          expect(dueStep(debt, new Date(at.getTime() - 1))).toBeUndefined()
          const now = new Date(at.getTime() + delay)
          const step = dueStep(debt, now)
          expect(step).toBeDefined()
          if (step?.does === 'suspend')
            expect(now.getTime()).toBeGreaterThanOrEqual(suspendsAt(debt)?.getTime() ?? 0)
          Object.assign(debt, { done_day: step?.day, last_step_at: now })
        }
      },
    ),
  )
})
