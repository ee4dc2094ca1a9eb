import { listBankLines } from '#features/banking/contract.ts'
import { matches } from '#features/banking/rules.ts'
import type { InputOf } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { answerTimes, warmUp } from './answer-times.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'

const LINES = 100_000
const LOAD = { at_once: 20, requests: 400 }

type Query = InputOf<typeof listBankLines>['query']

/** Measures the list of 100,000 bank payments, of which one in twenty is open, with each filter, for 20 members of staff at once. */
export async function measureBankLines(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'web', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings })
  try {
    const people = { customers: 0, staff: LOAD.at_once }
    const { staff } = await signInMany({ url: product.url, dataDir, settings }, people)
    await plantLines(databaseOf(dataDir))
    const figures: Figure[] = []
    const ask = async (place: number, query: Query) => {
      const reply = await must(staff[place % staff.length]).api.call(listBankLines, { query })
      if (reply.status !== 200 || reply.body.items.length === 0)
        throw new Error(`the list answers ${reply.status} to ${JSON.stringify(query)}`)
    }
    await warmUp((place) => ask(place, {}))
    for (const [name, query] of queries) {
      const times = await answerTimes(`bank lines, ${name}`, LOAD, (place) => ask(place, query))
      figures.push({ ...times, most: 60 })
    }
    return figures
  } finally {
    await product.stop()
    remove()
  }
}

const queries: readonly (readonly [string, Query])[] = [
  ['open', {}],
  ...matches.map((match): [string, Query] => [`open, ${match}`, { match }]),
  ['booked', { state: 'booked' }],
  ['ignored', { state: 'ignored' }],
  ['booked, by a rare word', { state: 'booked', q: 'number 77778' }],
  ['booked, by a frequent word', { state: 'booked', q: 'invoice' }],
  ['open, by a name', { q: 'Payer 4' }],
]

/** Fills the tables with two years of statements, each of 500 payments. */
async function plantLines(url: string): Promise<void> {
  await withConnection(url, async (client) => {
    await client.query("select set_config('app.actor', 'system', false)")
    await client.query('set session_replication_role = replica')
    await client.query(
      `with file as (
         insert into bank_files (sha256, account_iban, statement_id, currency, kind)
         select sha256(n::text::bytea), 'DE02120300000000202051', 'S-' || n, 'EUR', 'camt.053' from generate_series(1, $1::int / 500) n
         returning id, substr(statement_id, 3)::int as nth),
       drawn as (
         select n, case when n % 20 = 0 then 'open' when n % 7 = 0 then 'ignored' else 'booked' end as state,
           (array['exact', 'ambiguous', 'unknown'])[1 + n % 3] as match
         from generate_series(1, $1::int) n)
       insert into bank_lines (file_id, account_iban, booked_on, amount, currency, name, iban, text, end_to_end, key, nth, match, cause, state, place)
       select f.id, 'DE02120300000000202051', date '2024-11-01' + n / 140, 100 + n % 9000, 'EUR', 'Payer ' || n % 5000, 'DE75512108001245126199',
         'invoice number ' || n, '', sha256(n::text::bytea), 0, match, case when match = 'ambiguous' then 'near_reference' end, state, 1 + n % 500
       from drawn join file f on f.nth = 1 + (n - 1) / 500`,
      [LINES],
    )
    await client.query('vacuum analyze')
  })
}
