import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as contract from '#features/finance/contract.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { addMoney } from '#tests/harness/money.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { checkLedger } from './check.ts'
import { balanceOf, makeVoucher } from './finance.ts'
import { must } from '#foundation/must.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app, mails } = test

const redeem = (customer: Customer, code: string, key: string = randomUUID()) =>
  customer.api.call(contract.redeemVoucher, { headers: { 'idempotency-key': key }, body: { code } })
const statuses = (replies: { status: number }[]) =>
  Object.fromEntries(
    [201, 400, 409, 429].map((status) => [status, replies.filter((one) => one.status === status).length]),
  )
const codeIn = (reply: { body: unknown }) =>
  (reply.body as { errors?: { code: string; param?: string }[] }).errors?.[0]

it('F-01 puts the amount of a voucher on the balance, however the code is typed', async () => {
  const customer = await signedInCustomer(test)
  const code = await makeVoucher(app, { amount: 25_00n, uses: 1, days: 30 })
  expect(code).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/)
  const reply = await redeem(customer, ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')}`)
  expect([reply.status, reply.body]).toMatchObject([
    201,
    {
      type: 'fill_balance_voucher',
      amount: { amount: '2500' },
      balance_after: { amount: '2500' },
      description: { code: 'voucher' },
    },
  ])
  const mail = await mails.next(customer.email)
  expect([mail.subject, mail.text]).toEqual([
    'Voucher for €25.00 redeemed',
    expect.stringContaining('Balance: €25.00'),
  ])
})

it('rule 12: of 50 customers who redeem one voucher of 7 uses at once, exactly 7 get it', async () => {
  // Naively (count the uses, compare, insert the next slot) the keys of the table refused the others with a
  // 500, and without those keys all 50 got it.
  const code = await makeVoucher(app, { amount: 10_00n, uses: 7, days: null })
  const customers = await Promise.all(Array.from({ length: 50 }, () => signedInCustomer(test)))
  const replies = await Promise.all(customers.map((customer) => redeem(customer, code)))
  expect(statuses(replies)).toEqual({ 201: 7, 400: 0, 409: 43, 429: 0 })
  const balances = await Promise.all(customers.map(({ user_id }) => balanceOf(app, app.db, user_id)))
  expect(balances.reduce((sum, balance) => sum + balance, 0n)).toBe(70_00n)
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

it('rule 12: one customer who redeems one voucher 50 times at once gets it once', async () => {
  const customer = await signedInCustomer(test)
  const code = await makeVoucher(app, { amount: 10_00n, uses: 100, days: null })
  const replies = await Promise.all(Array.from({ length: 50 }, () => redeem(customer, code)))
  expect(statuses(replies)).toEqual({ 201: 1, 400: 0, 409: 49, 429: 0 })
  expect(await balanceOf(app, app.db, customer.user_id)).toBe(10_00n)
})

it('rule 10: 100 simultaneous requests with one Idempotency-Key redeem a voucher once and get the same answer', async () => {
  const customer = await signedInCustomer(test)
  const code = await makeVoucher(app, { amount: 10_00n, uses: 100, days: null })
  const replies = await Promise.all(Array.from({ length: 100 }, () => redeem(customer, code, 'the key')))
  expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body])))).toHaveLength(1)
  expect(replies[0]?.status).toBe(201)
  expect(await balanceOf(app, app.db, customer.user_id)).toBe(10_00n)
  const other = await redeem(customer, 'another', 'the key')
  expect([other.status, codeIn(other)]).toMatchObject([422, { code: 'idempotency_key_reused' }])
})

it('rule 12: the table itself has no room for a use too many, nor for a second of one customer', async () => {
  const superuser = await superuserOf(test)
  const customers = await Promise.all([1, 2, 3].map(() => signedInCustomer(test)))
  const code = await makeVoucher(app, { amount: 1_00n, uses: 1, days: null })
  await redeem(must(customers[0]), code)
  const insert = (slot: number, uses: number, user_id: string, transaction_id: string) =>
    superuser.query(
      `insert into redemptions (voucher_id, slot, uses, user_id, transaction_id)
       select max(id), $1, $2, $3, $4 from vouchers`,
      [slot, uses, user_id, transaction_id],
    )
  const { transaction_id } = await addMoney(app, must(customers[1]).user_id, 1n)
  await expect(insert(1, 1, must(customers[1]).user_id, transaction_id)).rejects.toThrow('redemptions_pkey')
  await expect(insert(2, 1, must(customers[1]).user_id, transaction_id)).rejects.toThrow('check constraint')
  await expect(insert(2, 2, must(customers[1]).user_id, transaction_id)).rejects.toThrow('foreign key')
  await superuser.end()
})

it('refuses a wrong, an expired and a foreign-currency code alike, and keeps no code', async () => {
  const superuser = await superuserOf(test)
  const customer = await signedInCustomer(test)
  const expired = await makeVoucher(app, { amount: 1_00n, uses: 1, days: 0 })
  for (const code of ['0000-0000-0000-0000', expired, 'x']) {
    const reply = await redeem(customer, code)
    expect([reply.status, codeIn(reply)]).toMatchObject([400, { code: 'voucher_invalid', param: 'code' }])
  }
  const { rows } = await superuser.query<{ row: string }>(
    'select row_to_json(v)::text as row from vouchers v',
  )
  expect(rows.map(({ row }) => row).join('\n')).not.toContain(expired.slice(0, 9))
  await superuser.end()
})

it('fills no balance above the cap', async () => {
  const customer = await signedInCustomer(test)
  const code = await makeVoucher(app, { amount: 1n, uses: 5, days: null })
  await addMoney(app, customer.user_id, 10_000_00n)
  expect(codeIn(await redeem(customer, code))).toMatchObject({ code: 'balance_cap', param: 'code' })
})

it('rule 18: of 200 wrong codes at once exactly 10 are looked at; a right one costs no try', async () => {
  const strict = await startTestApp()
  const customer = await signedInCustomer(strict)
  const code = await makeVoucher(strict.app, { amount: 1_00n, uses: 1, days: null })
  expect((await redeem(customer, code)).status).toBe(201)
  const replies = await Promise.all(Array.from({ length: 200 }, () => redeem(customer, 'WRONG')))
  expect(statuses(replies)).toEqual({ 201: 0, 400: 10, 409: 0, 429: 190 })
  expect(
    Number(replies.find(({ status }) => status === (429 as number))?.headers.get('retry-after')),
  ).toBeGreaterThan(0)
})
