import { describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import * as contract from '#features/finance/contract.ts'
import { createHost, listHosts } from '#features/hosts/contract.ts'
import { deactivate } from '#features/profile/contract.ts'
import { eraseAccount } from '#features/profile/server/profile.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { leave } from '#tests/harness/leaving.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { must } from '#foundation/must.ts'
import { checkLedger } from './check.ts'
import { balanceOf } from './finance.ts'

const test = await startTestApp()
const euros = (amount: string) => ({ amount, currency: 'EUR' })
const remove = ({ api }: Customer, forfeit?: ReturnType<typeof euros>) =>
  api.call(deactivate, { body: forfeit ? { forfeit } : {} })

async function withMoney(amount: bigint): Promise<Customer> {
  const customer = await signedInCustomer(test)
  if (amount > 0n) await addMoney(test.app, customer.user_id, amount)
  return customer
}

// Red before the check: an account was deleted with 25 euros on it, without a question.
it('P-04 an account with money on it is deleted only if the forfeited sum is named', async () => {
  const customer = await withMoney(25_00n)
  bodyOf(await customer.api.call(createHost, { headers: {}, body: {} }), 201)
  const refused = { status: 409, body: { ...refusal(409, 'balance_left'), balance: euros('2500') } }
  for (const forfeit of [undefined, euros('2499'), { amount: '2500', currency: 'USD' }])
    expect(await remove(customer, forfeit)).toMatchObject(refused)
  // The refusals have changed nothing: the customer still has an account and a server.
  expect(bodyOf(await customer.api.call(listHosts, { query: {} }), 200).items).toHaveLength(1)
  expect((await remove(customer, euros('2500'))).status).toBe(204)
  expect((await customer.api.call(contract.getFinances, {})).status).toBe(401)
  const rows = await asOwner(
    test,
    "select detail ->> 'forfeit' as forfeit from audit where user_id = $1 and act = 'account.deactivated'",
    [customer.user_id],
  )
  expect(rows).toEqual([{ forfeit: '2500' }])
})

it('needs no second confirmation from a customer with an empty or negative balance', async () => {
  expect((await remove(await signedInCustomer(test))).status).toBe(204)
})

it('money that comes in that moment is named or comes too late, never lost unsaid', async () => {
  const customer = await withMoney(10_00n)
  const [first] = await Promise.all([
    remove(customer, euros('1000')),
    addMoney(test.app, customer.user_id, 5_00n).catch(() => undefined),
  ])
  const left = await asOwner(test, 'select balance::text from balances where user_id = $1', [
    customer.user_id,
  ])
  if (first.status === 409) expect(first.body.balance).toEqual(euros('1500'))
  expect([first.status, left]).toEqual(
    first.status === 409
      ? [409, [{ balance: '1500' }]]
      : [204, [{ balance: expect.stringMatching(/^1[05]00$/) }]],
  )
  expect([204, 401]).toContain((await leave(customer)).status)
})

describe('rule 61: staff give money back, or write a debt off, so that an account ends without losing any', () => {
  const staff = signedInCustomer(test).then(async (member) => {
    await transaction(test.app, 'system', (tx) => setStaffRoles(tx, member.user_id, ['billing']))
    return member
  })
  const headers = () => ({ 'idempotency-key': randomUUID() })
  const payOut = async ({ user_id }: Customer, amount: string) =>
    (await staff).api.call(contract.payOut, {
      params: { userId: user_id },
      headers: headers(),
      body: { amount, reference: 'RF 4711', reason: 'Asked by letter' },
    })
  const writeOff = async ({ user_id }: Customer, amount: string) =>
    (await staff).api.call(contract.writeOffDebt, {
      params: { userId: user_id },
      headers: headers(),
      body: { amount, reason: 'Not worth a letter' },
    })
  /** The balance as staff see it, the gift in it, and how much can be paid out. */
  const seen = async ({ user_id }: Customer) => {
    const { api } = await staff
    const reply = await api.call(contract.customerTransactions, { params: { userId: user_id }, query: {} })
    const { balance: all, gift, payable } = bodyOf(reply, 200)
    return [all, gift, payable]
  }
  const balance = ({ user_id }: Customer) => balanceOf(test.app, test.app.db, user_id)

  it('pays out what was paid, from all payments, once, and no gift; then the account goes without a question', async () => {
    const customer = await withMoney(10_00n)
    await addMoney(test.app, customer.user_id, 5_00n)
    const gift = {
      type: 'fill_balance_voucher',
      amount: 3_00n,
      description: { code: 'voucher', params: {} },
    } as const
    await move(test.app, { ...gift, user_id: customer.user_id })
    expect(await seen(customer)).toEqual([euros('1800'), euros('300'), euros('1500')])
    expect(await payOut(customer, '1800')).toMatchObject({
      status: 409,
      body: refusal(409, 'nothing_to_pay_out'),
    })
    const replies = await Promise.all([payOut(customer, '1500'), payOut(customer, '1500')])
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409])
    expect(await balance(customer)).toBe(3_00n)
    expect(await seen(customer)).toEqual([euros('300'), euros('300'), euros('0')])
    const { items } = bodyOf(await customer.api.call(contract.listTransactions, { query: {} }), 200)
    expect(items.slice(0, 2)).toMatchObject([
      { amount: euros('-500'), description: { code: 'pay_out', params: { reference: 'RF 4711' } } },
      { amount: euros('-1000'), description: { code: 'pay_out' } },
    ])
    expect((await test.mails.next(customer.email)).subject).toBe('We have paid out €15.00 to you')
    expect((await remove(customer, euros('300'))).status).toBe(204)
    expect((await checkLedger(test.app.ownerUrl)).damages).toEqual([])
  })

  it('pays out no gift that came after the money was spent', async () => {
    const customer = await withMoney(10_00n)
    const { user_id } = customer
    await move(test.app, {
      type: 'spend',
      user_id,
      amount: 5_00n,
      description: { code: 'licence_order', params: {} },
    })
    const description = { code: 'credit', params: { reason: 'Outage' } } as const
    await move(test.app, { type: 'fill_balance_voucher', user_id, amount: 3_00n, description })
    expect((await payOut(customer, '501')).status).toBe(409)
    expect((await payOut(customer, '500')).status).toBe(201)
    expect(await balance(customer)).toBe(3_00n)
  })

  it('a payout that did not go through is undone like any mistake; above the allowance it waits for a second person', async () => {
    const customer = await withMoney(600_00n)
    expect((await payOut(customer, '50001')).status).toBe(202)
    const { id } = bodyOf(await payOut(customer, '1000'), 201)
    const undone = await (
      await staff
    ).api.call(contract.correctTransaction, {
      params: { userId: customer.user_id, id },
      headers: headers(),
      body: { reason: 'The transfer came back' },
    })
    expect(undone).toMatchObject({ status: 201, body: { type: 'fill_balance', amount: euros('1000') } })
    expect((await payOut(customer, '1000')).status).toBe(201)
    // A payout takes no more than what is left of the balance.
    const description = { code: 'licence_order', params: {} } as const
    await move(test.app, { type: 'spend', user_id: customer.user_id, amount: 580_00n, description })
    expect((await payOut(customer, '1001')).status).toBe(409)
  })

  it('writes a debt off, no more than is owed', async () => {
    const customer = await withMoney(10_00n)
    const { user_id } = customer
    expect(await writeOff(customer, '1')).toMatchObject({ status: 409, body: refusal(409, 'no_such_debt') })
    const paid = bodyOf(await customer.api.call(contract.listTransactions, { query: {} }), 200).items[0]
    const description = { code: 'licence_order', params: {} } as const
    await move(test.app, { type: 'spend', user_id, amount: 4_00n, description })
    const pulled = { code: 'charge_back', params: { provider: 'test' } } as const
    await move(test.app, {
      type: 'charge_back',
      user_id,
      amount: 1000n,
      provider: 'test',
      description: pulled,
      reverses: must(paid).id,
    })
    expect(await balance(customer)).toBe(-4_00n)
    expect((await writeOff(customer, '401')).status).toBe(409)
    expect(await writeOff(customer, '400')).toMatchObject({
      status: 201,
      body: { description: { code: 'written_off' }, balance_after: euros('0') },
    })
    expect((await remove(customer)).status).toBe(204)
  })

  it('money that comes to an account that is gone is on the list of staff, and can be paid out', async () => {
    const customer = await signedInCustomer(test)
    const body = { amount: '2500', provider: 'bank' } as const
    const topUp = bodyOf(await customer.api.call(contract.startTopUp, { headers: headers(), body }), 201)
    expect((await remove(customer)).status).toBe(204)
    const confirmed = await (
      await staff
    ).api.call(contract.confirmTopUp, {
      params: { userId: customer.user_id, id: topUp.id },
      headers: headers(),
      body: { reason: 'Statement 17' },
    })
    expect(confirmed.status).toBe(201)
    const list = await (await staff).api.call(contract.listUnbookedEvents, { query: {} })
    expect(bodyOf(list, 200).items).toMatchObject([
      {
        cause: 'account_closed',
        amount: euros('2500'),
        top_up: topUp.id,
        customer: { id: customer.user_id },
      },
    ])
    expect((await payOut(customer, '2500')).status).toBe(201)
    expect(await balance(customer)).toBe(0n)

    // An account that ends by itself, as one that was never proven, gives nothing up. An account whose sum was typed leaves no line.
    // Gifts are nothing that could be paid back.
    const [unproven, leaver, given] = [await withMoney(7_00n), await withMoney(8_00n), await withMoney(0n)]
    for (const one of [unproven, given])
      await move(test.app, {
        type: 'fill_balance_voucher',
        user_id: one.user_id,
        amount: 3_00n,
        description: { code: 'voucher', params: {} },
      })
    await transaction(test.app, 'system', (tx) => eraseAccount(test.app, tx, given.user_id))
    await transaction(test.app, 'system', (tx) => eraseAccount(test.app, tx, unproven.user_id))
    expect((await remove(leaver, euros('800'))).status).toBe(204)
    const after = await (await staff).api.call(contract.listUnbookedEvents, { query: {} })
    expect(bodyOf(after, 200).items.map(({ customer: of, amount }) => [of?.id, amount?.amount])).toEqual([
      [unproven.user_id, '700'],
      [customer.user_id, '2500'],
    ])
  })
})
