import { expect, it } from 'vitest'
import { getFinances } from '#features/finance/contract.ts'
import { createHost, listHosts } from '#features/hosts/contract.ts'
import { deactivate } from '#features/profile/contract.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { leave } from '#tests/harness/leaving.ts'
import { addMoney } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const euros = (amount: string) => ({ amount, currency: 'EUR' })
const remove = ({ api }: Customer, forfeit?: ReturnType<typeof euros>) =>
  api.call(deactivate, { body: forfeit ? { forfeit } : {} })

async function withMoney(amount: bigint): Promise<Customer> {
  const customer = await signedInCustomer(test)
  await addMoney(test.app, customer.user_id, amount)
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
  expect((await customer.api.call(getFinances, {})).status).toBe(401)
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
