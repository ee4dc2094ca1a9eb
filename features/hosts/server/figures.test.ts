import fc from 'fast-check'
import type { Pool } from 'pg'
import { expect, it } from 'vitest'
import { deleteHost, getMetrics, makeAgentToken } from '#features/hosts/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { checkIn, figures } from '#tests/harness/agents.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { sameInstallation, startTestApp } from '#tests/harness/test-app.ts'
import { addPoints, foldFigures, readPoints } from './figures.ts'
import { DAY_S, HOUR_S, lastOfEach, type Point } from './figures-row.ts'
import { gather, waitingPoints, writeWaiting } from './gather.ts'
import { hostOf } from './hosts.ts'

const test = await startTestApp()
const { app } = test

const customer = await signedInCustomer(test)
const { api, user_id } = customer

async function reportingHost() {
  const { id } = await addHost(api, { name: 'reports' })
  const { token } = bodyOf(await api.call(makeAgentToken, { params: { hostId: id } }), 201)
  const { id: row } = await hostOf(app.db, user_id, id)
  const chart = async (hours: string) =>
    bodyOf(await api.call(getMetrics, { params: { hostId: id }, query: { hours } }), 200)
  const rows = async () =>
    (await asOwner(test, 'select is_day, points from host_figures where host_id = $1 order by starts_at', [
      String(row),
    ])) as { is_day: boolean; points: Buffer }[]
  return { id, token, row, chart, rows }
}

/** Another process: the same database, and a memory of its own. A process that is killed is one that never writes again. */
const process = (): App => ({ ...app, pool: {} as Pool, beforeClose: new Set() })
const never = Number.NEGATIVE_INFINITY
const NOW_S = Math.floor(Date.now() / 1000)
const point = (at_s: number, more: Partial<Point> = {}): Point => ({
  at_s,
  load: 42,
  memory: 2500,
  disk: 3000,
  memory_total_bytes: 8_000_000_000,
  disk_total_bytes: 100_000_000_000,
  ...more,
})

it('reads back what came in at several processes, in any order, across hours, written at once', async () => {
  const come = fc.record({
    ago_s: fc.nat(4 * HOUR_S),
    load: fc.nat(500),
    memory: fc.nat(10_000),
    at: fc.nat(2),
    writes: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(come, { minLength: 1, maxLength: 60 }), async (comes) => {
      const { row } = await reportingHost()
      const processes = [process(), process(), process()]
      const points = comes.map(({ ago_s, load, memory }) => point(NOW_S - ago_s, { load, memory }))
      const writing: Promise<void>[] = []
      for (const [place, { at, writes }] of comes.entries()) {
        gather(processes[at] ?? app, row, points[place] ?? point(0), false)
        if (writes) writing.push(...processes.map((one) => writeWaiting(one, Infinity)))
      }
      await Promise.all(writing)
      await Promise.all(processes.map((one) => writeWaiting(one, Infinity)))
      expect(await readPoints(app.db, row, NOW_S - 5 * HOUR_S)).toEqual(lastOfEach(points, 60))
    }),
    { numRuns: 8 },
  )
})

it('loses nothing where four processes make the same row at once, and writes none over 600 bytes', async () => {
  const { row, rows } = await reportingHost()
  const begin_s = NOW_S - (NOW_S % HOUR_S) - HOUR_S
  const all = Array.from({ length: 120 }, (_, place) => point(begin_s + place * 30, { load: place * 997 }))
  await Promise.all(
    [0, 1, 2, 3].map((of) => addPoints(app, new Map([[row, all.filter((_, place) => place % 4 === of)]]))),
  )
  expect(await readPoints(app.db, row, begin_s)).toEqual(lastOfEach(all, 60))
  for (const { points } of await rows()) expect(points.length).toBeLessThanOrEqual(600)
})

it('keeps points for less than five minutes: so much is lost of a chart where a process is killed, and nothing else', async () => {
  const { row, rows } = await reportingHost()
  const killed = process()
  gather(killed, row, point(NOW_S - 60), false)
  const came_ms = performance.now()
  await writeWaiting(killed, came_ms + 260_000)
  expect(await rows()).toHaveLength(0)
  await writeWaiting(killed, came_ms + 270_001)
  expect(await readPoints(app.db, row, NOW_S - HOUR_S)).toEqual([point(NOW_S - 60)])
  gather(killed, row, point(NOW_S), false)
  expect(waitingPoints(killed, row)).toEqual([point(NOW_S)])
  expect(await readPoints(app.db, row, NOW_S - HOUR_S)).toEqual([point(NOW_S - 60)])
})

it('draws at once what came in at this process, and writes it at SIGTERM for the others', async () => {
  const { token, row, rows, chart } = await reportingHost()
  const other = await sameInstallation(test)
  const asked = await fetch(`${other.url}/api/agent/check-in/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...figures, load_1m: 7 }),
  })
  expect(asked.status).toBe(200)
  expect(await rows()).toHaveLength(0)
  await other.close()
  expect(await rows()).toHaveLength(1)
  expect((await chart('24')).load_1m.findLast((load) => load !== null)).toBe(7)
  expect((await checkIn(test, token, { ...figures, load_1m: 9 })).status).toBe(200)
  expect(waitingPoints(app, row)).toHaveLength(1)
  expect((await chart('24')).load_1m.at(-1)).toBeGreaterThan(7)
})

it('draws each disk beside /, as far as agents tell of it, in a day that is folded too', async () => {
  const { token, row, chart } = await reportingHost()
  const disks = [{ mount: '/srv', used_bytes: 50, total_bytes: 200 }]
  expect((await checkIn(test, token, { ...figures, disks })).status).toBe(200)
  const old_s = NOW_S - (NOW_S % DAY_S) - 2 * DAY_S
  const mail = { mount: '/var/mail', used: 7500, total_bytes: 1000 }
  await addPoints(app, new Map([[row, [point(old_s), point(old_s + 60, { disks: [mail] })]]]))
  await foldFigures(app)
  const drawn = (await chart('168')).disks
  expect(drawn.map(({ mount }) => mount)).toEqual(['/srv', '/var/mail'])
  expect(drawn[0]?.used_bytes.at(-1)).toBe(50)
  expect(drawn[1]?.used_bytes.filter((bytes) => bytes !== null)).toEqual([750])
  expect(drawn[1]?.total_bytes.filter((bytes) => bytes !== null)).toEqual([1000])
})

it('writes soon what somebody looks at, so that other processes draw it', async () => {
  const { row, rows } = await reportingHost()
  gather(app, row, point(NOW_S), true)
  await writeWaiting(app, never)
  expect(await rows()).toHaveLength(1)
})

it('goes on where the database was away, and a deleted host gets no row', async () => {
  const { id, row, rows } = await reportingHost()
  const own = process()
  const away = { ...own, db: undefined as unknown as App['db'] }
  gather(away, row, point(NOW_S - 30), false)
  await writeWaiting(away, Infinity)
  expect(waitingPoints(own, row)).toEqual([point(NOW_S - 30)])
  await writeWaiting(own, Infinity)
  expect(await rows()).toHaveLength(1)
  gather(own, row, point(NOW_S - HOUR_S), false)
  await test.startWorker()
  expect((await api.call(deleteHost, { params: { hostId: id }, query: { name: 'reports' } })).status).toBe(
    204,
  )
  await expect.poll(rows, { timeout: 8000 }).toHaveLength(0)
  await writeWaiting(own, Infinity)
  expect(await rows()).toHaveLength(0)
  expect(waitingPoints(own, row)).toHaveLength(0)
})

it('folds a day into one row of means, draws it as before, and drops it after a month', async () => {
  const { row, rows, chart } = await reportingHost()
  const today_s = NOW_S - (NOW_S % DAY_S)
  const day = Array.from({ length: 1440 }, (_, minute) =>
    point(today_s - 2 * DAY_S + minute * 60, { load: minute, memory: minute }),
  )
  await addPoints(app, new Map([[row, day]]))
  await addPoints(app, new Map([[row, [point(today_s - 40 * DAY_S), point(today_s + 3 * DAY_S)]]]))
  const before = [await chart('168'), await chart('720')]
  expect(await rows()).toHaveLength(26)
  await foldFigures(app)
  const folded = await rows()
  expect(folded.map(({ is_day }) => is_day)).toEqual([true])
  const after = [await chart('168'), await chart('720')]
  for (const [place, chartBefore] of before.entries())
    for (const [step, load] of chartBefore.load_1m.entries()) {
      const now = after[place]?.load_1m[step] ?? null
      if (load === null) expect(now).toBeNull()
      // A mean of five minutes belongs to the step in which it begins.
      else expect(Math.abs(Number(now) - load)).toBeLessThan(0.06)
    }
  // A clock that was set back: the points of a day that is folded go into the row, and the rest of the day stays.
  await addPoints(
    app,
    new Map([[row, [point(today_s - 2 * DAY_S + 60), point(today_s - 2 * DAY_S + 5 * HOUR_S)]]]),
  )
  await foldFigures(app)
  expect(await rows()).toHaveLength(1)
  expect(await readPoints(app.db, row, today_s - 3 * DAY_S)).toHaveLength(288)
})

it('draws rows of before this way of storing them together with those of now', async () => {
  const { row, chart } = await reportingHost()
  const at = (minutes: number) => new Date((NOW_S - minutes * 60) * 1000).toISOString()
  await asOwner(test, `insert into host_metrics values ($1, $2, 1, 1000, 4000, 20000, 500000)`, [
    String(row),
    at(10 * 60),
  ])
  await asOwner(test, `insert into host_metrics_thinned values ($1, $2, 3, 1000, 4000, 20000, 500000)`, [
    String(row),
    at(30 * 60),
  ])
  await addPoints(app, new Map([[row, [point(NOW_S - 300, { load: 200 })]]]))
  const told = (await chart('48')).load_1m.filter((load) => load !== null)
  expect(told).toEqual([3, 1, 2])
})
