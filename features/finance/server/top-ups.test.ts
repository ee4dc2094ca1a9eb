import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as contract from '#features/finance/contract.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { addMoney } from '#tests/harness/money.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { balanceOf, payingCountries } from './finance.ts'

const test = await startTestApp()
const { app, url } = test

const start = (
  customer: Customer,
  amount: string,
  provider: 'test' | 'bank' | 'stripe' = 'test',
  key: string = randomUUID(),
) =>
  customer.api.call(contract.startTopUp, { headers: { 'idempotency-key': key }, body: { amount, provider } })
const refusal = ({ body }: { body: unknown }) =>
  (body as { errors?: { code: string; param?: string }[] }).errors?.[0]

async function begun(customer: Customer, amount = '2500', provider: 'test' | 'bank' = 'test') {
  const reply = await start(customer, amount, provider)
  if (reply.status !== 201) throw new Error(JSON.stringify(reply))
  return reply.body
}

/** Clicks a button of the test provider's page, as a form without a script. */
const click = (id: string, act: string, from = '') =>
  fetch(`${url}/dev/pay/${id}/${act}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: from && `from=${from}`,
  })

const stateOf = async (customer: Customer, id: string) => {
  const { body } = await customer.api.call(contract.getTopUp, { params: { id } })
  return body.status
}

it('rule 54: takes money as answers give it, and refuses another currency before anything is written', async () => {
  const customer = await signedInCustomer(test)
  const key = randomUUID()
  const of = (amount: object) =>
    customer.api.post(
      '/api/finances/top-ups/',
      { amount, provider: 'test' },
      { headers: { 'idempotency-key': key } },
    )
  for (const [given, code, param] of [
    [{ amount: '2500', currency: 'USD' }, 'wrong_currency', 'amount.currency'],
    [{ amount: '2500' }, 'required', 'amount.currency'],
    [{ amount: '25.00', currency: 'EUR' }, 'invalid', 'amount.amount'],
  ] as const) {
    const refused = await of(given)
    expect([refused.status, refusal(refused)]).toMatchObject([400, { code, param }])
  }
  const taken = await of({ amount: '2500', currency: 'EUR' })
  expect([taken.status, taken.body]).toMatchObject([201, { amount: { amount: '2500', currency: 'EUR' } }])
  // The bare string is still read, as the same request.
  const again = await start(customer, '2500', 'test', key)
  expect(again.body).toEqual(taken.body)
})

it('rule 54: refuses by HTTP an amount that the provider cannot charge, before anything is written', async () => {
  const customer = await signedInCustomer(test)
  const { currency, payments } = app.config
  try {
    // Stripe charges dinars in tens of their smallest unit.
    Object.assign(app.config, { currency: 'KWD', payments: ['test', 'stripe'] })
    const refused = await start(customer, '10005', 'stripe')
    expect([refused.status, refusal(refused)]).toEqual([
      400,
      expect.objectContaining({ code: 'amount_too_fine', param: 'amount' }),
    ])
  } finally {
    Object.assign(app.config, { currency, payments })
  }
  const superuser = await superuserOf(test)
  const { rows } = await superuser.query('select from top_ups where user_id = $1', [customer.user_id])
  await superuser.end()
  expect(rows).toEqual([])
})

it('F-01 begins a top-up, has it paid on the test page, and takes the money back with a charge-back', async () => {
  const customer = await signedInCustomer(test)
  const { id, status, redirect_url, bank, amount } = await begun(customer)
  expect([status, redirect_url, bank, amount.amount]).toEqual(['pending', `/dev/pay/${id}`, null, '2500'])
  const paid = await click(id, 'pay', 'CH')
  expect(await payingCountries(app.db, customer.user_id)).toEqual(['CH'])
  expect([paid.status, paid.headers.get('location')]).toEqual([303, `/account/finances?top_up=${id}`])
  expect([await stateOf(customer, id), await balanceOf(app, app.db, customer.user_id)]).toEqual([
    'paid',
    25_00n,
  ])
  await click(id, 'charge-back')
  expect(await payingCountries(app.db, customer.user_id)).toEqual([])
  expect([await stateOf(customer, id), await balanceOf(app, app.db, customer.user_id)]).toEqual([
    'charged_back',
    0n,
  ])
  await click(id, 'reinstate')
  expect([await stateOf(customer, id), await balanceOf(app, app.db, customer.user_id)]).toEqual([
    'paid',
    25_00n,
  ])
})

it('a payment that failed fills nothing, and may be tried again', async () => {
  const customer = await signedInCustomer(test)
  const { id } = await begun(customer)
  await click(id, 'fail')
  expect([await stateOf(customer, id), await balanceOf(app, app.db, customer.user_id)]).toEqual([
    'failed',
    0n,
  ])
  await click(id, 'pay')
  await click(id, 'pay')
  await click(id, 'fail')
  expect([await stateOf(customer, id), await balanceOf(app, app.db, customer.user_id)]).toEqual([
    'paid',
    25_00n,
  ])
})

it.each([
  ['en', 'Test payment', '€25.00', 'Charge back'],
  ['de', 'Testzahlung', '25,00\u00A0€', 'Zurückbuchen'],
  ['ru', 'Тестовый платёж', '25,00\u00A0€', 'Отозвать платёж'],
] as const)(
  'the test page speaks %s, runs no script and loads nothing of others',
  async (locale, title, amount, act) => {
    const customer = await signedInCustomer(test, { locale })
    const { id } = await begun(customer)
    const before = await (await fetch(`${url}/dev/pay/${id}`)).text()
    expect(before).toContain(`/dev/pay/${id}/pay`)
    await click(id, 'pay')
    const page = await fetch(`${url}/dev/pay/${id}`)
    const text = await page.text()
    for (const said of [`<html lang="${locale}">`, title, amount, act]) expect(text).toContain(said)
    expect(text).not.toMatch(/<script|https?:\/\//)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect((await fetch(`${url}/dev/pay/style.css`)).headers.get('content-type')).toContain('text/css')
  },
)

it('the test page serves only its own top-ups, and does nothing else', async () => {
  const { id } = await begun(await signedInCustomer(test), '2500', 'bank')
  for (const path of [id, 'AAAAAAAAAAAAAAAAAAAAAA', 'short'])
    expect((await fetch(`${url}/dev/pay/${path}`)).status).toBe(404)
  expect((await click(id, 'pay')).status).toBe(404)
  const own = await begun(await signedInCustomer(test))
  expect((await click(own.id, 'dance')).status).toBe(404)
})

it('if the test provider is not offered its page does not exist', async () => {
  const other = await startTestApp({ settings: { PAYMENTS: 'bank' } })
  expect((await fetch(`${other.url}/dev/pay/AAAAAAAAAAAAAAAAAAAAAA`)).status).toBe(404)
  const customer = await signedInCustomer(other)
  expect(refusal(await start(customer, '2500', 'test'))).toMatchObject({
    code: 'provider_not_offered',
    param: 'provider',
  })
})

it.each([
  ['499', 'amount_too_small'],
  ['500001', 'amount_too_large'],
  ['0', 'invalid'],
  ['-500', 'invalid'],
  ['5.00', 'invalid'],
])('refuses the amount %s as %s', async (amount, code) => {
  const reply = await start(await signedInCustomer(test), amount)
  expect([reply.status, refusal(reply)]).toMatchObject([400, { code, param: 'amount' }])
})

it('fills no balance above the cap', async () => {
  const customer = await signedInCustomer(test)
  await addMoney(app, customer.user_id, 9_990_00n)
  expect(refusal(await start(customer, '1001'))).toMatchObject({ code: 'balance_cap', param: 'amount' })
  expect((await start(customer, '1000')).status).toBe(201)
})

it('rule 10: one Idempotency-Key 100 times at once is one top-up and one answer', async () => {
  // A program that made the top-up before it looked up the key would make as many top-ups as calls.
  const customer = await signedInCustomer(test)
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => start(customer, '2500', 'test', 'the key')),
  )
  expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body])))).toHaveLength(1)
  const superuser = await superuserOf(test)
  const { rows } = await superuser.query('select 1 from top_ups where user_id = $1', [customer.user_id])
  expect(rows).toHaveLength(1)
  await superuser.end()
  const other = await start(customer, '2600', 'test', 'the key')
  expect([other.status, refusal(other)]).toMatchObject([422, { code: 'idempotency_key_reused' }])
  const without = await customer.api.post('/api/finances/top-ups/', { amount: '2500', provider: 'test' })
  expect([without.status, refusal(without)]).toMatchObject([
    400,
    { code: 'required', param: 'idempotency-key' },
  ])
})

it('a bank transfer gets a reference to write on it, and the account it goes to', async () => {
  const customer = await signedInCustomer(test)
  const [one, other] = [await begun(customer, '2500', 'bank'), await begun(customer, '2500', 'bank')]
  expect(one.redirect_url).toBeNull()
  expect(one.bank).toEqual({
    reference: expect.stringMatching(/^HD-[A-HJ-NP-Z]{4}-\d{4}-\d{2}$/) as string,
    account: app.config.bankAccount,
    iban: 'DE02120300000000202051',
    epc: expect.stringMatching(
      /^BCD\n002\n1\nSCT\nBYLADEM1001\nHostdesk Demo\nDE02120300000000202051\nEUR25\.00\n/,
    ) as string,
  })
  expect(other.bank?.reference).not.toBe(one.bank?.reference)
})

it("rule 4: another customer's top-up is answered as not found", async () => {
  const [one, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  const { id } = await begun(one)
  const replies = [
    await other.api.get(`/api/finances/top-ups/${id}/`),
    await other.api.get('/api/finances/top-ups/AAAAAAAAAAAAAAAAAAAAAA/'),
  ]
  expect(replies.map(({ status, body }) => [status, refusal({ body })?.code])).toEqual([
    [404, 'not_found'],
    [404, 'not_found'],
  ])
})

it('an old announcement expires; money that arrives all the same counts', async () => {
  const customer = await signedInCustomer(test)
  const { id } = await begun(customer)
  const superuser = await superuserOf(test)
  await superuser.query("update top_ups set created_at = now() - interval '31 days' where public_id = $1", [
    id,
  ])
  await superuser.end()
  const { jobs } = await import('./feature.ts')
  await jobs.find(({ name }) => name === 'expire_top_ups')?.run(app, {}, '')
  expect(await stateOf(customer, id)).toBe('expired')
  await click(id, 'pay')
  expect([await stateOf(customer, id), await balanceOf(app, app.db, customer.user_id)]).toEqual([
    'paid',
    25_00n,
  ])
})
