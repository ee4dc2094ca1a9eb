import { afterAll, describe, expect, it } from 'vitest'
import { deleteHost } from '#features/hosts/contract.ts'
import { hostRemoved } from '#features/hosts/event-contract.ts'
import { getProfile } from '#features/profile/contract.ts'
import * as contract from '#features/webhooks/contract.ts'
import { listEvents } from '#foundation/server/account-events/contract.ts'
import { record } from '#foundation/server/account-events/record.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { isSignedBy, openTo, startReceiver } from '#tests/harness/receiver/receiver.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { deliverDue } from './webhooks.ts'
import { must } from '#foundation/must.ts'
import { deliveriesEnded, endDeliveries, heldEndpoint } from './deliver.ts'
import { takeLanes } from './due-lane-queries.ts'

const test = await startTestApp()
const { app } = test
const receiver = await startReceiver()
const SOON = { most_ms: 1_000 }
openTo(app, SOON)
afterAll(() => receiver.close())

let places = 0
type Wish = { types?: string[]; host_ids?: string[]; url?: string }

/** Makes an account with an endpoint, at a path of its own. */
async function endpointOf(owner?: Customer, wish: Wish = {}) {
  const customer = owner ?? (await signedInCustomer(test))
  const path = `/${(places += 1)}`
  const made = await customer.api.call(contract.createEndpoint, {
    body: { url: receiver.url(path), ...wish },
  })
  const { secret, id } = bodyOf(made, 201)
  const params = { endpointId: id }
  const shown = async () => bodyOf(await customer.api.call(contract.getEndpoint, { params }), 200)
  const got = () => receiver.got(path).map(({ event }) => event.data['name'])
  const tried = async () => bodyOf(await customer.api.call(contract.listAttempts, { params }), 200).items
  const change = async (body: { state: 'enabled' | 'paused' }) => {
    const { version } = await shown()
    return bodyOf(
      await customer.api.call(contract.changeEndpoint, { params, body: { ...body, version } }),
      200,
    )
  }
  return { customer, path, id, params, secret, shown, got, tried, change }
}

const happen = (user_id: string, names: readonly string[], host: string | null = null): Promise<void> =>
  transaction(app, 'system', async (tx) => {
    for (const name of names) record(tx, user_id, hostRemoved, { id: 'x', name }, { host })
  })

/** Delivers what is due, and waits until that is done. */
async function deliver(): Promise<void> {
  await deliverDue(app)
  await deliveriesEnded(app)
}

/** Makes the next attempt due, as if the pause was over. */
const due = (id: string) =>
  asOwner(test, 'update webhook_lanes set next_at = now() where endpoint_id = $1', [id])
const status = (code: number) => (response: { writeHead(code: number): { end(text?: string): unknown } }) =>
  void response.writeHead(code).end('no')

describe('O-13 webhooks', () => {
  it('get what happens from then on, in order, signed, with the bytes and the ids of the pulled list', async () => {
    const { customer, id, path, secret, got, shown, tried } = await endpointOf()
    await happen(customer.user_id, ['one', 'two'])
    await happen(customer.user_id, ['three'])
    expect(await shown()).toMatchObject({ waiting: 3, last_ok_at: null, state: 'enabled' })
    await deliver()
    expect(got()).toEqual(['one', 'two', 'three'])
    const { items } = bodyOf(await customer.api.call(listEvents, { query: {} }), 200)
    const arrived = receiver.got(path)
    expect(arrived.map(({ event }) => event)).toEqual(items)
    expect(arrived.map((one) => one.id)).toEqual(items.map((one) => one.id))
    expect(arrived.every((one) => isSignedBy(secret, one))).toBe(true)
    expect(await shown()).toMatchObject({
      waiting: 0,
      last_ok_at: expect.any(String),
      recent: { succeeded: 3, failed: 0 },
    })
    const [last] = await tried()
    expect(last).toMatchObject({
      number: 3,
      seq: items[2]?.seq,
      is_ok: true,
      answer: { status: 204 },
      failure: null,
    })
    expect(last?.request.body).toBe(arrived[2]?.body)
    expect(last?.request.headers['webhook-signature']).toBe(arrived[2]?.headers['webhook-signature'])
    const stored = JSON.stringify(await asOwner(test, 'select * from webhook_endpoints where id = $1', [id]))
    expect(stored).not.toContain(secret.slice(6))
  })

  it('send a failed event again after growing pauses, and what waits behind it in its order', async () => {
    const { customer, id, path, got, shown, tried } = await endpointOf()
    receiver.answer(path, status(503))
    await happen(customer.user_id, ['first', 'second'])
    await deliver()
    await deliver()
    expect(got()).toEqual(['first'])
    expect(await shown()).toMatchObject({
      waiting: 2,
      failing_since: expect.any(String),
      next_at: expect.any(String),
    })
    await due(id)
    await deliver()
    const [{ pause }] = (await asOwner(
      test,
      'select extract(epoch from next_at - now())::int as pause from webhook_lanes where endpoint_id = $1',
      [id],
    )) as [{ pause: number }]
    expect(pause).toBeGreaterThan(25)
    expect(pause).toBeLessThanOrEqual(30)
    receiver.answer(
      path,
      (response) => void response.writeHead(302, { location: 'https://127.0.0.2/' }).end(),
    )
    await due(id)
    await deliver()
    expect((await tried()).map(({ answer }) => answer?.status)).toEqual([302, 503, 503])
    receiver.answer(path, status(200))
    await due(id)
    await deliver()
    expect(got()).toEqual(['first', 'first', 'first', 'first', 'second'])
    expect(await shown()).toMatchObject({
      waiting: 0,
      failing_since: null,
      recent: { succeeded: 2, failed: 3 },
    })
  })

  it('hold up no other while one of them hangs, and are taken over when a worker is gone, not before', async () => {
    const hanging = await endpointOf()
    receiver.answer(hanging.path, () => {})
    const other = await endpointOf()
    await happen(hanging.customer.user_id, ['lost'])
    await happen(other.customer.user_id, ['a', 'b'])
    await deliverDue(app)
    await expect.poll(other.got, { interval: 10 }).toEqual(['a', 'b'])
    // The second still hangs, and no second worker takes its event.
    await deliverDue(app)
    expect(hanging.got()).toEqual(['lost'])
    await deliveriesEnded(app)
    expect((await hanging.tried())[0]).toMatchObject({ is_ok: false, answer: null, failure: 'slow' })

    await happen(other.customer.user_id, ['c'])
    const lease = { lease: '00000000-0000-4000-8000-000000000000', most: 9, lease_s: 30 }
    expect(await transaction(app, 'system', (tx) => takeLanes(tx, lease))).toHaveLength(1)
    await deliver()
    expect(other.got()).toEqual(['a', 'b'])
    await asOwner(test, 'update webhook_lanes set leased_until = now() where endpoint_id = $1', [other.id])
    await deliver()
    expect(other.got()).toEqual(['a', 'b', 'c'])
  })

  it('of one account are tried five at once, so that its slow programs leave places to others', async () => {
    openTo(app)
    const customer = await signedInCustomer(test)
    const slow: Awaited<ReturnType<typeof endpointOf>>[] = []
    for (let made = 0; made < 8; made += 1) slow.push(await endpointOf(customer))
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    for (const { path } of slow)
      receiver.answer(path, (response) => void answered.then(() => response.writeHead(200).end()))
    const other = await endpointOf()
    await happen(customer.user_id, ['a'])
    await deliverDue(app)
    await deliverDue(app)
    const begun = () => slow.filter(({ got }) => got().length > 0).length
    await expect.poll(begun, { interval: 10 }).toBe(5)
    await happen(other.customer.user_id, ['b'])
    await deliverDue(app)
    await expect.poll(other.got, { interval: 10 }).toEqual(['b'])
    expect(begun()).toBe(5)
    answer()
    await deliveriesEnded(app)
    await deliver()
    expect(slow.flatMap(({ got }) => got())).toEqual(Array(8).fill('a'))
    openTo(app, SOON)
  })

  it('end with the event that is on its way when a process stops, and have the rest from the next', async () => {
    const { customer, path, got } = await endpointOf()
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    receiver.answer(path, (response) => void answered.then(() => response.writeHead(200).end()))
    await happen(customer.user_id, ['a', 'b', 'c'])
    await deliverDue(app)
    await expect.poll(got, { interval: 10 }).toEqual(['a'])
    const ended = endDeliveries(app)
    answer()
    await ended
    expect(got()).toEqual(['a'])
    await deliver()
    expect(got()).toEqual(['a', 'b', 'c'])
  })

  it('get nothing more from the moment on at which they are paused, and keep their lane on a slow machine', async () => {
    const { customer, id, path, got, change } = await endpointOf()
    receiver.answer(path, (response, { event }) => {
      const isLate = event.data['name'] === 'a'
      const done = async () => {
        if (isLate) await change({ state: 'paused' })
        response.writeHead(200).end()
      }
      void done()
    })
    await happen(customer.user_id, ['a', 'b'])
    await deliver()
    expect(got()).toEqual(['a'])
    await change({ state: 'enabled' })
    const lease = { lease: '00000000-0000-4000-8000-000000000001', most: 9, lease_s: 12 }
    const taken = await transaction(app, 'system', (tx) => takeLanes(tx, lease))
    const lane = must(taken.find(({ endpoint_id }) => endpoint_id === id))
    expect(await heldEndpoint(app, lane)).toMatchObject({ id })
    const [{ left }] = (await asOwner(
      test,
      'select extract(epoch from leased_until - now())::int as left from webhook_lanes where endpoint_id = $1',
      [id],
    )) as [{ left: number }]
    expect(left).toBeGreaterThan(25)
    await asOwner(test, 'update webhook_lanes set leased_until = now() where endpoint_id = $1', [id])
    await deliver()
    expect(got()).toEqual(['a', 'b'])
    // The lane is another's meanwhile: this worker sends nothing more.
    expect(await heldEndpoint(app, lane)).toBeUndefined()
  })

  it('whose answer comes when another worker has the lane are noted by that one alone', async () => {
    const { customer, id, path, got, tried } = await endpointOf()
    const lease = { lease: '00000000-0000-4000-8000-000000000002', most: 9, lease_s: 12 }
    const takeOver = async () => {
      await asOwner(test, 'update webhook_lanes set leased_until = now() where endpoint_id = $1', [id])
      await transaction(app, 'system', (tx) => takeLanes(tx, lease))
    }
    receiver.answer(path, (response) => void takeOver().then(() => response.writeHead(200).end()))
    await happen(customer.user_id, ['a'])
    await deliver()
    expect([got(), await tried()]).toEqual([['a'], []])
  })

  it('are signed by both secrets while one is being replaced', async () => {
    const { customer, id, params, path, secret } = await endpointOf()
    const answer = await customer.api.call(contract.replaceSecret, { params })
    const fresh = bodyOf(answer, 200)
    expect(fresh.old_secret_until).not.toBeNull()
    await happen(customer.user_id, ['both'])
    await deliver()
    await asOwner(test, 'update webhook_endpoints set old_secret_until = now() where id = $1', [id])
    await happen(customer.user_id, ['new'])
    await deliver()
    const signed = receiver.got(path).map((one) => [isSignedBy(secret, one), isSignedBy(fresh.secret, one)])
    expect(signed).toEqual([
      [true, true],
      [false, true],
    ])
  })

  it('end with 410, or after three days without a success, with a mail, and go on where they stood', async () => {
    const { customer, id, path, got, shown, change } = await endpointOf()
    receiver.answer(path, status(410))
    await happen(customer.user_id, ['kept'])
    await deliver()
    expect(await shown()).toMatchObject({ state: 'disabled', disabled_why: 'gone', next_at: null })
    const mail = await test.mails.next(customer.email)
    expect(mail.text).toContain('answered 410')
    // Every page says so, until it is enabled.
    const attention = async () => bodyOf(await customer.api.call(getProfile, {}), 200).attention
    expect(await attention()).toEqual(['webhook_disabled'])
    await happen(customer.user_id, ['later'])
    await deliver()
    expect(got()).toEqual(['kept'])
    receiver.answer(path, status(500))
    await change({ state: 'enabled' })
    expect(await attention()).toBeUndefined()
    await deliver()
    expect(await shown()).toMatchObject({ state: 'enabled', recent: { failed: 2 } })
    const failingFor = async (hours: number) => {
      await asOwner(
        test,
        'update webhook_endpoints set failing_since = now() - make_interval(hours => $2) where id = $1',
        [id, hours],
      )
      await due(id)
      await deliver()
    }
    await failingFor(25)
    expect((await test.mails.next(customer.email)).text).toContain('For 24 hours')
    await failingFor(30)
    await failingFor(73)
    expect((await test.mails.next(customer.email)).text).toContain('For 3 days')
    expect(await shown()).toMatchObject({ state: 'disabled', disabled_why: 'failing' })
    expect(await attention()).toEqual(['webhook_disabled'])
    receiver.answer(path, status(200))
    await change({ state: 'enabled' })
    await deliver()
    expect(got().slice(-2)).toEqual(['kept', 'later'])
  })

  it('skip an event that failed 20 times over 6 hours where others wait, and send it again when asked', async () => {
    const { customer, id, path, params, got, shown } = await endpointOf()
    receiver.answer(
      path,
      (response, { event }) => void response.writeHead(event.data['name'] === 'bad' ? 500 : 200).end(),
    )
    await happen(customer.user_id, ['bad'])
    const failed = async (failures: number, hours: number) => {
      await asOwner(
        test,
        `update webhook_lanes set failures = $2, first_failed_at = now() - make_interval(hours => $3), next_at = now() where endpoint_id = $1`,
        [id, failures, hours],
      )
      await deliver()
    }
    await failed(30, 9)
    // Nothing waits behind it, so it is tried on.
    expect(await shown()).toMatchObject({ waiting: 1, skipped: [] })
    await happen(customer.user_id, ['good'])
    await failed(18, 9)
    await failed(25, 5)
    expect(got()).toEqual(['bad', 'bad', 'bad'])
    await failed(19, 7)
    await deliver()
    expect(got()).toEqual(['bad', 'bad', 'bad', 'bad', 'good'])
    const { skipped, waiting } = await shown()
    expect([skipped.length, waiting]).toEqual([1, 0])
    receiver.answer(path, status(200))
    const again = await customer.api.call(contract.sendEventAgain, {
      params: { ...params, seq: String(skipped[0]) },
    })
    expect(bodyOf(again, 200)).toMatchObject({
      is_ok: true,
      seq: skipped[0],
      answer: { status: 200, body: 'no' },
    })
    expect(await shown()).toMatchObject({ skipped: [] })
  })

  it('are paused, tested, replayed from a moment, and limited to kinds and servers', async () => {
    const customer = await signedInCustomer(test)
    const host = await addHost(customer.api, { name: 'mine' })
    const all = await endpointOf(customer)
    const some = await endpointOf(customer, { types: ['host.deleted'], host_ids: [host.id] })
    const { version } = await all.change({ state: 'paused' })
    const stale = { description: 'stale', version: version - 1 }
    const refused = await customer.api.call(contract.changeEndpoint, { params: all.params, body: stale })
    expect(refused).toMatchObject({ status: 409, body: { present: { state: 'paused', version } } })
    await happen(customer.user_id, ['of no server'])
    await happen(customer.user_id, ['of mine'], host.id)
    await deliver()
    expect([all.got(), some.got()]).toEqual([[], ['of mine']])
    const tested = bodyOf(await customer.api.call(contract.testEndpoint, { params: all.params }), 200)
    expect(tested).toMatchObject({ type: 'webhook.test', seq: null, is_ok: true })
    expect(receiver.got(all.path)[0]).toMatchObject({ id: tested.event_id, body: tested.request.body })
    await all.change({ state: 'enabled' })
    await deliver()
    expect(all.got().slice(1)).toEqual(['of no server', 'of mine'])
    const body = { from: new Date(Date.now() - 3_600_000).toISOString() }
    bodyOf(await customer.api.call(contract.replayEvents, { params: all.params, body }), 200)
    await deliver()
    expect(all.got().slice(3)).toEqual(['of no server', 'of mine'])
    const ids = receiver.got(all.path).map(({ id }) => id)
    expect(ids.slice(3)).toEqual(ids.slice(1, 3))
  })

  it('lead to public https addresses alone, belong to their owner, and are ten at most', async () => {
    const { customer, params } = await endpointOf()
    const make = (body: { url: string; types?: string[]; host_ids?: string[] }) =>
      customer.api.call(contract.createEndpoint, { body })
    for (const [url, code] of [
      ['http://receiver.example/', 'https_required'],
      ['https://127.1.1.1/', 'address_not_allowed'],
      ['https://0x7f000002/', 'address_not_allowed'],
      ['not a url', 'invalid_url'],
      [`${app.config.publicOrigin}/dev/webhooks/x`, 'https_required'],
    ] as const)
      expect((await make({ url })).body, url).toMatchObject(refusal(400, code, 'url'))
    const url = receiver.url('/ten')
    expect((await make({ url, types: ['host.painted'] })).body).toMatchObject(
      refusal(400, 'unknown_event_type', 'types'),
    )
    const gone = await addHost(customer.api, { name: 'gone' })
    const some = bodyOf(await make({ url, host_ids: [gone.id] }), 201)
    const removed = await customer.api.call(deleteHost, {
      params: { hostId: gone.id },
      query: { name: 'gone' },
    })
    expect(removed.status).toBe(204)
    // A server that is gone meanwhile is no reason to refuse an edit of the rest.
    const edited = { host_ids: [gone.id], description: 'Later', version: some.version }
    const kept = await customer.api.call(contract.changeEndpoint, {
      params: { endpointId: some.id },
      body: edited,
    })
    expect(bodyOf(kept, 200)).toMatchObject({ host_ids: [gone.id], description: 'Later' })
    await customer.api.call(contract.deleteEndpoint, { params: { endpointId: some.id } })
    const foreign = await addHost((await signedInCustomer(test)).api, { name: 'theirs' })
    expect((await make({ url, host_ids: [foreign.id] })).body).toMatchObject(
      refusal(400, 'unknown_host', 'host_ids'),
    )
    for (let made = 1; made < 10; made += 1) bodyOf(await make({ url }), 201)
    expect((await make({ url })).body).toMatchObject(refusal(409, 'too_many_webhooks'))
    const other = await signedInCustomer(test, { proven_s_ago: 4000 })
    expect((await other.api.call(contract.getEndpoint, { params })).status).toBe(404)
    expect((await other.api.call(contract.listAttempts, { params })).status).toBe(404)
    expect((await other.api.call(contract.deleteEndpoint, { params })).status).toBe(404)
    expect((await other.api.call(contract.createEndpoint, { body: { url } })).body).toMatchObject(
      refusal(403, 'reauthentication_required'),
    )
    expect((await customer.api.call(contract.deleteEndpoint, { params })).status).toBe(204)
    expect(bodyOf(await customer.api.call(contract.listEndpoints, {}), 200).items).toHaveLength(9)
  })
})
