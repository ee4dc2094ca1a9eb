import { describe, expect, it } from 'vitest'
import * as contract from '#features/hosts/alert-contract.ts'
import { deleteHost } from '#features/hosts/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import {
  agentFor,
  alertMails,
  incidentsOf,
  kindsOf,
  pass,
  tick,
  watchedHost,
  watchedHosts,
  watchFor,
  type Watched,
} from '#tests/harness/alerts.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { helperOf } from '#tests/harness/grants.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { leave } from '#tests/harness/leaving.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { transferred } from '#tests/harness/transfers.ts'
import { giveToOwnAccount, lockAllToGive } from './hosts.ts'

const test = await startTestApp()
const { app } = test

type Api = Pick<Customer, 'api'>
type OwnBody = InputOf<typeof contract.updateHostAlerts>['body']
type Body = InputOf<typeof contract.updateAlertSettings>['body']
const setAll = ({ api }: Api, body: Body) => api.call(contract.updateAlertSettings, { body })
const setOwn = ({ api }: Api, { id }: Watched, body: OwnBody) =>
  api.call(contract.updateHostAlerts, { params: { hostId: id }, body })
const read = async ({ api }: Api, { id }: Watched) =>
  bodyOf(await api.call(contract.getHostAlerts, { params: { hostId: id } }), 200)
const openCount = async ({ api }: Api) => bodyOf(await api.call(contract.listAlerts, {}), 200).count

async function settled(): Promise<void> {
  await asOwner(test, 'update host_agents set look_at = null, alert_at = null')
  await asOwner(test, 'update alert_watch set beat_at = now(), hold_until = now()')
}
/** A server whose alert for silence is open and told. */
async function silentHost() {
  await settled()
  const customer = await watchedHost(test)
  await customer.host.checkIn()
  await watchFor(test, 400)
  expect(await kindsOf(test, customer)).toEqual(['alert_opened'])
  return customer
}
/** Suspends a server as a row does, and ends that. */
const suspend = ({ row }: Watched) =>
  asOwner(
    test,
    `insert into suspensions (host_id, user_id, reason, text_public, text_internal)
      select id, user_id, 'abuse', '', 'x' from hosts where id = $1`,
    [String(row)],
  )

describe('the values of alerts', () => {
  it('are those of the server, or of the account, or the usual ones; 0 is off', async () => {
    await settled()
    const { host, ...customer } = await watchedHost(test)
    const usual = { offline_minutes: 5, disk_percent: 90 }
    expect(await read(customer, host)).toEqual({
      own: { offline_minutes: null, disk_percent: null },
      account: usual,
      items: [],
    })
    expect(bodyOf(await setAll(customer, { offline_minutes: 30 }), 200)).toEqual({
      ...usual,
      offline_minutes: 30,
    })
    expect(bodyOf(await setOwn(customer, host, { disk_percent: 60 }), 200)).toMatchObject({
      own: { offline_minutes: null, disk_percent: 60 },
      account: { offline_minutes: 30, disk_percent: 90 },
    })
    await host.checkIn(65)
    for (let minutes = 0; minutes < 12; minutes++) {
      await watchFor(test, 60, 60)
      await host.checkIn(65)
    }
    await watchFor(test, 29 * 60, 60)
    expect((await incidentsOf(test, host)).map(({ kind }) => kind)).toEqual(['disk'])
    // A silence that lasts already is judged by the new value.
    bodyOf(await setOwn(customer, host, { offline_minutes: 2, disk_percent: 0 }), 200)
    await tick(test)
    expect(await incidentsOf(test, host)).toMatchObject([
      { kind: 'disk', is_open: false },
      { kind: 'offline', is_open: true },
    ])
    bodyOf(await setOwn(customer, host, { offline_minutes: null }), 200)
    bodyOf(await setAll(customer, { offline_minutes: 0 }), 200)
    expect(await openCount(customer)).toBe(0)
    await watchFor(test, 120)
    await host.checkIn(99)
    await watchFor(test, 1200, 60)
    expect((await incidentsOf(test, host)).some(({ is_open }) => is_open)).toBe(false)
    // Each was closed by its owner, and so without a mail.
    expect((await kindsOf(test, customer)).filter((kind) => kind !== 'alert_opened')).toEqual([])
    const [later] = await watchedHosts(test, customer, ['later'])
    await later?.checkIn()
    await watchFor(test, 600, 60)
    expect(await incidentsOf(test, must(later))).toEqual([])
  })
  it.each([
    { offline_minutes: 1 },
    { offline_minutes: 1441 },
    { offline_minutes: -1 },
    { offline_minutes: 2.5 },
    { disk_percent: 49 },
    { disk_percent: 100 },
  ])('refuses %o', async (body) => {
    const { host, ...customer } = await watchedHost(test)
    const [param] = Object.keys(body)
    expect((await setAll(customer, body)).body).toMatchObject(refusal(400, 'invalid', param))
    expect((await setOwn(customer, host, body)).body).toMatchObject(refusal(400, 'invalid', param))
    for (const value of [
      { offline_minutes: 2, disk_percent: 50 },
      { offline_minutes: 1440, disk_percent: 99 },
    ])
      expect(bodyOf(await setAll(customer, value), 200)).toEqual(value)
  })
  it('of the account are changed by helpers for all servers only, and their changes are in its activity', async () => {
    const { host, ...owner } = await watchedHost(test)
    const [other] = await watchedHosts(test, owner, ['other'])
    const some = await helperOf(test, owner, { role: 'technical', host_ids: [host.id] })
    const whole = `/api/alerts/settings/?for=${owner.user_id}`
    expect((await some.api.patch(whole, { disk_percent: 70 })).status).toBe(403)
    bodyOf(await setOwn(some, host, { disk_percent: 70 }), 200)
    expect((await setOwn(some, must(other), { disk_percent: 70 })).status).toBe(404)
    const all = await helperOf(test, owner, { role: 'technical' })
    expect((await all.api.patch(whole, { disk_percent: 80 })).status).toBe(200)
    const acts = await asOwner(
      test,
      `select detail->>'by' as by from audit where user_id = $1 and act = 'host.alerts_changed' order by id`,
      [owner.user_id],
    )
    expect(acts).toMatchObject([{ by: some.user_id }, { by: all.user_id }])
  })
})

describe('a server with an open alert', () => {
  it('that changes hands leaves it behind, and the new owner is told of what is theirs', async () => {
    const { host, ...owner } = await silentHost()
    bodyOf(await setOwn(owner, host, { disk_percent: 55 }), 200)
    const receiver = await signedInCustomer(test)
    await transferred(owner, receiver, host.id)
    expect([await openCount(owner), await openCount(receiver)]).toEqual([0, 0])
    expect(await read(receiver, host)).toMatchObject({ own: { disk_percent: null }, items: [] })
    const agent = await agentFor(test, receiver, host.id)
    await agent.checkIn()
    await watchFor(test, 420)
    expect(await kindsOf(test, owner)).toEqual(['alert_opened'])
    expect(await alertMails(test, receiver)).toEqual([['alert_opened', 'web-1 is not connected']])
  })
  it('that is deleted needs no attention, and is told of no more; with the account all of it goes', async () => {
    const { host, ...owner } = await silentHost()
    bodyOf(await owner.api.call(deleteHost, { params: { hostId: host.id }, query: { name: 'web-1' } }), 204)
    expect(await openCount(owner)).toBe(0)
    await watchFor(test, 120)
    expect(await kindsOf(test, owner)).toEqual(['alert_opened'])
    const { host: second, ...leaving } = await silentHost()
    bodyOf(await setAll(leaving, { disk_percent: 70 }), 200)
    expect((await leave(leaving)).status).toBe(204)
    await watchFor(test, 120)
    const left = `select host_id from alert_incidents where user_id = $1 union all select host_id from alert_settings where user_id = $1`
    expect(await asOwner(test, left, [leaving.user_id])).toEqual([])
    expect(await incidentsOf(test, second)).toEqual([])
  })
  it('that is suspended: none opens until that ends, and an open one closes as ever', async () => {
    const { host, ...owner } = await silentHost()
    await suspend(host)
    await host.checkIn(95)
    await watchFor(test, 80)
    expect(await kindsOf(test, owner)).toEqual(['alert_opened', 'alert_closed'])
    await pass(test, 7200)
    await asOwner(test, 'update alert_watch set beat_at = now(), hold_until = now()')
    await host.checkIn(95)
    await watchFor(test, 900, 60)
    expect((await incidentsOf(test, host)).filter(({ is_open }) => is_open)).toEqual([])
    await asOwner(test, 'update suspensions set lifted_at = clock_timestamp() where host_id = $1', [
      String(host.row),
    ])
    await watchFor(test, 420, 60)
    expect(await incidentsOf(test, host)).toMatchObject([
      { is_open: false },
      { kind: 'offline', is_open: true },
    ])
    await host.checkIn(95)
    expect(await incidentsOf(test, host)).toMatchObject([
      {},
      { is_open: false },
      { kind: 'disk', is_open: true },
    ])
  })
  it('of an account that is merged goes along, with its own values and those of the other account', async () => {
    const { host, ...from } = await silentHost()
    const to = await signedInCustomer(test)
    bodyOf(await setOwn(from, host, { disk_percent: 70 }), 200)
    bodyOf(await setAll(to, { offline_minutes: 0, disk_percent: 80 }), 200)
    await transaction(app, 'system', async (tx) => {
      const hosts = await lockAllToGive(tx, { from: from.user_id, to: to.user_id })
      await giveToOwnAccount(app, tx, hosts, to.user_id)
    })
    expect(await read(to, host)).toMatchObject({
      own: { offline_minutes: null, disk_percent: 70 },
      account: { offline_minutes: 0, disk_percent: 80 },
      items: [{ kind: 'offline', closed_at: expect.any(String) }],
    })
    expect(await openCount(from)).toBe(0)
    await host.checkIn()
    await watchFor(test, 600, 60)
    expect([await kindsOf(test, from), await kindsOf(test, to)]).toEqual([['alert_opened'], []])
  })
})
