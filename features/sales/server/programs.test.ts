import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { listHosts, makeAgentToken, updateHost } from '#features/hosts/contract.ts'
import { listPlans, makeDocument, getDocument, validateLicence } from '#features/licences/contract.ts'
import { changePlan } from '#features/catalogue/contract.ts'
import { listMachines } from '#features/licences/machines.ts'
import { createCheckout } from '#features/sales/checkouts.ts'
import * as sales from '#features/sales/contract.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { judge } from '#tests/harness/agents.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { addHost, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { orderProgram, programPrices, sellProgram } from '#tests/harness/programs.ts'
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

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
await sellProgram(test)
const [first, second, third] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string]
const program = { slug: 'backup-agent', name: { en: 'Backup Agent' }, kind: 'program' }

const ask = async (licence_key: string, more: object = {}) =>
  bodyOf(await test.client().call(validateLicence, { body: { licence_key, ...more } }), 200)
const hostsOf = async ({ api }: Customer) => bodyOf(await api.call(listHosts, { query: {} }), 200).items
const plansFor = async ({ api }: Customer, host?: string) =>
  bodyOf(await api.call(listPlans, { query: host === undefined ? {} : { host } }), 200).items.map(
    ({ slug }) => slug,
  )

it('L-41 a program is ordered without an address, beside servers, and counts on machines', async () => {
  const customer = await buyer(test, 20_000n)
  const { host } = bodyOf(await orderProgram(customer), 201)
  expect(host).toMatchObject({ name: 'laptop', product: program, ipv4: null, ipv6: null })
  expect(host.licence).toMatchObject({ status: 'active', price: toMoney(1190n, 'EUR') })
  const { host: server } = bodyOf(await orderHost(customer), 201)
  expect(server).not.toHaveProperty('product')
  expect((await hostsOf(customer)).map(({ product }) => product?.slug)).toEqual([undefined, 'backup-agent'])

  const key = host.licence_key
  const found = await ask(key, { fingerprint: first, product: 'backup-agent', ipv4: '203.0.113.7' })
  expect(found).toMatchObject({ valid: true, code: 'valid', product: 'backup-agent', edition: 'agent-solo' })
  const { verdict, claims } = await judge(test, must(found.document))
  expect(verdict).toBe('valid')
  expect(claims).toMatchObject({ machine: first, ipv4: null, product: 'backup-agent' })
  expect((await ask(key, { fingerprint: second })).code).toBe('too_many_machines')
  expect((await ask(key)).document, 'no document for no machine').toBeNull()
  const other = await ask(key, { fingerprint: first, product: 'server' })
  expect([other.valid, other.code, other.document]).toEqual([false, 'other_product', null])
  expect((await ask(server.licence_key, { product: 'backup-agent' })).code).toBe('other_product')
  expect(await ask(server.licence_key, { product: 'server', ipv4: must(server.ipv4) })).toMatchObject({
    code: 'valid',
  })
  const { limit, items } = bodyOf(await customer.api.call(listMachines, { params: { hostId: host.id } }), 200)
  expect([limit, items.map(({ is_over }) => is_over)]).toEqual([1, [false, true]])
  expect(await mistakesIn(test)).toEqual([])
})

it('L-41 what belongs to servers is refused for a program, and an order without an address for a server', async () => {
  const customer = await buyer(test, 20_000n)
  expect(await orderProgram(customer, 'agent-solo-month', { ipv4: '203.0.113.7' })).toMatchObject({
    status: 400,
    body: refusal(400, 'invalid', 'ipv4'),
  })
  expect(await orderProgram(customer, 'agent-solo-month', { ipv6: '2001:db8::1' })).toMatchObject({
    body: refusal(400, 'invalid', 'ipv6'),
  })
  const bare = { name: 'x', plan: 'standard-month', expected_total: toMoney(2368n, 'EUR') }
  const without = await customer.api.call(sales.orderHost, {
    headers: { 'idempotency-key': randomUUID() },
    body: bare,
  })
  expect(without).toMatchObject({ status: 400, body: refusal(400, 'required', 'ipv4') })
  expect(await hostsOf(customer)).toEqual([])

  const { host } = bodyOf(await orderProgram(customer), 201)
  const params = { hostId: host.id }
  const refused = { status: 409, body: { errors: [{ code: 'not_for_programs' }] } }
  expect(await customer.api.call(updateHost, { params, body: { ipv4: '203.0.113.7' } })).toMatchObject(
    refused,
  )
  expect(await customer.api.call(makeAgentToken, { params })).toMatchObject(refused)
  expect(await customer.api.call(getDocument, { params })).toMatchObject({
    status: 409,
    body: { errors: [{ code: 'needs_machine' }] },
  })
  expect((await customer.api.call(updateHost, { params, body: { name: 'renamed' } })).status).toBe(200)
})

it('L-41 a licence file of a program is made for a machine, which takes a place', async () => {
  const customer = await buyer(test, 20_000n)
  const { host } = bodyOf(await orderProgram(customer, 'agent-team-month'), 201)
  const file = async (fingerprint: string) => {
    const answer = await customer.api.call(makeDocument, {
      params: { hostId: host.id },
      body: { fingerprint, hostname: 'shed' },
    })
    expect(answer.status).toBe(200)
    const { claims } = await judge(test, String(answer.body))
    return [claims?.status, claims?.machine]
  }
  expect(await file(first)).toEqual(['active', first])
  expect(await file(second)).toEqual(['active', second])
  expect(await file(third)).toEqual(['too_many_machines', third])
  expect((await ask(host.licence_key, { fingerprint: third })).code).toBe('too_many_machines')
})

it('L-41 plans, renewals and upgrades stay within the product', async () => {
  const customer = await buyer(test, 50_000n)
  const { host } = bodyOf(await orderProgram(customer), 201)
  const { host: server } = bodyOf(await orderHost(customer), 201)
  expect(await plansFor(customer, host.id)).toEqual(['agent-solo-month', 'agent-team-month'])
  expect(await plansFor(customer, server.id)).not.toContain('agent-solo-month')
  const unknown = { status: 400, body: refusal(400, 'unknown_plan', 'plan') }
  expect(await orderLicence(customer, host.id, { plan: 'standard-year' })).toMatchObject(unknown)
  expect(await orderLicence(customer, server.id, { plan: 'agent-team-month' })).toMatchObject(unknown)
  const preview = (hostId: string, plan: string) =>
    customer.api.call(sales.previewUpgrade, { params: { hostId }, body: { plan } })
  expect(await preview(server.id, 'agent-team-month')).toMatchObject(unknown)
  const free = await addHost(customer.api, { name: 'free', ipv4: anyAddress() })
  expect(await orderLicence(customer, free.id, { plan: 'agent-solo-month', total: 1190n })).toMatchObject(
    unknown,
  )
  const shown = bodyOf(await preview(host.id, 'agent-team-month'), 200)
  const upgraded = await customer.api.call(sales.upgradeLicence, {
    params: { hostId: host.id },
    headers: { 'idempotency-key': randomUUID() },
    body: { plan: 'agent-team-month', expected_total: shown.pay_now, as_of: shown.as_of },
  })
  expect(bodyOf(upgraded, 201).host.licence.edition).toBe('agent-team')

  await customer.api.call(updateHost, { params: { hostId: host.id }, body: { auto_renew: true } })
  await passTime(test, 30)
  await doLicenceJobs(test)
  const periods = bodyOf(
    await customer.api.call(sales.listPaidPeriods, { params: { hostId: host.id }, query: {} }),
    200,
  ).items
  expect(periods.map(({ kind }) => kind)).toEqual(['auto_renewal', 'upgrade', 'order'])
  expect(await mistakesIn(test)).toEqual([])

  const admin = await signedInStaff(test, { roles: ['admin'] })
  const moved = await admin.api.call(changePlan, {
    params: { slug: 'standard-month' },
    body: { edition: 'agent-solo', version: 1 },
  })
  expect(moved).toMatchObject({ status: 400, body: refusal(400, 'unknown_edition', 'edition') })
})

it('L-41 a program is paid for as it is ordered, like a server', async () => {
  const customer = await buyer(test, 0n)
  const checkout = (more: object) =>
    customer.api.call(createCheckout, {
      headers: { 'idempotency-key': randomUUID() },
      body: { for: 'order', provider: 'test', name: 'desk', ...more },
    })
  const wanted = {
    plan: 'agent-solo-month',
    expected_total: toMoney(programPrices['agent-solo-month'], 'EUR'),
  }
  expect(await checkout({ ...wanted, ipv4: '203.0.113.7' })).toMatchObject({
    body: refusal(400, 'invalid', 'ipv4'),
  })
  const { id } = bodyOf(await checkout(wanted), 201)
  expect(await postPayment(test, paymentEvent(id, 'paid'))).toBe(200)
  expect(await hostsOf(customer)).toMatchObject([
    { name: 'desk', product: program, licence: { status: 'active' } },
  ])
})
