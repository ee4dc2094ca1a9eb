import { consecutivePeriods, daysFrom } from './dates.ts'
import * as acts from './events.ts'
import { runOn } from './licence-events.ts'
import type { SeedEvent } from './seed-event.ts'

const name = 'ferry-malmo'

/**
 * The story of who bought the program: for four months, with storage of 400 GB, set up by the operator. It runs on two machines, and renews
 * itself.
 */
export function programYear(now: Date): SeedEvent[] {
  const [first, ...renewals] = consecutivePeriods('P1M', daysFrom(now, 13, '09:40'), 4)
  if (!first) return []
  const minutes = (count: number) => new Date(first.at.getTime() + count * 60_000)
  return [
    acts.pay(minutes(-6), 'stripe', 210_00n, 'for the program'),
    acts.addProgram(minutes(-2), name, 'ferry-team-month'),
    acts.buyLicence(first.at, name, 'ferry-team-month', {
      extras: [{ extra: 'ferry-storage', quantity: 4 }],
    }),
    runOn(minutes(95), name, { hostname: 'studio-nas', address: '192.0.2.150' }),
    runOn(minutes(140), name, { hostname: 'elins-laptop', address: '192.0.2.151' }),
    ...renewals.map(({ at }) => acts.buyLicence(at, name, 'ferry-team-month', { automatic: true })),
  ]
}
