import { cem, claire, elin, henrike, lukas, paula, reto, type Client } from './clientele.ts'
import { consecutivePeriods, daysFrom, monthsAfter } from './dates.ts'
import * as acts from './events.ts'
import { programYear } from './program-year.ts'
import type { SeedEvent } from './seed-event.ts'

type Span = {
  server: string
  ipv4: string
  plan: 'starter-quarter' | 'standard-quarter' | 'standard-year' | 'business-quarter'
  /** The last term ends this many days and months from now; a negative number of days is in the past. */
  ends_in_days: number
  ends_in_months?: number
  terms: number
  /** The money that the customer paid in: half before the first term, and half before the term in the middle; all before a single term. */
  paid: bigint
}

/**
 * The histories of the customers besides Anna and Mikhail, over up to two years in which the shop grows. Each has one server, renewed
 * without a gap; the last one has bought the program, too. The first three pay by the quarter, each in another month, so that there is a sale in each month. One customer left
 * after half a year, and some have too little on their balance for the next renewal.
 */
const spans: readonly (readonly [Client, Span])[] = [
  [henrike, spanOf('kontor', 141, 'standard-quarter', { ends_in_days: 26, terms: 8, paid: 640_00n })],
  [
    lukas,
    spanOf('murtal', 142, 'standard-quarter', {
      ends_in_days: 26,
      ends_in_months: 1,
      terms: 8,
      paid: 600_00n,
    }),
  ],
  [
    cem,
    spanOf('ehrenfeld', 143, 'standard-quarter', {
      ends_in_days: 26,
      ends_in_months: 2,
      terms: 8,
      paid: 700_00n,
    }),
  ],
  [paula, spanOf('warnow', 144, 'starter-quarter', { ends_in_days: -400, terms: 2, paid: 40_00n })],
  [claire, spanOf('fourviere', 145, 'business-quarter', { ends_in_days: 22, terms: 5, paid: 750_00n })],
  [reto, spanOf('gurten', 146, 'standard-year', { ends_in_days: 130, terms: 1, paid: 250_00n })],
  [elin, spanOf('oresund', 147, 'business-quarter', { ends_in_days: 78, terms: 3, paid: 800_00n })],
]

function spanOf(
  server: string,
  place: number,
  plan: Span['plan'],
  span: Omit<Span, 'server' | 'ipv4' | 'plan'>,
): Span {
  return { server, ipv4: `192.0.2.${place}`, plan, ...span }
}

/** Returns each of these customers with the events of their history. */
export const clienteleHistory = (now: Date): (readonly [Client, SeedEvent[]])[] =>
  spans.map(([client, span]) => [
    client,
    [...historyOf(client, span, now), ...(client === elin ? programYear(now) : [])],
  ])

function historyOf(
  { vat_id }: Client,
  { server, ipv4, plan, ends_in_days, ends_in_months = 0, terms, paid }: Span,
  now: Date,
): SeedEvent[] {
  const end = monthsAfter(daysFrom(now, ends_in_days, '08:20'), ends_in_months)
  const periods = consecutivePeriods(plan.endsWith('year') ? 'P1Y' : 'P3M', end, terms)
  const half = Math.floor(terms / 2)
  return periods.flatMap(({ at }, place) => [
    ...(place === 0 ? [acts.addHost(before(at, 10), server, ipv4)] : []),
    ...(place === 0 && vat_id !== '' ? [acts.confirmVatId(before(at, 20), vat_id)] : []),
    ...(place === 0 ? [acts.pay(before(at, 5), 'stripe', half > 0 ? paid / 2n : paid)] : []),
    ...(place === half && half > 0 ? [acts.pay(before(at, 5), 'stripe', paid / 2n)] : []),
    acts.buyLicence(at, server, plan, { automatic: place > 0 && ends_in_days > 0 }),
  ])
}

const before = (at: Date, minutes: number): Date => new Date(at.getTime() - minutes * 60_000)
