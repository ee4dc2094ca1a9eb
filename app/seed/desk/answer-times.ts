import { writeCalendar, writeTargets, type Target } from '#features/support/answers/server/queries.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/**
 * Gives the desk its hours, the holidays at the end of this year, and targets: half as long for the largest edition. It comes before the
 * tickets, as each computes its expected answer when it is written.
 */
export async function seedAnswerTimes(tx: Tx, { now, zone }: { now: Date; zone: string }): Promise<void> {
  await writeTargets(tx, null, targetsIn(1))
  await writeTargets(tx, 'business', targetsIn(2))
  const year = now.getUTCFullYear()
  await writeCalendar(tx, {
    zone,
    hours: [...Array.from({ length: 5 }, () => weekday), { from: '10:00', to: '16:00' }, null],
    holidays: {
      [`${year}-12-25`]: 'Christmas Day',
      [`${year}-12-26`]: 'Boxing Day',
      [`${year + 1}-01-01`]: 'New Year’s Day',
    },
  })
}

const weekday = { from: '08:00', to: '20:00' }

/** Hours of open time to the first and to each next answer, by priority. */
const hours = { critical: [1, 1], high: [4, 4], medium: [6, 8], low: [12, 16], very_low: [24, 24] } as const

const targetsIn = (parts: number): Omit<Target, 'edition'>[] =>
  (['critical', 'high', 'medium', 'low', 'very_low'] as const).map((priority) => {
    const [first, next] = hours[priority]
    return { priority, first_minutes: (first * 60) / parts, next_minutes: (next * 60) / parts }
  })
