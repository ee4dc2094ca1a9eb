import { expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import {
  incidentsOf,
  kindsOf,
  pass,
  tick,
  watchedHost,
  watchedHosts,
  watchFor,
} from '#tests/harness/alerts.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { forgetOldAlerts } from './alert-watch.ts'
import { openOffline } from './alert-watch-queries.ts'

const test = await startTestApp()
const { app } = test

/** Nobody waits for the servers of other tests, and the installation was up all the time. */
async function settled(): Promise<void> {
  await asOwner(test, 'update host_agents set look_at = null, alert_at = null')
  await asOwner(test, 'update alert_watch set beat_at = now(), hold_until = now()')
}

it('a process that stood still between watching and opening opens no alert', async () => {
  await settled()
  const { host } = await watchedHost(test)
  await host.checkIn()
  await watchFor(test, 280)
  await pass(test, 60)
  const open = () => transaction(app, 'system', (tx) => openOffline(tx, 10))
  await asOwner(test, `update alert_watch set beat_at = now() - interval '31 seconds'`)
  expect(await open()).toEqual([])
  await asOwner(test, 'update alert_watch set beat_at = now()')
  expect(await open()).toMatchObject([{ kind: 'offline', host_id: host.id }])
})

it('after an outage of ours an agent that was told to come seldom has its interval more time', async () => {
  await settled()
  const customer = await signedInCustomer(test)
  const [often, seldom] = await watchedHosts(test, customer, ['often', 'seldom'])
  if (!often || !seldom) throw new Error('there are two')
  await often.checkIn()
  await seldom.checkIn()
  await asOwner(test, 'update host_agents set interval_s = 300 where host_id = $1', [String(seldom.row)])
  await pass(test, 3600, { isJump: true })
  await tick(test)
  await watchFor(test, 200)
  expect([await incidentsOf(test, often), await incidentsOf(test, seldom)]).toMatchObject([[{}], []])
  await watchFor(test, 140)
  expect(await incidentsOf(test, seldom)).toMatchObject([{ kind: 'offline', is_open: true }])
})

it('ten within two minutes are one mail, also where five of them were told already', async () => {
  await settled()
  const customer = await signedInCustomer(test)
  const names = Array.from({ length: 10 }, (_, place) => `web-${place + 1}`)
  const hosts = await watchedHosts(test, customer, names)
  for (const { checkIn } of hosts.slice(0, 5)) await checkIn()
  await pass(test, 90)
  for (const { checkIn } of hosts.slice(5)) await checkIn()
  await watchFor(test, 400, 10)
  const alone = Array.from({ length: 5 }, () => 'alert_opened')
  expect(await kindsOf(test, customer)).toEqual([...alone, 'alerts_together'])
})

it('alerts are forgotten 400 days after they closed, and open ones never', async () => {
  await settled()
  const customer = await signedInCustomer(test)
  const hosts = await watchedHosts(test, customer, ['kept', 'old', 'open'])
  for (const [place, ended] of ["interval '399 days'", "interval '401 days'", 'null::interval'].entries())
    await asOwner(
      test,
      `insert into alert_incidents (host_id, user_id, kind, since, opened_at, closed_at)
        select $1, $2, 'offline', at, at, now() - ${ended} from (select now() - interval '500 days' as at) begun`,
      [String(hosts[place]?.row), customer.user_id],
    )
  await forgetOldAlerts(app)
  const left = await Promise.all(hosts.map((host) => incidentsOf(test, host)))
  expect(left.map(({ length }) => length)).toEqual([1, 0, 1])
})
