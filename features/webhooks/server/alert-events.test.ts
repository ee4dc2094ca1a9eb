import { afterAll, expect, it } from 'vitest'
import * as contract from '#features/webhooks/contract.ts'
import { listEvents } from '#foundation/server/account-events/contract.ts'
import { pass, watchedHost, watchFor } from '#tests/harness/alerts.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { isSignedBy, openTo, startReceiver } from '#tests/harness/receiver/receiver.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { deliverDue } from './webhooks.ts'
import { deliveriesEnded } from './deliver.ts'

const test = await startTestApp()
const { app } = test
const receiver = await startReceiver()
openTo(app, { most_ms: 1_000 })
afterAll(() => receiver.close())

it('O-12, O-13 alerts that open and close are in the list of events, and come to a webhook, with their server and the fullest disk', async () => {
  await asOwner(test, 'update alert_watch set beat_at = now(), hold_until = now()')
  const { host, api } = await watchedHost(test)
  const body = { url: receiver.url('/alerts'), types: ['alert.opened', 'alert.closed'] }
  const { secret } = bodyOf(await api.call(contract.createEndpoint, { body }), 201)
  await host.checkIn(95)
  await pass(test, 601)
  await host.checkIn(96)
  await host.checkIn(40)
  await watchFor(test, 320)
  await host.checkIn(40)
  const { items } = bodyOf(await api.call(listEvents, { query: { type: 'alert.*', after: '0' } }), 200)
  const disk = { kind: 'disk', host: { id: host.id, name: 'web-1' } }
  const silent = { kind: 'offline', host: disk.host, peak: null }
  const is = { open: { closed_at: null }, over: { closed_at: expect.stringMatching(/Z$/) } }
  const told = [
    ['alert.opened', { ...disk, ...is.open, peak: 96 }],
    ['alert.closed', { ...disk, ...is.over, peak: 96 }],
    ['alert.opened', { ...silent, ...is.open }],
    ['alert.closed', { ...silent, ...is.over }],
  ]
  expect(items.map(({ type, data }) => [type, data])).toMatchObject(told)
  expect(new Set(items.map(({ host_id }) => host_id))).toEqual(new Set([host.id]))
  for (const _ of told) {
    await deliverDue(app)
    await deliveriesEnded(app)
  }
  const got = receiver.got('/alerts')
  expect(got.map(({ event }) => [event.type, event.data])).toMatchObject(told)
  expect(got.every((one) => isSignedBy(secret, one))).toBe(true)
})
