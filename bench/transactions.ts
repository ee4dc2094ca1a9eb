import pg from 'pg'
import { listTransactions } from '#features/finance/contract.ts'
import { checkLedger } from '#features/finance/server/finance.ts'
import { must } from '#foundation/must.ts'
import type { InputOf } from '#foundation/contract.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { startInstallation } from '#tests/faults/installation.ts'
import { median, type Figure } from '#tools/figures/table.ts'

const TRANSACTIONS = 1_000_000
const CUSTOMERS = 5
const PAGE = 1_000
const REQUESTS = 200

type Query = InputOf<typeof listTransactions>['query']

const lists: { name: string; query: Query }[] = [
  { name: 'transactions', query: {} },
  { name: 'transactions of one type', query: { type: 'spend' } },
]

/** A million transactions: what the first page and the 1,000th cost over HTTP, by turns, and what checking them all takes. */
export async function measureTransactions(): Promise<Figure[]> {
  const installation = await startInstallation()
  try {
    const customers: Customer[] = []
    for (let count = 0; count < CUSTOMERS; count += 1) customers.push(await signedInCustomer(installation))
    await plant(installation.app.ownerUrl, customers)
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

/** Writes what the product would have written, without its triggers, which would take an hour; the check proves it right. */
async function plant(ownerUrl: string, customers: readonly Customer[]): Promise<void> {
  const superuser = new pg.Client({ connectionString: ownerUrl })
  await superuser.connect()
  try {
    await superuser.query('begin')
    await superuser.query('set local session_replication_role = replica')
    const ids = customers.map(({ user_id }) => user_id)
    for (const [place, statement] of statements.entries())
      await superuser.query(statement, place < 2 ? [place === 0 ? ids : TRANSACTIONS / CUSTOMERS] : [])
    await superuser.query('commit')
    await superuser.query('analyze')
  } finally {
    await superuser.end()
  }
}

// In comes 5.00, out goes 4.00, by turns, a minute apart.
const statements = [
  `with theirs as (insert into ledger_accounts (kind, user_id, currency) select 'customer', unnest($1::uuid[]), 'EUR' returning id)
   insert into ledger_accounts (kind, currency, name) values ('payments', 'EUR', 'test'), ('revenue', 'EUR', '')`,
  `create temporary table planted on commit drop as
   select gen_random_uuid() as id, a.id as account_id, a.user_id, seq, seq % 2 = 1 as comes,
     case when seq % 2 = 1 then 500 else -400 end as amount, 500 * ((seq + 1) / 2) - 400 * (seq / 2) as balance_after,
     timestamptz '2024-01-01' + seq * interval '1 minute' as created_at
   from ledger_accounts a, generate_series(1, $1::int) seq where a.user_id is not null`,
  `insert into transactions (id, type, user_id, currency, description, created_at)
   select id, case when comes then 'fill_balance' else 'spend' end, user_id, 'EUR',
     case when comes then '{"code":"top_up","params":{"provider":"test"}}'
       else '{"code":"licence_order","params":{"host":"web-1","plan":"Standard"}}' end::jsonb, created_at from planted`,
  `insert into entries (transaction_id, account_id, currency, amount, type, user_id, seq, balance_after, created_at)
   select id, account_id, 'EUR', amount, case when comes then 'fill_balance' else 'spend' end, user_id, seq, balance_after, created_at
   from planted order by account_id, seq`,
  `insert into entries (transaction_id, account_id, currency, amount, type, created_at)
   select p.id, a.id, 'EUR', -p.amount, case when comes then 'fill_balance' else 'spend' end, p.created_at
   from planted p join ledger_accounts a on a.user_id is null and a.kind = case when comes then 'payments' else 'revenue' end`,
  `insert into balances (account_id, user_id, currency, balance, last_seq, last_at)
   select distinct on (account_id) account_id, user_id, 'EUR', balance_after, seq, created_at from planted
   order by account_id, seq desc`,
]
