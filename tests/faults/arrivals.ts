import type { Event } from '#tests/harness/receiver/receiver.ts'

/** The events of one account that arrived at one program: the number and id of the last, when it was answered, and what was wrong. */
type Arrivals = { last: number; id: string; answered: number; isOnItsWay: boolean }

/** The events that programs got, compared with the numbers that the events of each account carry: 1, 2, 3 … */
export function startArrivals() {
  const all = new Map<string, Arrivals>()
  const sums = { arrived: 0, forged: 0, misplaced: 0, twiceByKills: 0, twice: 0, late: 0 }
  return {
    sums,
    /** The last event of an account that arrived at a program, for each pair of them. */
    lasts: () => [...all].map(([pair, { last }]) => [pair, last] as const),
    /** Each pair may get its last event again, once: its answer was on the way when the worker was killed. */
    workerWasKilled(): void {
      for (const arrivals of all.values()) arrivals.isOnItsWay = true
    },
    /** The worker gave up an attempt. If its program had said that the event arrived, the answer was too late, and the event comes again. */
    workerGaveUp(path: string, id: string, at: number): void {
      for (const [pair, its] of all) {
        if (!pair.startsWith(`${path} `) || its.id !== id || its.answered > at) continue
        sums.late += 1
        its.answered = Number.POSITIVE_INFINITY
      }
    },
    note(path: string, account: string, { id, data }: Event): void {
      const number = Number(data['name'])
      const its = all.get(`${path} ${account}`) ?? { last: 0, id: '', answered: 0, isOnItsWay: false }
      all.set(`${path} ${account}`, its)
      its.answered = Date.now()
      if (number === its.last + 1) {
        sums.arrived += 1
        // The flag stays: what the killed worker had sent may arrive after its end, and comes again.
        its.last = number
        its.id = id
      } else if (number !== its.last) sums.misplaced += 1
      else if (its.isOnItsWay) {
        sums.twiceByKills += 1
        its.isOnItsWay = false
      } else sums.twice += 1
    },
  }
}
