import { buildApp } from '#app/server/build-app.ts'
import { loadConfig } from '#app/server/config.ts'
import * as books from '#features/books/contract.ts'
import { closeMonths } from '#features/finance/server/finance.ts'
import type { InputOf } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import { createLog } from '#foundation/server/log.ts'
import type { Client } from '#tests/harness/client.ts'
import { databaseOf, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { answerTimes, warmUp } from './answer-times.ts'
import { seedBooks } from './book-seed.ts'
import { benchFolder, keepPeople, keptPeople, type Keeping, type People } from './kept.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'

const SIZES = { customers: 50_000, invoices: 500_000, transactions: 1_000_000, hosts: 200_000 }
const LISTS = { at_once: 20, requests: 400 }
const REPORTS = { at_once: 1, requests: 20 }

/**
 * Measures with 500,000 invoices, 1,000,000 bookings and 200,000 servers of two years: the list of invoices with each filter, for 20
 * members of staff at once, and the sums and reports, for one. Filling the tables takes some minutes; a folder that is kept is filled once.
 */
export async function measureBooks(keeping: Keeping): Promise<Figure[]> {
  const { dataDir, remove } = benchFolder(keeping)
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'web', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings })
  try {
    const { staff } =
      keptPeople(dataDir, product.url) ?? (await filled({ url: product.url, dataDir, settings }))
    if (keeping.only_fill) return []
    const staffOf = (place: number) => must(staff[place % staff.length]).api
    return [...(await measureLists(staffOf)), ...(await measureReports(staffOf(0)))]
  } finally {
    await product.stop()
    remove()
  }
}

async function filled(installation: Parameters<typeof signInMany>[0]): Promise<People> {
  const { dataDir, settings } = installation
  const people = await signInMany(installation, { customers: 0, staff: LISTS.at_once })
  await seedBooks(databaseOf(dataDir), SIZES)
  await closeAll(dataDir, settings)
  keepPeople(dataDir, people)
  return people
}

/** Closes the months, as a job of the worker would have done month by month. */
async function closeAll(dataDir: string, settings: Record<string, string>): Promise<void> {
  const ownerUrl = databaseOf(dataDir)
  const config = loadConfig({ ...settings, PUBLIC_ORIGIN: 'http://localhost:3000', DATABASE_URL: ownerUrl })
  const app = await buildApp(config, { ownerUrl, log: createLog({ level: 'silent' }) })
  try {
    await closeMonths(app)
  } finally {
    await app.close()
  }
}

type Search = InputOf<typeof books.listAllInvoices>['query']

/** The filters of the list, each with another value at each request. */
const filters: readonly (readonly [string, (place: number) => Search])[] = [
  ['newest', () => ({})],
  ['credit notes', () => ({ kind: 'credit_note' })],
  ['a month', (place) => ({ from: dayAt(place), to: dayAt(place, 30) })],
  ['up to a day', (place) => ({ to: dayAt(place) })],
  ['a country', (place) => ({ country: ['DE', 'FR', 'LV', 'US', 'SE'][place % 5] })],
  [
    'a kind of VAT',
    (place) => ({ vat_kind: (['oss', 'standard', 'reverse_charge', 'outside_eu'] as const)[place % 4] }),
  ],
  ['a number', (place) => ({ q: `HD-2025-${String(1 + ((place * 997) % 200_000)).padStart(6, '0')}` })],
  ['an address', (place) => ({ q: `customer-${1 + ((place * 997) % SIZES.customers)}@example.org` })],
  ['a name', (place) => ({ q: `Customer${1 + ((place * 997) % SIZES.customers)}` })],
]

const dayAt = (place: number, more = 0): string =>
  new Date(Date.UTC(2024, 11, 1 + ((place * 37) % 680) + more)).toISOString().slice(0, 10)

async function measureLists(staffOf: (place: number) => Client): Promise<Figure[]> {
  const figures: Figure[] = []
  const ask = async (place: number, query: Search) =>
    expect200(await staffOf(place).call(books.listAllInvoices, { query }))
  await warmUp((place) => ask(place, {}))
  for (const [name, search] of filters) {
    const times = await answerTimes(`invoices, ${name}`, LISTS, (place) => ask(place, search(place)))
    figures.push({ ...times, most: 60 })
  }
  return figures
}

type Report = readonly [
  name: string,
  most: number,
  ask: (client: Client, place: number) => Promise<{ status: number }>,
]

const reports: readonly Report[] = [
  ['totals of 24 months', 400, (client) => client.call(books.sumInvoices, { query: {} })],
  ['totals of a country', 400, (client) => client.call(books.sumInvoices, { query: { country: 'DE' } })],
  ['revenue of 24 months', 400, (client) => client.call(books.getRevenue, { query: {} })],
  ['churn of 24 months', 400, (client) => client.call(books.getChurn, { query: {} })],
  ['renewals of 30 days', 400, (client) => client.call(books.getRenewals, { query: {} })],
  [
    'liability at any day',
    100,
    (client, place) => client.call(books.getLiability, { query: { at: `${dayAt(place)}T12:00Z` } }),
  ],
]

async function measureReports(client: Client): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, most, ask] of reports) {
    const times = await answerTimes(name, REPORTS, async (place) => expect200(await ask(client, place)))
    figures.push({ ...times, most })
  }
  return figures
}

function expect200(reply: { status: number }): void {
  if (reply.status !== 200) throw new Error(`the books answer ${reply.status}: ${JSON.stringify(reply)}`)
}
