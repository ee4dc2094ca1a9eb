import { expect, it } from 'vitest'
import * as contract from '#features/finance/contract.ts'
import { transactionTypes } from '#features/finance/rules.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { pageOfTransactions } from './transactions.ts'

const test = await startTestApp()
const { app } = test

const description = {
  code: 'licence_order',
  params: { host: '=cmd|"/c calc"', plan: 'Standard, small' },
} as const

/** Posts one transaction of each of the seven types; returns their ids, oldest first. */
async function ofAllTypes(customer: Customer): Promise<string[]> {
  const { user_id } = customer
  const paid = await addMoney(app, user_id, 100_00n)
  const voucher = { code: 'voucher', params: {} } as const
  const given = await move(app, {
    type: 'fill_balance_voucher',
    user_id,
    amount: 10_00n,
    description: voucher,
  })
  const spent = await move(app, { type: 'spend', user_id, amount: 30_00n, description })
  const inner = await move(app, { type: 'inner_spending', user_id, amount: 20_00n, description })
  const refund = { code: 'refund', params: { reason: 'Kulanz' } } as const
  const back = { user_id, amount: 5_00n, description: refund }
  const returned = await move(app, { ...back, type: 'return_on_balance', reverses: spent.transaction_id })
  const innerBack = await move(app, { ...back, type: 'inner_refund', reverses: inner.transaction_id })
  const pulled = await move(app, {
    type: 'charge_back',
    user_id,
    amount: 100_00n,
    provider: 'test',
    description: { code: 'charge_back', params: { provider: 'test' } },
    reverses: paid.transaction_id,
  })
  return [paid, given, spent, inner, returned, innerBack, pulled].map(({ transaction_id }) => transaction_id)
}

const list = (customer: Customer, query: object = {}) =>
  customer.api.call(contract.listTransactions, { query })

it('F-01 lists all seven types, newest first, each with its sign and the balance after it', async () => {
  const customer = await signedInCustomer(test)
  const ids = await ofAllTypes(customer)
  const { status, body } = await list(customer)
  expect(status).toBe(200)
  expect(body.items.map(({ id }) => id)).toEqual(ids.toReversed())
  expect(
    body.items.map(({ type, amount, balance_after }) => [type, amount.amount, balance_after.amount]),
  ).toEqual([
    ['charge_back', '-10000', '-3000'],
    ['inner_refund', '500', '7000'],
    ['return_on_balance', '500', '6500'],
    ['inner_spending', '-2000', '6000'],
    ['spend', '-3000', '8000'],
    ['fill_balance_voucher', '1000', '11000'],
    ['fill_balance', '10000', '10000'],
  ])
  expect(new Set(body.items.map(({ type }) => type))).toEqual(new Set(transactionTypes))
  expect((await customer.api.call(contract.getFinances, {})).body.balance).toEqual({
    amount: '-3000',
    currency: 'EUR',
  })
})

it('filters by type and by time, and pages through the result', async () => {
  const customer = await signedInCustomer(test)
  const ids = await ofAllTypes(customer)
  const all = (await list(customer)).body.items
  expect((await list(customer, { type: 'spend' })).body.items.map(({ type }) => type)).toEqual(['spend'])
  const [, , third] = all.toReversed()
  const from = third?.created_at ?? ''
  // Times are shown in milliseconds but stored in microseconds, so that neighbouring transactions may share the shown time `from`.
  const since = (await list(customer, { from })).body.items.map(({ id }) => id)
  expect(since).toEqual(ids.toReversed().slice(0, since.length))
  expect(since).toContain(third?.id)
  const before = (await list(customer, { to: from })).body.items.map(({ id }) => id)
  expect([...since, ...before]).toEqual(ids.toReversed())
  expect((await list(customer, { from: '2100-01-01T00:00:00Z' })).body.items).toEqual([])
  expect((await list(customer, { to: '1990-01-01T00:00:00+02:00' })).body.items).toEqual([])
  const first = (await list(customer, { limit: '2' })).body
  const second = (await list(customer, { limit: '5', cursor: first.next_cursor })).body
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.toReversed())
  expect(second.next_cursor).toBeNull()
})

it.each(['2026-02-31T00:00:00Z', '0000-01-01T00:00:00Z', 'yesterday', '2026-01-01'])(
  'refuses the time %s',
  async (from) => {
    const { status } = await (
      await signedInCustomer(test)
    ).api.get('/api/finances/transactions/', { query: { from } })
    expect(status).toBe(400)
  },
)

it('a customer sees nothing of another, also if both ask at the same time', async () => {
  const [one, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  const third = await signedInCustomer(test)
  for (const amount of [5_00n, 7_00n]) await addMoney(app, one.user_id, amount)
  await addMoney(app, third.user_id, 9_00n)
  const page = ({ user_id }: Customer, limit: number) => pageOfTransactions(app, user_id, { limit })
  // Four requests need not arrive in one turn of the event loop.
  const pages = await Promise.all([page(one, 9), page(other, 9), page(third, 9), page(one, 1)])
  const amounts = pages.map(({ items }) => items.map(({ amount }) => amount.amount))
  expect(amounts).toEqual([['700', '500'], [], ['900'], ['700']])
  expect(pages.map(({ next_cursor }) => next_cursor !== null)).toEqual([false, false, false, true])
  expect((await list(other)).body.items).toEqual([])
  expect((await other.api.call(contract.getFinances, {})).body.balance.amount).toBe('0')
})

it('writes all of them as CSV in the language of the account, with nothing a spreadsheet would run', async () => {
  const customer = await signedInCustomer(test, { locale: 'de' })
  const [, , spent] = await ofAllTypes(customer)
  const { status, body, headers } = await customer.api.get<string>('/api/finances/transactions.csv')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"')
  const lines = body.split('\r\n')
  expect(lines).toHaveLength(9)
  expect(lines[0]).toMatch(/Zeit \(UTC\),Art,Beschreibung,Betrag/)
  expect(lines[5]).toContain(`,-30.00,80.00,EUR,,${spent}`)
  expect(lines[5]).toContain('Bestellung,"Lizenz Standard, small für =cmd|""/c calc"""')
  const one = await customer.api.get<string>('/api/finances/transactions.csv', { query: { type: 'spend' } })
  expect(one.body.trimEnd().split('\r\n')).toHaveLength(2)
})

it('writes 1,001 transactions, more than one page of them, to the CSV, each once', async () => {
  const customer = await signedInCustomer(test)
  const { user_id } = customer
  await transaction(app, 'system', async (tx) => {
    const { post } = await import('./ledger.ts')
    const voucher = { code: 'voucher', params: {} } as const
    for (let time = 0; time < 1001; time += 1)
      await post(app, tx, { type: 'fill_balance_voucher', user_id, amount: 1n, description: voucher })
  })
  const { body } = await customer.api.get<string>('/api/finances/transactions.csv')
  const ids = body
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.slice(-36))
  expect([ids.length, new Set(ids).size]).toEqual([1001, 1001])
})
