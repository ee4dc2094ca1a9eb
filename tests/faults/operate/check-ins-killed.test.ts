import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { getHost, getMetrics } from '#features/hosts/contract.ts'
import { readPoints } from '#features/hosts/server/figures.ts'
import { hostOf } from '#features/hosts/server/own-host.ts'
import { checkIn, figures, tokenFor } from '#tests/harness/agents.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { startInstallation } from '#tests/faults/installation.ts'

/** The seconds of a chart that a killed process may lose, and for how long the agent reports before: by real clocks. */
const LOSS_s = 300
const RUN_s = 370
const EACH_s = 20

const installation = await startInstallation()
afterAll(() => installation.close())

it(`kill -9 of everything between check-ins loses no figures but those of the last ${LOSS_s} s; the agent goes on as if nothing had been`, async () => {
  const { api, user_id } = await signedInCustomer(installation)
  const { id } = await addHost(api, { name: 'web-1' })
  const token = await tokenFor(api, id)
  const { id: row } = await hostOf(installation.app.db, user_id, id)
  const told: { at_s: number; load: number }[] = []
  const report = async (load: number) => {
    const at_s = Date.now() / 1000
    expect((await checkIn(installation, token, { ...figures, load_1m: load })).status).toBe(200)
    told.push({ at_s, load: load * 100 })
  }
  const begun_s = Date.now() / 1000
  for (let load = 1; Date.now() / 1000 < begun_s + RUN_s; load += 1) {
    await report(load)
    await sleep(EACH_s * 1000)
  }
  const killed_s = Date.now() / 1000
  await installation.kill()
  await installation.start()

  const kept = await readPoints(installation.app.db, row, Math.floor(begun_s) - 60)
  // A point is the last report of its minute.
  const isKept = (at_s: number) => kept.some((point) => point.at_s >= at_s - 1 && point.at_s <= at_s + 60)
  const owed = told.filter(({ at_s }) => at_s < killed_s - LOSS_s)
  expect(owed.length).toBeGreaterThan(2)
  expect(owed.filter(({ at_s }) => !isKept(at_s))).toEqual([])
  expect(kept.filter(({ load }) => !told.some((one) => one.load === load))).toEqual([])
  const last_s = Math.max(...kept.map(({ at_s }) => at_s))
  process.stdout.write(
    `  ${told.length} reports in ${RUN_s} s; the kill lost the last ${Math.round(killed_s - last_s)} s of them\n`,
  )

  const host = bodyOf(await api.call(getHost, { params: { hostId: id } }), 200)
  expect(host.connected).toBe(true)
  // A chart that is open has its figures written soon.
  await api.call(getMetrics, { params: { hostId: id }, query: { hours: '24' } })
  const goesOn = async () => {
    await report(77)
    return (await readPoints(installation.app.db, row, Math.floor(killed_s))).some(
      ({ load }) => load === 7700,
    )
  }
  await expect.poll(goesOn, { timeout: 60_000, interval: 3_000 }).toBe(true)
  expect(await asOwner(installation, 'select from alert_incidents')).toEqual([])
})
