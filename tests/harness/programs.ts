import { randomUUID } from 'node:crypto'
import { addEdition, addPlan, makeProduct } from '#features/licences/server/licences.ts'
import { orderHost } from '#features/sales/contract.ts'
import { toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Customer } from './customer.ts'
import type { TestApp } from './test-app.ts'

const inAll = (text: string) => ({ en: text, de: text, ru: text })
const nothing = { description: inAll(''), features: [], trial_days: 0 }

/** A program of the tests, in two editions: `agent-solo` for one machine and `agent-team` for two, 10.00 and 30.00 a month before VAT. */
export async function sellProgram({ app }: Pick<TestApp, 'app'>, slug = 'backup-agent'): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    await makeProduct(tx, { slug, name: inAll('Backup Agent'), description: inAll(''), kind: 'program' })
    const editions = [
      { edition: 'agent-solo', rank: 10, machines: 1, price_net: 1000n },
      { edition: 'agent-team', rank: 20, machines: 2, price_net: 3000n },
    ]
    for (const { edition, rank, machines, price_net } of editions) {
      const name = inAll(edition)
      await addEdition(tx, {
        ...nothing,
        slug: edition,
        product: slug,
        name,
        rank,
        entitlements: { machines },
      })
      await addPlan(tx, { slug: `${edition}-month`, name, term: 'P1M', price_net, edition })
    }
  })
}

/** Prices of the program's plans with 19 % VAT. */
export const programPrices = { 'agent-solo-month': 1190n, 'agent-team-month': 3570n } as const

/** Orders the program, which has a name and no address. */
export const orderProgram = (
  { api }: Pick<Customer, 'api'>,
  plan: keyof typeof programPrices = 'agent-solo-month',
  more: object = {},
) =>
  api.call(orderHost, {
    headers: { 'idempotency-key': randomUUID() },
    body: { name: 'laptop', plan, expected_total: toMoney(programPrices[plan], 'EUR'), ...more },
  })
