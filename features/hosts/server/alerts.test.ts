import { describe, expect, it } from 'vitest'
import * as contract from '#features/hosts/alert-contract.ts'
import type { App } from '#foundation/server/app.ts'
import { openContent } from '#foundation/server/mail/outbox.ts'
import { openEvents } from '#tests/harness/events.ts'
import {
  alertMails,
  expectAllMailed,
  incidentsOf,
  kindsOf,
  pass,
  tick,
  watchedHost,
  watchedHosts,
  watchFor,
} from '#tests/harness/alerts.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app } = test

const openOf = async ({ api }: Pick<Customer, 'api'>) => bodyOf(await api.call(contract.listAlerts, {}), 200)
const ofHost = async ({ api }: Pick<Customer, 'api'>, hostId: string) =>
  bodyOf(await api.call(contract.getHostAlerts, { params: { hostId } }), 200)
/** An installation that was not down lately, and in which nobody waits for the servers of other tests. */
async function settled(): Promise<void> {
  await asOwner(test, 'update host_agents set look_at = null, alert_at = null')
  await asOwner(test, 'update alert_watch set beat_at = now(), hold_until = now()')
}

describe('a silent server', () => {
  it('opens an alert after five minutes, which is told within 90 s, and closed and told once when it comes back', async () => {
    await settled()
    const { host, ...customer } = await watchedHost(test)
    const stream = await openEvents(test.url, String(customer.api.access_token))
    await host.checkIn()
    await watchFor(test, 290, 10)
    expect(await incidentsOf(test, host)).toEqual([])
    await watchFor(test, 15, 5)
    const [incident, ...more] = await incidentsOf(test, host)
    expect([incident, more]).toMatchObject([{ kind: 'offline', is_open: true }, []])
    expect(incident?.after_s).toBeGreaterThanOrEqual(300)
    await expect.poll(() => stream.events.filter(({ type }) => type === 'host.changed').length).toBe(3)
    stream.close()
    await watchFor(test, 75, 5)
    expect(await alertMails(test, customer)).toEqual([['alert_opened', 'web-1 is not connected']])
    const { items, count } = await openOf(customer)
    expect([items.length, count]).toEqual([1, 1])
    expect(items[0]).toMatchObject({
      kind: 'offline',
      host: { id: host.id, name: 'web-1' },
      closed_at: null,
      peak: null,
    })
    await watchFor(test, 600)
    await host.checkIn()
    expect(await openOf(customer)).toEqual({ items: [], count: 0 })
    await watchFor(test, 80, 10)
    await host.checkIn()
    expect(await kindsOf(test, customer)).toEqual(['alert_opened', 'alert_closed'])
    expect((await ofHost(customer, host.id)).items).toMatchObject([{ closed_at: expect.any(String) }])
    await expectAllMailed(test)
  })
  it('mails of a rule once an hour: what it opens meanwhile is summed up', async () => {
    await settled()
    const { host, ...customer } = await watchedHost(test)
    for (let times = 0; times < 5; times++) {
      await host.checkIn()
      await watchFor(test, 400)
    }
    expect(await kindsOf(test, customer)).toEqual(['alert_opened', 'alert_closed'])
    await host.checkIn()
    for (let minutes = 0; minutes < 40; minutes++) {
      await watchFor(test, 60, 60)
      await host.checkIn()
    }
    expect(await alertMails(test, customer)).toMatchObject([
      ['alert_opened', 'web-1 is not connected'],
      ['alert_closed', 'web-1 is connected again'],
      ['alert_repeated', 'Several alerts for web-1'],
    ])
    await expectAllMailed(test)
  })
  it('is one mail with nine others, in two minutes, and one each with eight', async () => {
    await settled()
    const names = Array.from({ length: 10 }, (_, place) => `web-${place + 1}`)
    const [many, few] = [await signedInCustomer(test), await signedInCustomer(test)]
    const hosts = [
      ...(await watchedHosts(test, many, names)),
      ...(await watchedHosts(test, few, names.slice(1))),
    ]
    for (const { checkIn } of hosts) {
      await checkIn()
      await pass(test, 2)
    }
    await watchFor(test, 420)
    expect(await alertMails(test, many)).toEqual([['alerts_together', '10 alerts for your servers']])
    expect((await openOf(many)).count).toBe(10)
    expect((await openOf(many)).items).toHaveLength(5)
    expect(await kindsOf(test, few)).toEqual(Array.from({ length: 9 }, () => 'alert_opened'))
    await Promise.all(hosts.map(({ checkIn }) => checkIn()))
    await watchFor(test, 80)
    expect(await kindsOf(test, many)).toEqual(['alerts_together', 'alerts_together'])
    expect(await kindsOf(test, few)).toHaveLength(18)
  })
  it('opens no alert for an outage of ours: three minutes after it the servers that are still silent do', async () => {
    await settled()
    const customer = await signedInCustomer(test)
    const [back, gone] = await watchedHosts(test, customer, ['back', 'gone'])
    await back?.checkIn()
    await gone?.checkIn()
    await tick(test)
    await pass(test, 3600, { isJump: true })
    await tick(test)
    await watchFor(test, 120)
    await back?.checkIn()
    expect((await openOf(customer)).count).toBe(0)
    await watchFor(test, 70, 10)
    await back?.checkIn()
    await watchFor(test, 60)
    expect(await alertMails(test, customer)).toEqual([['alert_opened', 'gone is not connected']])
  })
  it('is an outage of ours, too, when all agents of three accounts are silent', async () => {
    await settled()
    const all = await Promise.all([watchedHost(test), watchedHost(test), watchedHost(test)])
    for (const { host } of all) await host.checkIn()
    await watchFor(test, 900)
    const incidents = () => Promise.all(all.map(({ host }) => incidentsOf(test, host)))
    expect((await incidents()).flat()).toEqual([])
    for (let at = 0; at < 200; at += 20) {
      if (at === 160) expect((await incidents()).flat()).toEqual([])
      await all[0]?.host.checkIn()
      await watchFor(test, 20)
    }
    expect((await incidents()).map((some) => some.length)).toEqual([0, 1, 1])
  })
  it('is neither missed nor told twice when the clock goes back, and by three processes at once', async () => {
    await settled()
    const { host, ...customer } = await watchedHost(test)
    await host.checkIn()
    await pass(test, -3600, { isJump: true })
    const three = async () => {
      await Promise.all([tick(test), tick(test), tick(test)])
    }
    await three()
    for (let at = 0; at < 480; at += 20) {
      await pass(test, 20)
      await three()
    }
    expect(await kindsOf(test, customer)).toEqual(['alert_opened'])
    await pass(test, -3600, { isJump: true })
    await three()
    await host.checkIn()
    for (let at = 0; at < 100; at += 20) {
      await pass(test, 20)
      await three()
    }
    expect(await kindsOf(test, customer)).toEqual(['alert_opened', 'alert_closed'])
  })
})

describe('a full disk', () => {
  it('opens an alert once it was full for ten minutes, and closes it with the fullest it was', async () => {
    await settled()
    const { host, ...customer } = await watchedHost(test)
    const report = async (seconds: number, percent: number) => {
      for (let at = 0; at < seconds; at += 30) {
        await host.checkIn(percent)
        await watchFor(test, 30, 30)
      }
    }
    await report(590, 95)
    await report(30, 89.9)
    await report(600, 91)
    expect(await incidentsOf(test, host)).toEqual([])
    await report(90, 97.24)
    expect(await incidentsOf(test, host)).toMatchObject([{ kind: 'disk', is_open: true }])
    expect((await openOf(customer)).items).toMatchObject([{ kind: 'disk', peak: 97.2 }])
    await report(60, 92)
    await report(90, 89)
    expect(await incidentsOf(test, host)).toMatchObject([{ kind: 'disk', is_open: false }])
    expect((await ofHost(customer, host.id)).items).toMatchObject([{ peak: 97.2 }])
    expect(await alertMails(test, customer)).toEqual([
      ['alert_opened', 'A disk of web-1 is 97% full'],
      ['alert_closed', 'The disks of web-1 have room again'],
    ])
  })
  it('is any disk, named by the mount of the fullest, and an agent that tells of none but / has that', async () => {
    await settled()
    const { host, ...customer } = await watchedHost(test)
    const disks = (mail: number, data: number) => [
      { mount: '/var/mail', used_bytes: mail, total_bytes: 100 },
      { mount: '/srv/my data', used_bytes: data, total_bytes: 100 },
    ]
    await host.report(20, { disks: disks(91, 10) })
    await pass(test, 601)
    await host.report(30, { disks: disks(91, 10) })
    expect((await openOf(customer)).items).toMatchObject([{ kind: 'disk', peak: 91, mount: '/var/mail' }])
    await host.report(30, { disks: disks(90, 98) })
    await host.report(95, { disks: disks(0, 0) })
    await watchFor(test, 80)
    await host.report(30, { disks: disks(0, 89) })
    await watchFor(test, 80)
    const { items } = await ofHost(customer, host.id)
    expect(items).toMatchObject([{ peak: 98, mount: '/srv/my data', closed_at: expect.any(String) }])
    const letters = await asOwner(
      test,
      'select id, content from mails where user_id = $1 order by created_at, id',
      [customer.user_id],
    )
    const texts = (letters as { id: string; content: string }[]).map(({ id, content }) =>
      JSON.stringify(openContent(app, id, content)),
    )
    expect(texts.filter((text) => text.includes('/srv/my data'))).toHaveLength(2)
    await host.checkIn(92)
    await pass(test, 601)
    await host.checkIn(92)
    expect((await openOf(customer)).items).toMatchObject([{ peak: 92, mount: '/' }])
  })
  it('costs a check-in that changes nothing no statement', async () => {
    const { host } = await watchedHost(test)
    await host.checkIn(95)
    let statements = 0
    const db = app.db.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    })
    const counted: App = Object.assign(Object.create(app), { db })
    const cost = async (percent: number) => {
      statements = 0
      await host.checkIn(percent, counted)
      return statements
    }
    const usual = await cost(95)
    expect(usual).toBeGreaterThan(0)
    await pass(test, 700)
    await host.checkIn(95)
    expect(await incidentsOf(test, host)).toMatchObject([{ kind: 'disk', is_open: true }])
    expect([await cost(96), await cost(97)]).toEqual([usual, usual])
    expect(await cost(40)).toBeGreaterThan(usual)
    expect(await cost(41)).toBe(usual)
  })
})
