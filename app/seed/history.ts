import * as queries from './history-queries.ts'
import { addVoucher } from '#features/finance/server/finance.ts'
import { hostOf, storeToken } from '#features/hosts/server/hosts.ts'
import { makePromoCode } from '#features/licences/server/licences.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { runLastActs, type Tx } from '#foundation/server/database/transaction.ts'
import type { SeedState } from './seed-event.ts'
import { insertAlert } from './alert-queries.ts'
import { annaHistory, connected } from './anna-year.ts'
import { clienteleHistory } from './clientele-years.ts'
import { demoToken } from './demo-agent.ts'
import { metricsAt } from './metrics.ts'
import { addPointsAlone, pointOf } from '#features/hosts/server/hosts.ts'
import { setSeen } from './history-queries.ts'
import { mikhailHistory } from './mikhail-year.ts'
import { numberInvoices } from './invoice-queries.ts'
import { anna, mikhail, olivia, type Person } from './people.ts'
import { promo, vouchers } from './vouchers.ts'

/** Adds the past of all example customers in order of time, as the books require. `people` are the user ids by email address. */
export async function seedHistory(app: App, tx: Tx, people: ReadonlyMap<string, string>): Promise<void> {
  const now = new Date()
  await queries.suspendGuards(tx)
  for (const voucher of vouchers) await addVoucher(app, tx, voucher)
  await makePromoCode(app, tx, promo, { by: null })
  const staff_id = must(people.get(olivia.email))
  const lifeOf = ({ email, country }: Pick<Person, 'email' | 'country'>): SeedState => {
    const user_id = people.get(email)
    if (!user_id) throw new Error(`nobody moved in as ${email}`)
    return { app, tx, user_id, country, staff_id, hosts: new Map(), references: new Map() }
  }
  const lives = [
    [anna, annaHistory(now)] as const,
    [mikhail, mikhailHistory(now)] as const,
    ...clienteleHistory(now),
  ].map(([person, acts]) => ({ life: lifeOf(person), acts }))
  const told = lives.flatMap(({ life, acts }) => acts.map((act) => ({ ...act, life })))
  for (const { life, at, apply } of told.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    await apply(life, at)
    await runLastActs(tx)
    await queries.backdate(tx, at)
  }
  // The accounts of staff begin before the first act of any customer. The next line sets the dates of the customers' accounts.
  for (const user_id of people.values()) await queries.backdateProfile(tx, user_id, beforeAll(told), now)
  for (const [place, { life, acts }] of lives.entries()) {
    const signedIn = new Date(Math.max(now.getTime() - place ** 3 * HOUR_S * 1000, latest(acts)))
    await queries.backdateProfile(tx, life.user_id, beforeAll(acts), signedIn)
  }
  await numberInvoices(tx, {
    timeZone: app.config.timeZone,
    invoicePrefix: app.config.company.invoicePrefix,
  })
  await connect(app, tx, must(lives[0]).life, now)
  await queries.discardNotifications(tx)
  await queries.restoreGuards(tx)
}

/** Returns the time at which an account begins: a day before its first act. */
const beforeAll = (acts: readonly { at: Date }[]): Date =>
  new Date(Math.min(...acts.map(({ at }) => at.getTime())) - DAY_S * 1000)

const latest = (acts: readonly { at: Date }[]): number => Math.max(...acts.map(({ at }) => at.getTime()))

// Half the width of a point in a chart of one day (metricsStep_s).
const GRAIN_S = 150
const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

const MINUTE_S = 60
/** The server that went silent this long ago, and the minutes for which the other one was silent this morning. */
const silent = { name: 'shop-api', ipv4: '198.51.100.31', s: 2 * HOUR_S }
const gap = { from_s: 9 * HOUR_S, minutes: 7 }
const OPENS_S = 5 * MINUTE_S

/** Adds a day of metrics to the server that is online; the demo agent continues them. Another one is silent, and an alert says so. */
async function connect(app: App, tx: Tx, { user_id, hosts }: SeedState, now: Date): Promise<void> {
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  const host = await hostOf(tx, user_id, hosts.get(connected.name)?.public_id ?? '')
  await storeToken(tx, host, demoToken(app))
  const isHeard = ({ at }: { at: Date }) =>
    at <= ago(gap.from_s) || at >= ago(gap.from_s - gap.minutes * MINUTE_S)
  const points = Array.from({ length: DAY_S / GRAIN_S }, (_, place) => {
    const at = new Date(now.getTime() - (DAY_S - (place + 1) * GRAIN_S) * 1000)
    return { at, ...metricsAt(at) }
  })
  const reported = (some: typeof points) => some.map(({ at, ...figures }) => pointOf(at, figures))
  await addPointsAlone(tx, host.id, reported(points.filter(isHeard)))
  const { uptime_s } = metricsAt(now)
  const machine = { address: connected.ipv4, hostname: connected.name, version: '0.1.0' }
  await setSeen(tx, host.id, { ...machine, uptime_s, silent_s: 0 })
  const over = {
    since: ago(gap.from_s),
    opened_at: ago(gap.from_s - OPENS_S),
    closed_at: ago(gap.from_s - gap.minutes * MINUTE_S),
  }
  await insertAlert(tx, host, over)
  const other = await hostOf(tx, user_id, hosts.get(silent.name)?.public_id ?? '')
  await storeToken(tx, other, `${demoToken(app)}-silent`)
  await addPointsAlone(tx, other.id, reported(points.filter(({ at }) => at < ago(silent.s))))
  const gone = { ...machine, address: silent.ipv4, hostname: silent.name }
  await setSeen(tx, other.id, { ...gone, uptime_s, silent_s: silent.s })
  await insertAlert(tx, other, { since: ago(silent.s), opened_at: ago(silent.s - OPENS_S), closed_at: null })
}
