import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { hostRemoved } from '#features/hosts/event-contract.ts'
import { paths } from '#features/paths.ts'
import * as own from '#features/webhooks/contract.ts'
import * as contract from '#features/webhooks/staff-contract.ts'
import { must } from '#foundation/must.ts'
import { record } from '#foundation/server/account-events/record.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { NotFound } from '#foundation/server/operator-errors.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { isSignedBy, openTo, startReceiver, type Got } from '#tests/harness/receiver/receiver.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { deliverDue } from './webhooks.ts'
import { deliveriesEnded } from './deliver.ts'

const test = await startTestApp()
const { app } = test
const receiver = await startReceiver()
openTo(app, { most_ms: 5_000 })
afterAll(() => receiver.close())
const admin = await signedInStaff(test, { roles: ['admin'] })

let places = 0

/** Makes an endpoint of the operator for one kind of event, at a path of its own. */
async function operatorEndpoint() {
  const path = `/${(places += 1)}`
  const body = { url: receiver.url(path), types: [hostRemoved.type] }
  const { id, secret } = bodyOf(await admin.api.call(contract.createOperatorEndpoint, { body }), 201)
  const params = { endpointId: id }
  const shown = async () => bodyOf(await admin.api.call(contract.getOperatorEndpoint, { params }), 200)
  const got = () => receiver.got(path).map(({ event }) => String(event.data['name']))
  const change = async (state: 'enabled' | 'paused') => {
    const { version } = await shown()
    return admin.api.call(contract.changeOperatorEndpoint, { params, body: { state, version } })
  }
  return { id, secret, path, params, shown, got, change }
}

/** An account whose events go by this lane. */
const accountIn = (lane: number): string => `${randomUUID().slice(0, -4)}000${lane}`

const happen = (names: readonly string[], accounts: readonly string[]): Promise<void> =>
  transaction(app, 'system', async (tx) => {
    for (const name of names)
      for (const [place, account] of accounts.entries())
        record(tx, account, hostRemoved, { id: 'x', name: `${place}${name}` })
  })

async function deliver(): Promise<void> {
  await deliverDue(app)
  await deliveriesEnded(app)
}

describe('O-13 an endpoint of the operator', () => {
  it('gets the events of eight customers at once, and those of each in order', async () => {
    const { path, got, secret, shown } = await operatorEndpoint()
    const waiting: { name: string; response: ServerResponse }[] = []
    receiver.answer(path, (response, { event }) => void waiting.push({ name: name(event), response }))
    const accounts = [0, 1, 2, 3, 4, 5, 6, 7, 7].map(accountIn)
    await happen(['a', 'b'], accounts)
    expect(await shown()).toMatchObject({ waiting: 18 })
    await deliverDue(app)
    // All but the ninth customer, who has the lane of the eighth.
    await expect.poll(() => got().toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((place) => `${place}a`))
    // One customer's answer lets that customer's next event go, and no other.
    const third = waiting.findIndex((one) => one.name === '3a')
    for (const { response } of waiting.splice(third, 1)) response.writeHead(200).end()
    await expect.poll(() => got().slice(8)).toEqual(['3b'])
    receiver.answer(path, (response) => void response.writeHead(200).end())
    for (const { response } of waiting) response.writeHead(200).end()
    await deliveriesEnded(app)
    const all = receiver.got(path)
    for (const [place, account] of accounts.entries())
      expect(
        all.filter(({ event }) => event.customer?.id === account).map(({ event }) => name(event)),
      ).toEqual([`${place}a`, `${place}b`])
    expect(all).toHaveLength(18)
    expect(all.every((one) => isSignedBy(secret, one) && one.id.startsWith('evt_operator_'))).toBe(true)
    expect(await shown()).toMatchObject({ waiting: 0, recent: { succeeded: 18, failed: 0 } })
  })

  it('waits for the customer whose event fails, and for no other', async () => {
    const { id, path, got, shown } = await operatorEndpoint()
    const isBad = ({ event }: Got) => name(event) === '0a'
    receiver.answer(path, (response, one) => void response.writeHead(isBad(one) ? 500 : 200).end())
    await happen(['a', 'b', 'c'], [accountIn(2), accountIn(5)])
    await deliver()
    await deliver()
    expect(got().toSorted()).toEqual(['0a', '1a', '1b', '1c'])
    expect(await shown()).toMatchObject({ next_at: expect.any(String), recent: { failed: 1 } })
    receiver.answer(path, (response) => void response.writeHead(200).end())
    await asOwner(test, 'update webhook_lanes set next_at = now() where endpoint_id = $1', [id])
    await deliver()
    expect(got().slice(4)).toEqual(['0a', '0b', '0c'])
  })
})

/** Makes the next event of each lane fail for the last time before it gives way to others. */
const giveUp = (id: string) =>
  asOwner(
    test,
    `update webhook_lanes set failures = 19, first_failed_at = now() - interval '7 hours', next_at = now() where endpoint_id = $1`,
    [id],
  )

describe('O-13 an event that failed too often', () => {
  it('gives way where another waits behind it in its lane, and not for those of other customers', async () => {
    const { id, path, params, got, shown } = await operatorEndpoint()
    receiver.answer(path, (response) => void response.writeHead(500).end())
    const [third, sixth] = [accountIn(2), accountIn(5)]
    await happen(['a'], [third])
    // These are more than one statement looks at.
    await happen(
      Array.from({ length: 120 }, (_, nth) => `-${nth}`),
      [sixth],
    )
    await giveUp(id)
    await deliver()
    expect(got().toSorted()).toEqual(['0-0', '0a'])
    expect((await shown()).skipped).toHaveLength(1)
    await giveUp(id)
    await happen(['b'], [third])
    await deliver()
    expect((await shown()).skipped).toHaveLength(3)
    await giveUp(id)
    await deliver()
    expect(got().filter((one) => one === '0a' || one === '0b')).toEqual(['0a', '0a', '0b'])
    expect((await admin.api.call(contract.deleteOperatorEndpoint, { params })).status).toBe(204)
  })
})

const name = (event: Got['event']): string => String(event.data['name'])

describe('O-13 the calls of staff', () => {
  it('pause, test, send again, replay and delete endpoints, say who did it, and mail those who manage them', async () => {
    const { id, path, params, got, shown, change } = await operatorEndpoint()
    const accounts = [accountIn(1)]
    expect((await change('paused')).body).toMatchObject({ state: 'paused' })
    await happen(['a', 'b'], accounts)
    await deliver()
    expect(got()).toEqual([])
    const stale = { state: 'enabled', version: 1 } as const
    expect((await admin.api.call(contract.changeOperatorEndpoint, { params, body: stale })).status).toBe(409)
    await change('enabled')
    await deliver()
    expect(got()).toEqual(['0a', '0b'])
    const { items } = bodyOf(await admin.api.call(contract.listOperatorAttempts, { params }), 200)
    expect(items.map(({ is_ok }) => is_ok)).toEqual([true, true])
    const seq = String(items[0]?.seq)
    const again = await admin.api.call(contract.sendOperatorEventAgain, { params: { ...params, seq } })
    expect(bodyOf(again, 200)).toMatchObject({ is_ok: true, event_id: `evt_operator_${seq}` })
    const tested = bodyOf(await admin.api.call(contract.testOperatorEndpoint, { params }), 200)
    expect(tested).toMatchObject({ is_ok: true, type: 'webhook.test', seq: null })
    const { occurred_at: from } = JSON.parse(must(receiver.got(path)[0]).body) as { occurred_at: string }
    receiver.forget(path)
    bodyOf(await admin.api.call(contract.replayOperatorEvents, { params, body: { from } }), 200)
    await deliver()
    expect(got()).toEqual(['0a', '0b'])
    const fresh = bodyOf(await admin.api.call(contract.replaceOperatorSecret, { params }), 200)
    expect(fresh.old_secret_until).not.toBeNull()

    receiver.answer(path, (response) => void response.writeHead(410).end())
    await happen(['c'], accounts)
    await deliver()
    expect(await shown()).toMatchObject({ state: 'disabled', disabled_why: 'gone' })
    const mail = await test.mails.next(admin.email)
    expect(mail.text).toContain('answered 410')
    expect(mail.text).toContain(paths.operatorWebhook(id))
    expect((await admin.api.call(contract.deleteOperatorEndpoint, { params })).status).toBe(204)
    const acts = await asOwner(
      test,
      `select act from audit where user_id is null and detail ->> 'by' = $1 and detail ->> 'endpoint_id' = $2 order by id`,
      [admin.user_id, id],
    )
    expect(acts).toEqual(
      [
        'webhook.made',
        'webhook.changed',
        'webhook.changed',
        'webhook.replayed',
        'webhook.secret_replaced',
        'webhook.deleted',
      ].map((act) => ({ act })),
    )
  })

  it('are of those who manage webhooks, about endpoints of the operator alone', async () => {
    const { params } = await operatorEndpoint()
    const customer = await signedInCustomer(test)
    const body = { url: receiver.url('/own') }
    const theirs = bodyOf(await customer.api.call(own.createEndpoint, { body }), 201)
    for (const { api } of [await signedInStaff(test), customer]) {
      expect((await api.call(contract.listOperatorEndpoints, {})).status).toBe(403)
      expect((await api.call(contract.testOperatorEndpoint, { params })).status).toBe(403)
      expect((await api.call(own.getEndpoint, { params })).status).toBe(404)
    }
    const of = { params: { endpointId: theirs.id } }
    expect((await admin.api.call(contract.getOperatorEndpoint, of)).status).toBe(404)
    expect((await admin.api.call(contract.deleteOperatorEndpoint, of)).status).toBe(404)
    const { items, types } = bodyOf(await admin.api.call(contract.listOperatorEndpoints, {}), 200)
    expect(items.map(({ id }) => id)).not.toContain(theirs.id)
    expect(types).toContain('customer.created')
    const forOperator = { body: { ...body, types: ['customer.created'] } }
    expect((await customer.api.call(own.createEndpoint, forOperator)).body).toMatchObject(
      refusal(400, 'unknown_event_type', 'types'),
    )
    const host = await addHost(customer.api, { name: 'theirs' })
    const withHosts = { ...body, host_ids: [host.id] }
    expect((await admin.api.post('/api/staff/webhooks/', withHosts)).status).toBe(400)
    const late = await signedInStaff(test, { roles: ['admin'], proven_s_ago: 4000 })
    expect((await late.api.call(contract.createOperatorEndpoint, { body })).body).toMatchObject(
      refusal(403, 'reauthentication_required'),
    )
  })
})

describe('the commands of the operator', () => {
  const surroundings = { config: app.config, log: app.log, ownerUrl: app.ownerUrl, close: async () => {} }
  const run = (command: string, parameter: string) =>
    must(commands[command]).run(surroundings, [parameter], {})

  it('list webhooks of a customer and of the operator, pause them, and go on where they stood', async () => {
    const { id, got, shown } = await operatorEndpoint()
    const customer = await signedInCustomer(test)
    expect(await run('webhook list', customer.email)).toMatchObject({ lines: ['There is no webhook.'] })
    const body = { url: receiver.url('/theirs') }
    const theirs = bodyOf(await customer.api.call(own.createEndpoint, { body }), 201)
    const listed = await run('webhook list', customer.email)
    expect(listed.lines).toEqual([
      `${theirs.id}  enabled  last success never  0 waiting  ${receiver.url('/theirs')}`,
    ])
    // The secret signs in no output.
    expect(JSON.stringify(listed)).not.toContain('whsec_')

    expect((await run('webhook list', 'operator')).lines.join('\n')).toContain(id)
    expect(await run('webhook pause', id)).toMatchObject({ lines: [`Webhook ${id} is paused.`] })
    await happen(['a'], [accountIn(6)])
    await deliver()
    expect([got(), (await shown()).state]).toEqual([[], 'paused'])
    await run('webhook enable', id)
    await deliver()
    expect(got()).toEqual(['0a'])
    await run('webhook pause', theirs.id)
    const [paused] = await asOwner(
      test,
      `select user_id, detail ->> 'by' as by, ip from audit where act = 'webhook.changed' order by id desc limit 1`,
    )
    expect(paused).toEqual({ user_id: customer.user_id, by: 'command line', ip: null })
    for (const unknown of [randomUUID(), 'x'])
      await expect(run('webhook pause', unknown)).rejects.toThrow(NotFound)
    await expect(run('webhook list', 'nobody@example.com')).rejects.toThrow(NotFound)
  })
})
