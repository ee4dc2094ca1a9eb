import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { listApprovals } from '#features/approvals/contract.ts'
import * as contract from '#features/payouts/contract.ts'
import * as staffContract from '#features/payouts/staff-contract.ts'
import { listTransactions, listUnbookedEvents } from '#features/finance/contract.ts'
import { readToday } from '#features/operations/contract.ts'
import { deactivate } from '#features/profile/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { eraseAccounts } from './accounts.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
const billing = await signedInStaff(test, { roles: ['billing'] })
const IBAN = 'DE89 3704 0044 0532 0130 00'
const euros = (amount: string) => ({ amount, currency: 'EUR' })
const headers = () => ({ 'idempotency-key': randomUUID() })
const balance = ({ user_id }: Customer) => balanceOf(app, app.db, user_id)

async function withMoney(amount = 20_00n): Promise<Customer> {
  const customer = await signedInCustomer(test)
  await addMoney(app, customer.user_id, amount)
  return customer
}

const ask = ({ api }: Customer, amount: string, account = { iban: IBAN, holder: 'Anna Öztürk' }) =>
  api.call(contract.requestPayout, { headers: headers(), body: { amount, ...account } })
const listed = async ({ api }: Customer) => bodyOf(await api.call(contract.listPayouts, { query: {} }), 200)
const sent = ({ user_id: userId }: Customer, id: string) =>
  billing.api.call(staffContract.markPayoutSent, { params: { userId, id } })
const giveBack = ({ user_id: userId }: Customer, id: string) =>
  billing.api.call(staffContract.returnPayout, {
    params: { userId, id },
    headers: headers(),
    body: { reason: 'The bank knows no such account' },
  })
const makeFile = () => billing.api.call(staffContract.makePayoutFile, { headers: headers() })
const kindsOf = async ({ api }: Customer) =>
  bodyOf(await api.call(listTransactions, { query: {} }), 200).items.map(
    ({ type, amount, description }) => `${type} ${description.code} ${amount.amount}`,
  )

it('rule 61: a payout leaves the balance at once, never takes a gift, and is back on it once if it fails', async () => {
  const customer = await withMoney()
  const description = { code: 'voucher', params: {} } as const
  await move(app, { type: 'fill_balance_voucher', user_id: customer.user_id, amount: 5_00n, description })
  expect((await listed(customer)).payable).toEqual(euros('2000'))
  expect(await ask(customer, '2001')).toMatchObject({ status: 409, body: refusal(409, 'more_than_payable') })
  const made = bodyOf(await ask(customer, '1500'), 201)
  expect(made).toMatchObject({ state: 'requested', way: 'bank', amount: euros('1500'), iban_end: '3000' })
  expect([await balance(customer), (await listed(customer)).payable]).toEqual([10_00n, euros('500')])
  expect((await test.mails.next(customer.email)).subject).toBe('Your payout of €15.00 is on its way')
  const waiting = async () => bodyOf(await billing.api.call(readToday, {}), 200).payouts
  expect(await waiting()).toBe(1)
  const twice = await Promise.all([giveBack(customer, made.id), giveBack(customer, made.id)])
  expect(twice.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409])
  expect((await sent(customer, made.id)).status).toBe(409)
  expect(await waiting()).toBeUndefined()
  expect(await balance(customer)).toBe(25_00n)
  expect(await listed(customer)).toMatchObject({
    payable: euros('2000'),
    items: [{ id: made.id, state: 'failed', failure: 'The bank knows no such account' }],
  })
  const mail = await test.mails.next(customer.email)
  expect([mail.subject, mail.text]).toEqual([
    'Your payout of €15.00 could not be made',
    expect.stringContaining('The bank knows no such account'),
  ])
  expect(await kindsOf(customer)).toEqual([
    'fill_balance payout_returned 1500',
    'charge_back payout -1500',
    'fill_balance_voucher voucher 500',
    'fill_balance top_up 2000',
  ])
  // One that was sent may come back, too, and what came back may leave again.
  const again = bodyOf(await ask(customer, '2000'), 201)
  expect((await sent(customer, again.id)).status).toBe(200)
  expect((await sent(customer, again.id)).status).toBe(200)
  expect((await giveBack(customer, again.id)).status).toBe(201)
  expect(await balance(customer)).toBe(25_00n)
  expect((await listed(customer)).items[0]).toMatchObject({ state: 'returned' })
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
})

it('many requests at once pay out no more than there is, and no more than a few are under way', async () => {
  const customer = await withMoney(20_00n)
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(customer, '600')))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(await balance(customer)).toBe(2_00n)
  for (const amount of ['10', '10']) expect((await ask(customer, amount)).status).toBe(201)
  expect(await ask(customer, '10')).toMatchObject({ status: 409, body: refusal(409, 'too_many_payouts') })
})

it.each([
  ['iban_invalid', { iban: 'DE89 3704 0044 0532 0130 01', holder: 'Anna' }],
  // A valid IBAN of Brazil, and one of Germany that is too long.
  ['iban_not_sepa', { iban: 'BR1500000000000010932840814P2', holder: 'Anna' }],
  ['holder_not_latin', { iban: IBAN, holder: 'Анна' }],
])('refuses an account with %s', async (code, account) => {
  const customer = await withMoney()
  expect(await ask(customer, '100', account)).toMatchObject({ status: 400, body: refusal(400, code) })
  expect(await balance(customer)).toBe(20_00n)
})

it('keeps the IBAN sealed, and erases it 30 days after the payout ended, and not one that is needed', async () => {
  const [done, waiting] = [await withMoney(), await withMoney()]
  const made = [bodyOf(await ask(done, '100'), 201), bodyOf(await ask(waiting, '100'), 201)]
  await sent(done, must(made[0]).id)
  const rows = await asOwner(test, 'select row_to_json(a)::text as row from payout_accounts a')
  expect(JSON.stringify(rows)).not.toContain('0532')
  const age = async (days: number) => {
    await asOwner(test, `update payout_accounts set created_at = now() - interval '${days} days'`)
    await asOwner(
      test,
      `update payouts set ended_at = now() - interval '${days} days' where ended_at is not null`,
    )
    await eraseAccounts(app)
    return [(await listed(done)).items[0]?.iban_end, (await listed(waiting)).items[0]?.iban_end]
  }
  expect(await age(29)).toEqual(['3000', '3000'])
  expect(await age(31)).toEqual([null, '3000'])
  await giveBack(waiting, must(made[1]).id)
})

it('puts each payout into one file, which is the same at each download, and shows what became of it', async () => {
  // Payouts that the tests before have left under way go first.
  await makeFile()
  const customers = [await withMoney(), await withMoney(), await withMoney()]
  const asked = []
  for (const one of customers)
    asked.push(bodyOf(await ask(one, '700', { iban: IBAN, holder: '+cmd()' }), 201))
  const files = await Promise.all([makeFile(), makeFile(), makeFile()])
  expect(files.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409, 409])
  const file = bodyOf(must(files.find(({ status }) => status === 201)), 201)
  expect(file.total.amount).toBe(String(7_00n * BigInt(file.payouts)))
  const params = { id: file.id }
  const xml = await download(`/api/staff/payout-files/${file.id}/sepa.xml`)
  expect(xml).toContain('<CtrlSum>21.00</CtrlSum>')
  for (const { reference } of asked)
    expect(xml.split(`<EndToEndId>${reference}</EndToEndId>`)).toHaveLength(2)
  expect(await download(`/api/staff/payout-files/${file.id}/payouts.csv`)).toContain(`,'+cmd(),`)
  // A payout that failed in between stays in the file, and no other act changes its bytes.
  expect((await giveBack(must(customers[0]), must(asked[0]).id)).status).toBe(201)
  expect(await download(`/api/staff/payout-files/${file.id}/sepa.xml`)).toBe(xml)
  const marks = Array.from({ length: 6 }, () => billing.api.call(staffContract.markFileSent, { params }))
  for (const marked of await Promise.all(marks))
    expect(bodyOf(marked, 200)).toMatchObject({ under_way: 0, is_sepa: true, is_erased: false })
  const records = "select id from audit where act = 'payouts.sent' and user_id = $1"
  expect(await asOwner(test, records, [must(customers[1]).user_id]), 'marked once').toHaveLength(1)
  expect((await listed(must(customers[0]))).items[0]?.state).toBe('failed')
  expect((await listed(must(customers[1]))).items[0]?.state).toBe('sent')
  expect(await makeFile()).toMatchObject({ status: 409, body: refusal(409, 'no_payouts_wait') })
})

it('lets no member of staff send money to themselves, and asks a second person above an allowance', async () => {
  await addMoney(app, billing.user_id, 900_00n)
  const own = bodyOf(await ask(billing, '100'), 201)
  expect((await sent(billing, own.id)).status).toBe(403)
  expect((await giveBack(billing, own.id)).status).toBe(403)
  expect((await makeFile()).status).toBe(409)
  const customer = await withMoney(900_00n)
  const large = bodyOf(await ask(customer, '60000'), 201)
  expect((await giveBack(customer, large.id)).status).toBe(202)
  expect(await balance(customer)).toBe(300_00n)
  const pay = (amount: string) =>
    billing.api.call(contract.payToBank, {
      params: { userId: customer.user_id },
      headers: headers(),
      body: { amount, iban: IBAN, holder: 'Anna', reason: 'By letter' },
    })
  expect((await pay('30001')).status).toBe(409)
  expect(await pay('1000')).toMatchObject({
    status: 201,
    body: { requested_by: { id: billing.user_id }, account: { iban: IBAN.replaceAll(' ', '') } },
  })
  const kept = await asOwner(test, `select input::text from approvals where act like 'payouts.%'`)
  expect(JSON.stringify(kept)).not.toContain('DE89')
  const support = await signedInStaff(test, { roles: ['support'] })
  expect((await support.api.call(staffContract.listStaffPayouts, { query: {} })).status).toBe(403)
})

it('shows the second person where the money of a payout goes', async () => {
  const customer = await withMoney(900_00n)
  const call = {
    params: { userId: customer.user_id },
    headers: headers(),
    body: { amount: '60000', iban: IBAN, holder: 'Anna Öztürk', reason: 'By letter' },
  }
  const { approval } = bodyOf(await billing.api.call(contract.payToBank, call), 202)
  const admin = await signedInStaff(test, { roles: ['admin'] })
  const list = bodyOf(await admin.api.call(listApprovals, { query: { status: 'proposed' } }), 200)
  const { preview } = must(list.items.find(({ id }) => id === approval.id))
  expect(preview).toEqual([
    { code: 'bank_account', params: { holder: 'Anna Öztürk', country: 'DE', end: '3000' } },
    { code: 'balance', params: { before: '90000', after: '30000' } },
  ])
})

it('rule 61: an account is deleted with its money paid out, and the payout outlives it', async () => {
  const customer = await withMoney(10_00n)
  const description = { code: 'voucher', params: {} } as const
  await move(app, { type: 'fill_balance_voucher', user_id: customer.user_id, amount: 3_00n, description })
  const leave = (amount: string, forfeit?: string) =>
    customer.api.call(deactivate, {
      body: {
        payout: { amount: euros(amount), iban: IBAN, holder: 'Anna' },
        ...(forfeit === undefined ? {} : { forfeit: euros(forfeit) }),
      },
    })
  // Gifts are not paid out, and nothing is given up that nobody named.
  for (const refused of [await leave('1300'), await leave('1000'), await leave('900', '300')])
    expect(refused).toMatchObject({ status: 409, body: { balance: euros('1300') } })
  expect(await balance(customer)).toBe(13_00n)
  expect((await leave('1000', '300')).status).toBe(204)
  const { items } = bodyOf(
    await billing.api.call(staffContract.listStaffPayouts, { query: { state: 'requested' } }),
    200,
  )
  const left = must(items.find(({ customer: of }) => of.id === customer.user_id))
  expect(left).toMatchObject({ amount: euros('1000'), account: { holder: 'Anna' } })
  const open = async () => {
    const reply = await billing.api.call(listUnbookedEvents, { query: {} })
    return bodyOf(reply, 200).items.filter(({ customer: of }) => of?.id === customer.user_id)
  }
  expect(await open()).toEqual([])
  // A payout that comes back to an account that is gone is seen by staff.
  expect((await giveBack(customer, left.id)).status).toBe(201)
  expect(await open()).toMatchObject([{ cause: 'account_closed', amount: euros('1000') }])
})

async function download(path: string): Promise<string> {
  const reply = await billing.api.get<string>(path)
  expect(reply.status).toBe(200)
  return reply.body
}
