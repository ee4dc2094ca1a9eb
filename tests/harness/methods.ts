import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { MethodKind } from '#features/finance/rules.ts'
import { testMethods, type TestMethod } from '#features/finance/server/providers/test-methods.ts'
import * as contract from '#features/methods/contract.ts'
import type { Customer } from './customer.ts'
import { bodyOf } from './hosts.ts'
import { postPayment } from './payments.ts'
import type { TestApp } from './test-app.ts'

/** Begins to save a method. */
export const beginMethod = ({ api }: Pick<Customer, 'api'>, kind: MethodKind = 'card', key = randomUUID()) =>
  api.call(contract.saveMethod, { headers: { 'idempotency-key': key }, body: { provider: 'test', kind } })

/** Saves a method of the test provider, and returns its public id; `until` is the last month of a card, such as 2031-04. */
export async function savedMethod(
  test: Pick<TestApp, 'app' | 'url'>,
  customer: Pick<Customer, 'api'>,
  way: TestMethod = 'pays',
  until?: string,
): Promise<string> {
  const { id } = bodyOf(await beginMethod(customer, testMethods[way].kind), 201)
  const saved = until === undefined ? way : `${way} ${until}`
  const told = { id: randomUUID(), kind: 'method_saved', method: id, saved } as const
  expect(await postPayment(test, told)).toBe(200)
  return id
}

export const methodsOf = async ({ api }: Pick<Customer, 'api'>): Promise<contract.PaymentMethod[]> =>
  bodyOf(await api.call(contract.listMethods, {}), 200).items

/** The choice of somebody else's method for an automatic top-up, and of one that does not exist. */
export const foreignAutoTopUp = (theirs: string) => {
  const body = { kind: 'cover', month_limit: '5000', version: 0 }
  return {
    method: 'PUT',
    path: '/api/finances/auto-top-up/',
    theirs: { ...body, method_id: theirs },
    nobodys: { ...body, method_id: 'A'.repeat(22) },
  }
}
