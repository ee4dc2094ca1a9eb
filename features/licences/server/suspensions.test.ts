import { expect, it } from 'vitest'
import { getDocument, resumeHost, suspendHost } from '#features/licences/contract.ts'
import { deleteHost, listHosts, updateHost } from '#features/hosts/contract.ts'
import { listCustomerHosts } from '#features/customers/contract.ts'
import { listActivity } from '#features/security/contract.ts'
import { judgeLicence } from '#agent/licence.mjs'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { addHost, bodyOf, getHost, refusal } from '#tests/harness/hosts.ts'
import { buyer, doLicenceJobs, orderHost, orderLicence, passTime, stockShop } from '#tests/harness/shop.ts'
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
  api.call(resumeHost, { params: { hostId }, body: { note: 'Cleaned' } })

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
  expect(await owner.api.call(deleteHost, { params: { hostId: id }, body: { name: 'mine' } })).toMatchObject({
    status: 204,
  })
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
