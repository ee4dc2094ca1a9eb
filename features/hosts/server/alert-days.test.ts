import { expect, it } from 'vitest'
import { expectAllMailed, incidentsOf, kindsOf, tick, pass, watchedHosts } from '#tests/harness/alerts.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const HOURS = Number(process.env['ALERT_HOURS'] ?? 0.25)
const STEP_S = 60

const test = await startTestApp()

/** Numbers from 0 to 1 that look random, and are the same at each run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

const title = `opens no alert in ${HOURS} hours of check-ins of which each hundredth is lost, and one for each server that is off`

// A week takes some ten minutes.
it(title, { timeout: 60_000 + HOURS * 30_000 }, async () => {
  await asOwner(test, 'update alert_watch set beat_at = now(), hold_until = now()')
  const customer = await signedInCustomer(test)
  const hosts = await watchedHosts(test, customer, ['one', 'two', 'three', 'four'])
  const random = numbers(7)
  for (const { checkIn } of hosts) await checkIn()
  for (let at_s = 0; at_s < HOURS * 3600; at_s += STEP_S) {
    await pass(test, STEP_S)
    // A process that stands still for a while looks later, as after a kill.
    if (random() > 0.02) await tick(test)
    for (const { checkIn } of hosts) if (random() > 0.01) await checkIn(70)
  }
  const all = await Promise.all(hosts.map((host) => incidentsOf(test, host)))
  expect(all.flat()).toEqual([])
  expect(await kindsOf(test, customer)).toEqual([])
  for (let at_s = 0; at_s < 480; at_s += STEP_S) {
    await pass(test, STEP_S)
    await tick(test)
    for (const { checkIn } of hosts.slice(1)) await checkIn(70)
  }
  expect(await kindsOf(test, customer)).toEqual(['alert_opened'])
  await expectAllMailed(test)
})
