import { expect, it } from 'vitest'
import * as contract from '#features/hosts/contract.ts'
import type { Client } from '#tests/harness/client.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { hostOf } from './hosts.ts'
import { thinMetrics } from './metrics.ts'

const test = await startTestApp()
const { app } = test

async function measuredHost() {
  const { api, user_id } = await signedInCustomer(test)
  const { id } = await addHost(api, { name: 'measured' })
  const { id: row } = await hostOf(app.db, user_id, id)
  /** Writes check-ins every 30 s between these two ages; the load of a check-in is its minute of the hour. */
  const tell = (from: string, until: string) =>
    asOwner(
      test,
      `insert into host_metrics
       select $1, at, extract(minute from at), 1000, 4000, 20000, 500000
       from generate_series(now() - $2::interval, now() - $3::interval, '30 seconds') at`,
      [String(row), from, until],
    )
  const count = async (table: 'host_metrics' | 'host_metrics_thinned') => {
    const rows = await asOwner(test, `select count(*)::int as rows from ${table} where host_id = $1`, [
      String(row),
    ])
    return (rows[0] as { rows: number }).rows
  }
  return { api, id, row, tell, count }
}

const metricsOf = async (api: Client, hostId: string, hours: string) =>
  bodyOf(await api.call(contract.getMetrics, { params: { hostId }, query: { hours } }), 200)

it("H-02 shows the agent's reports as means of steps, and null while it was silent", async () => {
  const { api, id, tell } = await measuredHost()
  await tell('50 minutes', '40 minutes')
  const { step_s, times, disks, ...series } = await metricsOf(api, id, '1')
  expect(disks).toEqual([])
  expect(step_s).toBe(60)
  expect(times.length).toBeGreaterThanOrEqual(60)
  expect(times.length).toBeLessThanOrEqual(62)
  for (const values of Object.values(series)) expect(values).toHaveLength(times.length)
  const told = series.load_1m.flatMap((load, place) => (load === null ? [] : [{ load, at: times[place] }]))
  expect(told.length).toBeGreaterThanOrEqual(10)
  expect(told.length).toBeLessThanOrEqual(11)
  for (const { load, at } of told) expect(load).toBe(new Date(String(at)).getUTCMinutes())
  expect(series.load_1m[0]).toBeNull()
  expect(new Set(series.memory_used_bytes)).toEqual(new Set([null, 1000]))
  expect(new Set(series.disk_total_bytes)).toEqual(new Set([null, 500_000]))
})

it.each(['1', '5', '24', '168', '720'])('draws %s hours with at most 301 points', async (hours) => {
  const { api, id } = await measuredHost()
  const { times, step_s, load_1m } = await metricsOf(api, id, hours)
  expect(times.length).toBeLessThanOrEqual(301)
  expect(new Set(load_1m)).toEqual(new Set([null]))
  const steps = times.slice(1).map((time, place) => Date.parse(time) - Date.parse(String(times[place])))
  expect(new Set(steps)).toEqual(new Set([step_s * 1000]))
  expect(Date.now() - Date.parse(String(times.at(-1)))).toBeLessThan(step_s * 1000 + 1000)
})

it.each(['0', '721', '-1', '1.5', 'day', '', '024'])('refuses %j hours', async (hours) => {
  const { api, id } = await measuredHost()
  const reply = await api.get(`/api/hosts/${id}/metrics/`, { query: { hours } })
  expect(reply.body).toEqual(refusal(400, 'invalid', 'hours'))
})

it('keeps a day as it came, five-minute means for 30 days, and then nothing; a second run changes nothing', async () => {
  const { api, id, row, tell, count } = await measuredHost()
  await tell('26 hours', '0')
  await asOwner(
    test,
    `insert into host_metrics_thinned values ($1, now() - interval '31 days', 1, 1, 1, 1, 1),
       ($1, now() - interval '29 days', 1, 1, 1, 1, 1)`,
    [String(row)],
  )
  const before = await metricsOf(api, id, '48')
  await thinMetrics(app)
  const kept = await count('host_metrics')
  expect(kept).toBeGreaterThanOrEqual(24 * 120)
  expect(kept).toBeLessThanOrEqual(24 * 120 + 11)
  // The five-minute means of two hours, and the mean of 29 days ago.
  const thinned = await count('host_metrics_thinned')
  expect(thinned).toBeGreaterThanOrEqual(24)
  expect(thinned).toBeLessThanOrEqual(27)
  await thinMetrics(app)
  expect([await count('host_metrics'), await count('host_metrics_thinned')]).toEqual([kept, thinned])
  // The chart of two days hardly changes, because each of its steps of ten minutes consists of whole means of five minutes.
  const after = await metricsOf(api, id, '48')
  for (const [place, time] of before.times.entries()) {
    const [one, other] = [before.load_1m[place], after.load_1m[after.times.indexOf(time)]]
    if (typeof one !== 'number') expect(other ?? null).toBeNull()
    else expect(Math.abs(one - Number(other))).toBeLessThan(5)
  }
})

it('deletes the metrics of a deleted host', async () => {
  await test.startWorker()
  const { api, id, tell, count } = await measuredHost()
  await tell('10 minutes', '0')
  await api.delete(`/api/hosts/${id}/?name=measured`)
  await expect.poll(() => count('host_metrics'), { timeout: 8000 }).toBe(0)
})

it('thins twice at once, beside check-ins, and neither loses nor doubles a mean', async () => {
  const { row, tell, count } = await measuredHost()
  await tell('25 hours', '24 hours 10 minutes')
  await Promise.all([thinMetrics(app), thinMetrics(app), tell('1 minute', '0')])
  expect(await count('host_metrics')).toBe(3)
  const means = (await asOwner(
    test,
    `select extract(minute from at)::int as minute, load_1m from host_metrics_thinned where host_id = $1`,
    [String(row)],
  )) as { minute: number; load_1m: number }[]
  expect(means.length).toBeGreaterThanOrEqual(10)
  expect(new Set(means.map(({ minute }) => minute)).size).toBe(means.length)
  for (const { minute, load_1m } of means) expect(Math.abs(load_1m - minute - 2)).toBeLessThanOrEqual(2)
})
