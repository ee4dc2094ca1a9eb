import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { signup } from '#features/auth/contract.ts'
import { startTopUp } from '#features/finance/contract.ts'
import { getHost, updateHost } from '#features/hosts/contract.ts'
import * as contract from '#features/legal/contract.ts'
import { personalFiles } from '#features/profile/server/profile.ts'
import { listActivity } from '#features/security/contract.ts'
import { must } from '#foundation/must.ts'
import { createUser } from '#foundation/server/session/session.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { password } from '#tests/contract/accounts.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { buyer, doLicenceJobs, orderHost, orderLicence, passTime, stockShop } from '#tests/harness/shop.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { insertAcceptance } from './queries.ts'

const test = await startTestApp()
const { app } = test
const owner = await superuserOf(test)
afterAll(() => owner.end())
await stockShop(test)
const url = 'https://nordic.example/terms'

/** Sets the version of the terms, as a restart with another TERMS_VERSION does; undefined unsets it. */
function askFor(version: string | undefined): void {
  Object.assign(app.config.operator, { termsVersion: version, termsUrl: version && url })
}

const topUp = (customer: Customer, terms?: string) =>
  customer.api.call(startTopUp, {
    headers: { 'idempotency-key': randomUUID() },
    body: { amount: '2500', provider: 'bank', ...(terms === undefined ? {} : { terms }) },
  })
const accept = ({ api }: Customer, version: string) => api.call(contract.acceptTerms, { body: { version } })
const termsOf = async ({ api }: Customer) => bodyOf(await api.call(contract.getTerms, {}), 200)
const asked = (code: 'terms_not_accepted' | 'terms_changed', version: string) => ({
  status: 409,
  body: { ...refusal(409, code), version, url },
})
const keptOf = async ({ user_id }: { user_id: string }) =>
  app.db
    .selectFrom('acceptances')
    .select(['document', 'version', 'context'])
    .where('user_id', '=', user_id)
    .orderBy('at')
    .execute()

it('L-01 asks nobody without TERMS_VERSION', async () => {
  askFor(undefined)
  const customer = await buyer(test, 5000n)
  expect(await termsOf(customer)).toEqual({ current: null, accepted: null })
  expect((await accept(customer, '1')).status).toBe(404)
  // Terms that a client names all the same are ignored, and cause no error.
  expect((await orderHost(customer, { agreed: { terms: '1' } })).status).toBe(201)
  expect((await topUp(customer)).status).toBe(201)
  expect(await keptOf(customer)).toEqual([])
})

it('L-01 orders and top-ups wait for the terms, those who accepted others read that they changed, and nothing is written meanwhile', async () => {
  askFor('1')
  const customer = await buyer(test, 20_000n)
  expect(await orderHost(customer)).toMatchObject(asked('terms_not_accepted', '1'))
  expect(await topUp(customer)).toMatchObject(asked('terms_not_accepted', '1'))
  expect(await orderHost(customer, { agreed: { terms: '0' } }), 'they read another version').toMatchObject(
    asked('terms_not_accepted', '1'),
  )
  expect(await keptOf(customer)).toEqual([])
  expect(bodyOf(await accept(customer, '1'), 200)).toMatchObject({
    current: { version: '1', url },
    accepted: { version: '1' },
  })
  const { host } = bodyOf(await orderHost(customer), 201)
  expect((await topUp(customer)).status).toBe(201)
  askFor('2')
  expect(await orderHost(customer)).toMatchObject(asked('terms_changed', '2'))
  expect(await topUp(customer)).toMatchObject(asked('terms_changed', '2'))
  expect(await accept(customer, '1'), 'a page from before the change').toMatchObject(
    asked('terms_changed', '2'),
  )
  expect((await orderLicence(customer, host.id)).status, 'what runs is renewed').toBe(201)
  expect(await termsOf(customer)).toMatchObject({ accepted: { version: '1' } })
  askFor('1')
  expect((await orderHost(customer)).status, 'the operator took the new ones back').toBe(201)
})

it('L-01 an order or a top-up accepts the terms by its box, and only together with itself', async () => {
  askFor('3')
  const poor = await buyer(test, 0n)
  expect((await orderHost(poor, { agreed: { terms: '3' } })).status).toBe(402)
  expect(await keptOf(poor), 'the order was refused whole').toEqual([])
  expect((await topUp(poor, '3')).status).toBe(201)
  expect(await keptOf(poor)).toEqual([{ document: 'terms', version: '3', context: 'order' }])
  const rich = await buyer(test, 5000n)
  const key = randomUUID()
  expect((await orderHost(rich, { agreed: { terms: '3' }, key, ipv4: '10.9.9.9' })).status).toBe(201)
  askFor('4')
  expect(
    (await orderHost(rich, { agreed: { terms: '3' }, key, ipv4: '10.9.9.9' })).status,
    'rule 10: the same order again is the same answer',
  ).toBe(201)
})

it('L-01 renews by itself whatever was accepted, and a licence that ended is ordered anew', async () => {
  askFor('5')
  const customer = await buyer(test, 20_000n)
  const { host } = bodyOf(await orderHost(customer, { agreed: { terms: '5' } }), 201)
  const params = { hostId: host.id }
  await customer.api.call(updateHost, { params, body: { auto_renew: true } })
  askFor('6')
  await passTime(test, host.licence.remaining_s / 86_400 - 0.5)
  await doLicenceJobs(test)
  const renewed = bodyOf(await customer.api.call(getHost, { params }), 200)
  expect(renewed.licence.remaining_s).toBeGreaterThan(20 * 86_400)
  await customer.api.call(updateHost, { params, body: { auto_renew: false } })
  // A term that begins on the first of a month, with an anchor on the day before, lasts for two months.
  await passTime(test, 70)
  await doLicenceJobs(test)
  expect(await orderLicence(customer, host.id)).toMatchObject(asked('terms_changed', '6'))
})

it('L-01 a sign-up keeps the version that it showed; without one the account is made and asked later', async () => {
  askFor('7')
  const signUp = async (email: string, terms?: string) => {
    const body = { email, password, repeat_password: password, ...(terms === undefined ? {} : { terms }) }
    expect((await test.client().call(signup, { body })).status).toBe(401)
    return must(
      await app.db.selectFrom('users').select('id as user_id').where('email', '=', email).executeTakeFirst(),
    )
  }
  const box = await signUp('box@example.com', '7')
  expect(await keptOf(box)).toEqual([{ document: 'terms', version: '7', context: 'sign_up' }])
  expect(await keptOf(await signUp('plain@example.com'))).toEqual([])
  expect(await keptOf(await signUp('stale@example.com', '6'))).toEqual([])
  await expect(owner.query('delete from acceptances where user_id = $1', [box.user_id])).rejects.toThrow(
    'append-only',
  )
  await expect(owner.query(`update acceptances set version = '8'`)).rejects.toThrow('append-only')
  await expect(owner.query('truncate acceptances')).rejects.toThrow('append-only')
})

it('rule 37: an account that nobody ever used goes with what it accepted', async () => {
  const unused = await transaction(app, 'system', async (tx) => {
    const id = await createUser(tx, { email: 'unused@example.com', locale: 'en' })
    await insertAcceptance(tx, { user_id: id, document: 'terms', version: '7', context: 'sign_up' })
    return id
  })
  await owner.query('delete from users where id = $1', [unused])
  expect(await keptOf({ user_id: unused })).toEqual([])
})

it('L-01 twenty clicks at once accept once; the customer finds it in their activity and in the copy of their data', async () => {
  askFor('8')
  const customer = await buyer(test, 0n)
  const replies = await Promise.all(Array.from({ length: 20 }, () => accept(customer, '8')))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await keptOf(customer)).toEqual([{ document: 'terms', version: '8', context: 'prompt' }])
  const { items } = bodyOf(await customer.api.call(listActivity, { query: {} }), 200)
  expect(items.filter(({ act }) => act === 'terms.accepted')).toMatchObject([{ by: 'you' }])
  const files = await transaction(app, 'system', (tx) => personalFiles(app, tx, customer.user_id))
  const read = must(files.find(({ path }) => path === 'acceptances.json')).read
  expect(await read()).toMatchObject([{ document: 'terms', version: '8', context: 'prompt' }])
})
