import { bodyOf } from './hosts.ts'
import { addMoney, move } from './money.ts'
import { buyer, orderHost } from './shop.ts'
import type { Customer } from './customer.ts'
import type { TestApp } from './test-app.ts'

export type Debtor = Customer & { hostIds: string[] }

/** Makes a customer with paid servers, whose payment of 100.00 the bank charges back. */
export async function debtor(test: TestApp, hosts = 2): Promise<Debtor> {
  const customer = await buyer(test, 0n)
  const { transaction_id } = await addMoney(test.app, customer.user_id, 10_000n)
  const hostIds: string[] = []
  for (let count = 0; count < hosts; count += 1)
    hostIds.push(bodyOf(await orderHost(customer, { name: `otter-${count}` }), 201).host.id)
  await pullBack(test, customer, transaction_id)
  return { ...customer, hostIds }
}

/** Books the chargeback of a payment of 100.00. */
export const pullBack = ({ app }: TestApp, { user_id }: { user_id: string }, reverses: string) =>
  move(app, {
    type: 'charge_back',
    user_id,
    amount: 10_000n,
    provider: 'test',
    reverses,
    description: { code: 'charge_back', params: { provider: 'test' } },
  })
