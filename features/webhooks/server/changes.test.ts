import { afterAll, describe, expect, it } from 'vitest'
import { hostRemoved } from '#features/hosts/event-contract.ts'
import * as contract from '#features/webhooks/contract.ts'
import * as operator from '#features/webhooks/staff-contract.ts'
import { record } from '#foundation/server/account-events/record.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { openTo, startReceiver } from '#tests/harness/receiver/receiver.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { deliverDue } from './webhooks.ts'
import { deliveriesEnded } from './deliver.ts'

const test = await startTestApp()
const { app } = test
const receiver = await startReceiver()
openTo(app, { most_ms: 5_000 })
afterAll(() => receiver.close())

const sides = {
  own: { ...contract, signedIn: () => signedInCustomer(test) },
  operator: {
    createEndpoint: operator.createOperatorEndpoint,
    changeEndpoint: operator.changeOperatorEndpoint,
    replaceSecret: operator.replaceOperatorSecret,
    replayEvents: operator.replayOperatorEvents,
    deleteEndpoint: operator.deleteOperatorEndpoint,
    signedIn: () => signedInStaff(test, { roles: ['admin'] }),
  },
}
const names = ['own', 'operator'] as const

/** Makes the session forget its proof, as after five minutes. */
const grow = ({ user_id }: Customer) =>
  asOwner(test, `update sessions set methods = '[]' where user_id = $1`, [user_id])

let places = 0

/** An endpoint of an account, at a path of its own. */
async function endpointOf(customer: Customer) {
  const path = `/${(places += 1)}`
  const made = await customer.api.call(contract.createEndpoint, { body: { url: receiver.url(path) } })
  const { id, version } = bodyOf(made, 201)
  const params = { endpointId: id }
  const change = async (body: { url?: string; types?: string[]; description?: string }) => {
    const shown = bodyOf(await customer.api.call(contract.getEndpoint, { params }), 200)
    const wish = { ...body, version: shown.version }
    return bodyOf(await customer.api.call(contract.changeEndpoint, { params, body: wish }), 200)
  }
  return { id, params, path, version, change, got: gotAt(path) }
}

const gotAt = (path: string) => () => receiver.got(path).map(({ event }) => event.data['name'])

const happen = (user_id: string, what: readonly string[]): Promise<void> =>
  transaction(app, 'system', async (tx) => {
    for (const name of what) record(tx, user_id, hostRemoved, { id: 'x', name })
  })

async function deliver(): Promise<void> {
  await deliverDue(app)
  await deliveriesEnded(app)
}

describe.each(names)('O-13 an endpoint (%s)', (name) => {
  const side = sides[name]

  it('rule 20: gets another URL with a recent proof alone, and pauses without one', async () => {
    const person = await side.signedIn()
    const body = { url: receiver.url('/first') }
    const { id, version } = bodyOf(await person.api.call(side.createEndpoint, { body }), 201)
    const params = { endpointId: id }
    await grow(person)
    const change = (wish: { url?: string; state?: 'paused'; description?: string }, at: number) =>
      person.api.call(side.changeEndpoint, { params, body: { ...wish, version: at } })
    const url = receiver.url('/theirs')
    expect((await change({ url }, version)).body).toMatchObject(refusal(403, 'reauthentication_required'))
    const same = { ...body, state: 'paused', description: 'Later' } as const
    const paused = bodyOf(await change(same, version), 200)
    expect(paused).toMatchObject({ url: body.url, state: 'paused', description: 'Later' })
    const late = await change({ url }, version)
    expect(late).toMatchObject({ status: 409, body: { present: { version: paused.version } } })
  })

  it('stands in the audit by its id and its host: its URL may hold a key', async () => {
    const { api } = await side.signedIn()
    const body = { url: receiver.url('/hooks/very-secret') }
    const { id, version } = bodyOf(await api.call(side.createEndpoint, { body }), 201)
    const params = { endpointId: id }
    const url = receiver.url('/hooks/more-secret')
    bodyOf(await api.call(side.changeEndpoint, { params, body: { url, version } }), 200)
    bodyOf(await api.call(side.replaceSecret, { params }), 200)
    bodyOf(await api.call(side.replayEvents, { params, body: { from: new Date().toISOString() } }), 200)
    expect((await api.call(side.deleteEndpoint, { params })).status).toBe(204)
    const rows = await asOwner(
      test,
      `select act, detail from audit where detail::text like '%' || $1 || '%'`,
      [id],
    )
    const named = { detail: { url_host: new URL(body.url).host } }
    expect(rows).toMatchObject(Array.from({ length: 5 }, () => named))
    const secret = await asOwner(test, `select act from audit where detail::text like '%-secret%'`)
    expect(secret).toEqual([])
  })
})

describe('O-13 a change of an endpoint', () => {
  it('of its URL lets what failed be sent at once, with new pauses', async () => {
    const customer = await signedInCustomer(test)
    const { id, path, change, got } = await endpointOf(customer)
    receiver.answer(path, (response) => void response.writeHead(500).end())
    await happen(customer.user_id, ['a'])
    await deliver()
    await asOwner(
      test,
      `update webhook_lanes set failures = 9, next_at = now() + interval '4 hours' where endpoint_id = $1`,
      [id],
    )
    await change({ description: 'Not mended yet' })
    await deliver()
    expect(got()).toEqual(['a'])
    await change({ url: receiver.url(`${path}/broken`) })
    receiver.answer(`${path}/broken`, (response) => void response.writeHead(500).end())
    await deliver()
    expect(gotAt(`${path}/broken`)()).toEqual(['a'])
    const [lane] = await asOwner(test, 'select failures from webhook_lanes where endpoint_id = $1', [id])
    expect(lane).toEqual({ failures: 1 })
    await change({ url: receiver.url(`${path}/mended`) })
    await deliver()
    expect(gotAt(`${path}/mended`)()).toEqual(['a'])
  })

  it('of its kinds counts from the next event on, also in the middle of a backlog', async () => {
    const customer = await signedInCustomer(test)
    const { path, change, got, params } = await endpointOf(customer)
    receiver.answer(path, (response, { event }) => {
      const isFirst = event.data['name'] === 'a'
      const answered = isFirst ? change({ types: ['host.created'] }) : Promise.resolve()
      void answered.then(() => response.writeHead(200).end())
    })
    await happen(customer.user_id, ['a', 'b', 'c'])
    await deliver()
    expect(got()).toEqual(['a'])
    const shown = await customer.api.call(contract.getEndpoint, { params })
    expect(bodyOf(shown, 200)).toMatchObject({ waiting: 0, recent: { succeeded: 1, failed: 0 } })
  })
})
