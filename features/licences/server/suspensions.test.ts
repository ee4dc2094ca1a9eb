import { describe, expect, it } from 'vitest'
import { getDocument, resumeHost, suspendHost } from '#features/licences/contract.ts'
import {
  changeHostAddresses,
  deleteHost,
  listHosts,
  resetAddressChanges,
  updateHost,
} from '#features/hosts/contract.ts'
import { listCustomerHosts } from '#features/customers/contract.ts'
import { listActivity } from '#features/security/contract.ts'
import { judgeLicence } from '#agent/licence.mjs'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { addHost, bodyOf, getHost, refusal } from '#tests/harness/hosts.ts'
import {
  anyAddress,
  buyer,
  doLicenceJobs,
  orderHost,
  orderLicence,
  passTime,
  stockShop,
} from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
await stockShop(test)
const billing = await signedInStaff(test)

const suspend = (hostId: string, { api } = billing, body = {}) =>
  api.call(suspendHost, {
    params: { hostId },
    body: { reason: 'abuse', text: 'It sends spam.', note: 'Report 17', ...body },
  })
const resume = (hostId: string, { api } = billing) =>
  api.call(resumeHost, { params: { hostId }, query: { note: 'Cleaned' } })

async function licensed(balance = 10_000n): Promise<Customer & { hostId: string }> {
  const customer = await buyer(test, balance)
  const { host } = bodyOf(await orderHost(customer, { name: 'otter' }), 201)
  return { ...customer, hostId: host.id }
}

const licenceOf = async ({ api, hostId }: { api: Customer['api']; hostId: string }) =>
  bodyOf(await getHost(api, hostId), 200).licence
const mailsTo = async (user_id: string) =>
  (
    await test.app.db
      .selectFrom('mails')
      .select('letter')
      .where('user_id', '=', user_id)
      .orderBy('created_at')
      .execute()
  ).map(({ letter }) => letter)
const verdictOf = async ({ api, hostId }: { api: Customer['api']; hostId: string }) => {
  const { body } = await api.call(getDocument, { params: { hostId } })
  const keys = (await test.api.get<{ keys: { kid: string }[] }>('/.well-known/jwks.json')).body.keys
  return judgeLicence(String(body), { keys, ipv4: 'any' })
}

it('L-20 a suspended server keeps its status and paid time, its document does not license it, and its owner is told', async () => {
  const owner = await licensed()
  const before = await licenceOf(owner)
  const reply = bodyOf(await suspend(owner.hostId), 201)
  expect(reply.licence.suspended).toEqual({
    since: expect.any(String),
    reason: 'abuse',
    text: 'It sends spam.',
  })
  expect(await licenceOf(owner)).toMatchObject({
    status: 'active',
    paid_until: before.paid_until,
    suspended: { reason: 'abuse' },
  })
  expect(await verdictOf(owner)).toMatchObject({ verdict: 'not_licensed', claims: { status: 'suspended' } })
  expect(
    bodyOf(await owner.api.call(listHosts, { query: {} }), 200).items[0]?.licence.suspended,
  ).not.toBeNull()
  const listed = await billing.api.call(listCustomerHosts, { params: { userId: owner.user_id }, query: {} })
  expect(bodyOf(listed, 200).items).toMatchObject([{ id: owner.hostId, licence: 'active', suspended: true }])
  expect(await suspend(owner.hostId)).toMatchObject({ body: refusal(409, 'already_suspended') })
  expect(bodyOf(await resume(owner.hostId), 200).licence.suspended).toBeNull()
  expect(await resume(owner.hostId)).toMatchObject({ body: refusal(409, 'not_suspended') })
  expect(await verdictOf(owner)).toMatchObject({ verdict: 'valid' })
  expect((await mailsTo(owner.user_id)).slice(-2)).toEqual(['host_suspended', 'host_resumed'])
  const { items } = bodyOf(await owner.api.call(listActivity, { query: {} }), 200)
  expect(items.slice(0, 2)).toMatchObject([
    { act: 'host.resumed', message: null },
    { act: 'host.suspended', message: 'It sends spam.' },
  ])
})

it('L-21 nothing is bought for a suspended server, by nobody, and it is renewed once the suspension is lifted', async () => {
  const owner = await licensed()
  bodyOf(
    await owner.api.call(updateHost, { params: { hostId: owner.hostId }, body: { auto_renew: true } }),
    200,
  )
  bodyOf(await suspend(owner.hostId), 201)
  expect(await orderLicence(owner, owner.hostId)).toMatchObject({ body: refusal(409, 'host_suspended') })
  await passTime(test, 40)
  await doLicenceJobs(test)
  expect(await licenceOf(owner)).toMatchObject({ status: 'expired', suspended: { reason: 'abuse' } })
  bodyOf(await resume(owner.hostId), 200)
  await doLicenceJobs(test)
  expect((await licenceOf(owner)).status).toBe('expired')

  const other = await licensed()
  bodyOf(
    await other.api.call(updateHost, { params: { hostId: other.hostId }, body: { auto_renew: true } }),
    200,
  )
  const { remaining_s } = await licenceOf(other)
  bodyOf(await suspend(other.hostId), 201)
  await passTime(test, Math.round(remaining_s / 86_400) - 0.5)
  await doLicenceJobs(test)
  bodyOf(await resume(other.hostId), 200)
  await doLicenceJobs(test)
  expect((await licenceOf(other)).remaining_s).toBeGreaterThan(20 * 86_400)
})

it('refuses strangers, unknown hosts and one’s own; a deleted host is gone', async () => {
  const owner = await signedInCustomer(test)
  const { id } = await addHost(owner.api, { name: 'mine' })
  expect(await suspend(id, owner)).toMatchObject({ status: 403 })
  for (const hostId of ['A'.repeat(22), 'short'])
    expect(await suspend(hostId)).toMatchObject({ body: refusal(404, 'not_found') })
  const own = await addHost(billing.api, { name: 'own' })
  expect(await suspend(own.id)).toMatchObject({ body: refusal(403, 'own_account') })
  bodyOf(await suspend(id), 201)
  expect(await owner.api.call(deleteHost, { params: { hostId: id }, query: { name: 'mine' } })).toMatchObject(
    {
      status: 204,
    },
  )
  expect(await resume(id)).toMatchObject({ body: refusal(404, 'not_found') })
})

it('12 members at once suspend a server once, and lift it once', async () => {
  const owner = await licensed()
  const statuses = async (calls: Promise<{ status: number }>[]) =>
    (await Promise.all(calls)).map(({ status }) => status).toSorted((one, other) => one - other)
  const many = (act: (hostId: string) => Promise<{ status: number }>) =>
    statuses(Array.from({ length: 12 }, () => act(owner.hostId)))
  expect(await many((hostId) => suspend(hostId))).toEqual([201, ...Array.from({ length: 11 }, () => 409)])
  expect(await many((hostId) => resume(hostId))).toEqual([200, ...Array.from({ length: 11 }, () => 409)])
  expect((await mailsTo(owner.user_id)).filter((letter) => letter.startsWith('host_'))).toHaveLength(2)
})

describe('staff help with a server beyond the limits, as its texts promise', () => {
  const move = (hostId: string, ipv4: string | null, from_ipv4: string | null = null, { api } = billing) => {
    const from = { ipv4: from_ipv4, ipv6: null }
    return api.call(changeHostAddresses, {
      params: { hostId },
      body: { ipv4, ipv6: null, from, note: 'Moved' },
    })
  }
  const reset = (hostId: string, { api } = billing) =>
    api.call(resetAddressChanges, { params: { hostId }, query: { note: 'Moves often' } })
  const moveOwn = ({ api, hostId }: Customer & { hostId: string }) =>
    api.call(updateHost, { params: { hostId }, body: { ipv4: anyAddress() } })
  const seen = async ({ api, hostId }: Customer & { hostId: string }) =>
    bodyOf(await getHost(api, hostId), 200).ipv4

  it('with another address, which counts for nothing, and with new changes; both are in the activity, with who did them', async () => {
    const owner = await licensed()
    const { hostId } = owner
    for (let time = 0; time < 3; time += 1) bodyOf(await moveOwn(owner), 200)
    expect((await moveOwn(owner)).body).toMatchObject({ errors: [{ code: 'ipv4_change_limit' }] })
    const ipv4 = anyAddress()
    expect(bodyOf(await move(hostId, ipv4, await seen(owner)), 200)).toMatchObject({
      ipv4,
      ipv4_changes_left: 0,
    })
    expect((await moveOwn(owner)).status).toBe(409)
    expect(bodyOf(await reset(hostId), 200)).toMatchObject({ ipv4_changes_left: 3 })
    expect(bodyOf(await moveOwn(owner), 200)).toMatchObject({ ipv4_changes_left: 2 })
    const { items } = bodyOf(await owner.api.call(listActivity, { query: {} }), 200)
    const acts = items.filter(({ act }) => act.startsWith('host.address'))
    expect(acts.map(({ act, by }) => [act, by])).toEqual([
      ['host.address_changed', 'you'],
      ['host.address_limit_reset', 'support'],
      ['host.address_changed', 'support'],
      ...Array.from({ length: 3 }, () => ['host.address_changed', 'you']),
    ])
  })
  it('but not without a permission, for themselves, at the cost of another licence, or without any address', async () => {
    const [owner, other] = [await licensed(), await licensed()]
    const { hostId } = owner
    const taken = bodyOf(await getHost(other.api, other.hostId), 200).ipv4
    const present = await seen(owner)
    expect((await move(hostId, taken, present)).body).toMatchObject({ errors: [{ code: 'ipv4_licensed' }] })
    expect((await move(hostId, null, present)).body).toMatchObject({ errors: [{ code: 'address_required' }] })
    expect((await move(hostId, anyAddress(), taken)).body).toMatchObject({ errors: [{ code: 'changed' }] })
    const support = await signedInStaff(test, { roles: ['billing'] })
    for (const person of [support, owner]) {
      expect((await move(hostId, anyAddress(), present, person)).status).toBe(403)
      expect((await reset(hostId, person)).status).toBe(403)
    }
    const own = await addHost(billing.api, {})
    for (const answer of [await move(own.id, anyAddress()), await reset(own.id)])
      expect(answer.body).toMatchObject(refusal(403, 'own_account'))
    expect((await move('A'.repeat(22), anyAddress())).status).toBe(404)
  })
})
