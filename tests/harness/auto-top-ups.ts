import * as contract from '#features/auto-top-ups/contract.ts'
import type { TestMethod } from '#features/finance/server/providers/test-methods.ts'
import { fillBalances } from '#features/sales/server/fill-balances.ts'
import type { InputOf } from '#foundation/contract.ts'
import { toMoney } from '#foundation/money.ts'
import type { Customer } from './customer.ts'
import { bodyOf } from './hosts.ts'
import { savedMethod } from './methods.ts'
import { doLicenceJobs } from './shop.ts'
import type { TestApp } from './test-app.ts'

type Wish = Partial<InputOf<typeof contract.setAutoTopUp>['body']>

/** Turns the automatic top-up on: by default for what renewals lack, 100.00 a month at most. */
export const turnOn = async ({ api }: Pick<Customer, 'api'>, method_id: string, wish: Wish = {}) =>
  api.call(contract.setAutoTopUp, {
    body: {
      version: (await autoTopUpOf({ api })).version,
      method_id,
      month_limit: toMoney(100_00n, 'EUR'),
      ...wish,
    },
  })

/** Saves a method of the test provider and turns the automatic top-up on. Returns the id of the method. */
export async function fillsItself(
  test: Pick<TestApp, 'app' | 'url'>,
  customer: Pick<Customer, 'api'>,
  way: TestMethod = 'pays',
  wish: Wish = {},
): Promise<string> {
  const method = await savedMethod(test, customer, way)
  bodyOf(await turnOn(customer, method, wish), 200)
  return method
}

/** Does what the product does by itself at this moment: looks at balances, charges, renews. */
export async function goOn(test: Pick<TestApp, 'app'>): Promise<void> {
  await fillBalances(test.app)
  await doLicenceJobs(test)
}

export const runsOf = async ({ api }: Pick<Customer, 'api'>): Promise<contract.AutoTopUpRun[]> =>
  bodyOf(await api.call(contract.listAutoTopUpRuns, { query: { limit: '100' } }), 200).items

export const autoTopUpOf = async ({ api }: Pick<Customer, 'api'>): Promise<contract.AutoTopUp> =>
  bodyOf(await api.call(contract.getAutoTopUp, {}), 200)
