import { listTransactions } from '#features/finance/contract.ts'
import { checkLedger } from '#features/finance/server/finance.ts'
import { must } from '#foundation/must.ts'
import type { InputOf } from '#foundation/contract.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { startInstallation } from '#tests/faults/installation.ts'
import { median, type Figure } from '#tools/figures/table.ts'
import { plantTransactions } from './transaction-seed.ts'

const TRANSACTIONS = 1_000_000
const CUSTOMERS = 5
const PAGE = 1_000
const REQUESTS = 200

type Query = InputOf<typeof listTransactions>['query']

const lists: { name: string; query: Query }[] = [
  { name: 'transactions', query: {} },
  { name: 'transactions of one type', query: { type: 'spend' } },
]

/** Measures, with a million transactions, the first page and the 1,000th over HTTP, by turns, and a check of the whole ledger. */
export async function measureTransactions(): Promise<Figure[]> {
  const installation = await startInstallation()
  try {
    const customers: Customer[] = []
    for (let count = 0; count < CUSTOMERS; count += 1) customers.push(await signedInCustomer(installation))
    await plantTransactions(
      installation.app.ownerUrl,
      customers.map(({ user_id }) => user_id),
      TRANSACTIONS / CUSTOMERS,
    )
    const figures: Figure[] = []
    for (const { name, query } of lists) figures.push(...(await measure(name, must(customers[0]), query)))
    return [...figures, await measureCheck(installation.app.ownerUrl)]
  } finally {
    await installation.close()
  }
}

async function measure(name: string, { api }: Customer, query: Query): Promise<Figure[]> {
  const read = async (cursor?: string) => {
    const begun = performance.now()
    const reply = await api.call(listTransactions, { query: cursor ? { ...query, cursor } : query })
    if (reply.status !== 200) throw new Error(`the list answers ${JSON.stringify(reply)}`)
    return { took_ms: performance.now() - begun, next: reply.body.next_cursor }
  }
  let cursor: string | undefined
  for (let page = 1; page < PAGE; page += 1) {
    const { next } = await read(cursor)
    if (next === null) throw new Error(`there is no page ${page + 1}`)
    cursor = next
  }
  const [first, late]: number[][] = [[], []]
  // By turns, so that whatever else the machine does slows both.
  for (let request = 0; request < REQUESTS; request += 1) {
    must(first).push((await read()).took_ms)
    must(late).push((await read(cursor)).took_ms)
  }
  const note = `${TRANSACTIONS.toLocaleString('en')} in the table, one at a time`
  const [first_ms, late_ms] = [median(must(first)), median(must(late))]
  return [
    { name: `${name}, first page, median`, value: first_ms, unit: 'ms', note },
    { name: `${name}, 1,000th page, median`, value: late_ms, unit: 'ms', note },
    { name: `${name}, 1,000th page to the first`, value: late_ms / first_ms, unit: '×', most: 2 },
  ]
}

async function measureCheck(ownerUrl: string): Promise<Figure> {
  const begun = performance.now()
  const { transactions, damages } = await checkLedger(ownerUrl)
  const value = (performance.now() - begun) / 1000
  if (damages.length > 0) throw new Error(`planted wrongly: ${JSON.stringify(damages[0])}`)
  return { name: 'ledger check', value, unit: 's', note: `${transactions} transactions, in balance` }
}
