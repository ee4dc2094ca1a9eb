import { randomInt, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as contract from '#features/finance/contract.ts'
import { leave } from '#tests/harness/leaving.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { move, payOut } from '#tests/harness/money.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { checkLedger } from './check.ts'
import { balanceOf } from './finance.ts'
import { SIGNATURE_HEADER, signTestEvent, type TestEvent } from './providers/test-events.ts'
import { must } from '#foundation/must.ts'
import { bodyOf } from '#tests/harness/hosts.ts'

const test = await startTestApp()
const { app, url, mails } = test

async function begun(customer: Customer, amount = '2500'): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() }
  const reply = await customer.api.call(contract.startTopUp, {
    headers,
    body: { amount, provider: 'test' },
  })
  return bodyOf(reply, 201).id
}

const event = (top_up: string, kind: TestEvent['kind'], more: Partial<TestEvent> = {}): TestEvent => ({
  id: randomUUID(),
  kind,
  top_up,
  ...more,
})

async function post(told: TestEvent, { signal }: { signal?: AbortSignal } = {}): Promise<number> {
  const body = JSON.stringify(told)
  const response = await fetch(`${url}/api/payments/test/events/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signTestEvent(app, body) },
    body,
    ...(signal && { signal }),
  })
  await response.text()
  return response.status
}

const typesOf = async (customer: Customer) => {
  const { body } = await customer.api.call(contract.listTransactions, { query: {} })
  return body.items.map(({ type, amount }) => `${type} ${amount.amount}`).toReversed()
}

it('rule 14: one event 1,000 times, many at once and many cut off, is posted once', async () => {
  // A naive handler (find the event, post, record the event) posted up to 16 times for 16 calls at once.
  const customer = await signedInCustomer(test)
  const told = event(await begun(customer), 'paid')
  const told1000Times = Array.from({ length: 1000 }, async (_, turn) => {
    await new Promise((resolve) => setTimeout(resolve, Math.floor(turn / 16) * 8))
    const cut = turn % 3 === 0 ? { signal: AbortSignal.timeout(1 + randomInt(12)) } : {}
    return post(told, cut).catch(() => 'cut off')
  })
  const answers = await Promise.all(told1000Times)
  expect(new Set(answers).size).toBeLessThanOrEqual(3)
  expect(await post(told)).toBe(200)
  expect(await typesOf(customer)).toEqual(['fill_balance 2500'])
}, 240_000)

it('rule 14: all orders of payment, chargeback and reinstatement, each sent twice, end the same', async () => {
  const kinds = ['paid', 'charged_back', 'reinstated'] as const
  const orders = kinds.flatMap((one) =>
    kinds.flatMap((two) =>
      kinds.map((three) => [one, two, three]).filter((order) => new Set(order).size === 3),
    ),
  )
  for (const order of orders) {
    const customer = await signedInCustomer(test)
    const id = await begun(customer)
    const told = new Map(kinds.map((kind) => [kind, event(id, kind)]))
    for (const kind of [...order, ...order]) expect(await post(must(told.get(kind)))).toBe(200)
    expect(await typesOf(customer), order.join()).toEqual([
      'fill_balance 2500',
      'charge_back -2500',
      'fill_balance 2500',
    ])
    expect((await customer.api.call(contract.getTopUp, { params: { id } })).body.status).toBe('paid')
  }
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

/** Delivers an event as payment services do: it is sent again while the answer is 503 (busy). */
async function delivered(one: Parameters<typeof post>[0]): Promise<number> {
  const status = await post(one)
  return status === 503 ? delivered(one) : status
}

it('rule 14: the events of 20 payments in any order, all at once, post each once', async () => {
  const customers = await Promise.all(Array.from({ length: 20 }, () => signedInCustomer(test)))
  const told = await Promise.all(
    customers.map(async (customer) => {
      const id = await begun(customer)
      return [
        event(id, 'paid'),
        event(id, 'paid'),
        event(id, 'charged_back', { amount: '1000' }),
        event(id, 'failed'),
      ]
    }),
  )
  const all = told
    .flat()
    .flatMap((one) => [one, one])
    .toSorted(() => Math.random() - 0.5)
  expect(new Set(await Promise.all(all.map(delivered)))).toEqual(new Set([200]))
  for (const customer of customers)
    expect(await typesOf(customer)).toEqual(['fill_balance 2500', 'charge_back -1000'])
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
}, 120_000)

it('rule 8: only a chargeback may overdraw the balance; then nothing can be spent until the debt is paid', async () => {
  const customer = await signedInCustomer(test)
  const { user_id } = customer
  const id = await begun(customer)
  await post(event(id, 'paid'))
  const spend = {
    type: 'spend',
    user_id,
    amount: 1_00n,
    description: { code: 'licence_order', params: {} },
  } as const
  await move(app, { ...spend, amount: 20_00n })
  await post(event(id, 'charged_back'))
  expect(await balanceOf(app, app.db, user_id)).toBe(-20_00n)
  await expect(move(app, spend)).rejects.toThrow('no_spending_in_debt')
  await post(event(await begun(customer, '2000'), 'paid'))
  expect(await balanceOf(app, app.db, user_id)).toBe(0n)
  await expect(move(app, spend)).rejects.toThrow('no_overdraft')
})

it('reverses in parts, and never more than was paid, whatever a provider sends', async () => {
  const customer = await signedInCustomer(test)
  const id = await begun(customer)
  await post(event(id, 'paid'))
  await post(event(id, 'charged_back', { amount: '1000' }))
  await post(event(id, 'reinstated', { amount: '400' }))
  await post(event(id, 'charged_back', { amount: '9999' }))
  expect(await typesOf(customer)).toEqual([
    'fill_balance 2500',
    'charge_back -1000',
    'fill_balance 400',
    'charge_back -1500',
    'charge_back -400',
  ])
  expect(await balanceOf(app, app.db, customer.user_id)).toBe(0n)
  expect((await customer.api.call(contract.getTopUp, { params: { id } })).body.status).toBe('charged_back')
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

it('credits the amount paid if it differs from the announced one', async () => {
  const customer = await signedInCustomer(test)
  await post(event(await begun(customer), 'paid', { amount: '1999' }))
  expect(await balanceOf(app, app.db, customer.user_id)).toBe(19_99n)
})

it('mails the customer about money that came and money that went, in their language', async () => {
  const customer = await signedInCustomer(test, { locale: 'de' })
  const id = await begun(customer)
  await post(event(id, 'paid'))
  const came = await mails.next(customer.email)
  expect(came.subject).toMatch(/^Ihre Zahlung über 25,00.€ ist eingegangen$/)
  expect(came.text).toMatch(/Guthaben: 25,00.€/)
  expect(came.text).toContain('http://localhost:3000/account/finances')
  await move(app, {
    type: 'spend',
    user_id: customer.user_id,
    amount: 1n,
    description: { code: 'licence_order', params: {} },
  })
  await post(event(id, 'charged_back'))
  // The debt that begins is mailed too, and may come first.
  let went = await mails.next(customer.email)
  while (went.subject?.includes('negativ')) went = await mails.next(customer.email)
  expect(went.subject).toMatch(/^Eine Zahlung über 25,00.€ wurde zurückgebucht$/)
  expect(went.text).toContain('ist jetzt negativ')
})

it('rule 61: a reinstated payment gives back what a bank took, and not what was paid out since', async () => {
  const customer = await signedInCustomer(test)
  const topUp = await begun(customer)
  await post(event(topUp, 'paid'))
  await post(event(topUp, 'charged_back', { amount: '500' }))
  await payOut(app, customer.user_id, 8_00n)
  await post(event(topUp, 'reinstated', { amount: '1300' }))
  expect(await balanceOf(app, app.db, customer.user_id)).toBe(17_00n)
})

it.each([
  ['no signature', {}],
  ['a wrong signature', { [SIGNATURE_HEADER]: 'a'.repeat(64) }],
  ["another body's signature", { [SIGNATURE_HEADER]: signTestEvent(app, '{}') }],
])('refuses an event with %s', async (_what, headers: Record<string, string>) => {
  const customer = await signedInCustomer(test)
  const body = JSON.stringify(event(await begun(customer), 'paid'))
  const reply = await fetch(`${url}/api/payments/test/events/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  expect([reply.status, ((await reply.json()) as { errors: { code: string }[] }).errors[0]?.code]).toEqual([
    400,
    'bad_signature',
  ])
  expect(await balanceOf(app, app.db, customer.user_id)).toBe(0n)
})

it('accepts events that are not ours or make no sense, and does nothing', async () => {
  expect(await post(event('AAAAAAAAAAAAAAAAAAAAAA', 'paid'))).toBe(200)
  expect(await post({ ...event('x', 'paid'), kind: 'dance' as 'paid' })).toBe(200)
  expect((await fetch(`${url}/api/payments/cash/events/`, { method: 'POST' })).status).toBe(404)
})

it('stores only those parts of an event that the books need', async () => {
  const superuser = await superuserOf(test)
  const { rows } = await superuser.query<{ row: string }>(
    'select row_to_json(e)::text as row from payment_events e',
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) expect(row).not.toMatch(/@|card|name/)
  await superuser.end()
})

it('an account that is gone gets no mail, is asked for no money, and its books stay', async () => {
  const customer = await signedInCustomer(test)
  const [paid, pending] = [await begun(customer), await begun(customer)]
  await post(event(paid, 'paid'))
  await mails.next(customer.email)
  const { status } = await leave(customer)
  expect(status).toBe(204)
  await post(event(paid, 'charged_back', { amount: '500' }))
  await post(event(pending, 'paid'))
  expect(await balanceOf(app, app.db, customer.user_id)).toBe(45_00n)
  expect(
    mails.all.filter((mail) => mail.to_address === customer.email && /charged back/.test(mail.subject ?? '')),
  ).toEqual([])
  const superuser = await superuserOf(test)
  const { rows } = await superuser.query<{ row: string }>(
    'select row_to_json(t)::text as row from transactions t where user_id = $1',
    [customer.user_id],
  )
  expect(rows.map(({ row }) => row).join()).not.toContain(customer.email)
  await superuser.end()
})
