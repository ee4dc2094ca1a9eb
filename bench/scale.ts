import { listCustomers } from '#features/customers/contract.ts'
import { listTransactions } from '#features/finance/contract.ts'
import { listHosts } from '#features/hosts/contract.ts'
import { listInvoices } from '#features/invoices/contract.ts'
import { listMessages } from '#features/support/messages/contract.ts'
import { countUnread, listTickets } from '#features/support/tickets/contract.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { must } from '#foundation/must.ts'
import type { Client } from '#tests/harness/client.ts'
import { databaseOf, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { answerTimes, warmUp } from './answer-times.ts'
import { measureDesk } from './desk.ts'
import { seedHosts } from './host-seed.ts'
import { benchFolder, keepPeople, keptPeople, type Keeping, type People } from './kept.ts'
import { lightGet } from './light-get.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'
import { nameAndSurname, seedTickets } from './ticket-seed.ts'
import { plantTransactions } from './transaction-seed.ts'

const SIGNED_IN = 40
const SIZES = { customers: 50_000 - SIGNED_IN, tickets: 300_000 }
const HOSTS_EACH = 4
const TRANSACTIONS_EACH = 20
const LOAD = { at_once: 2, requests: 100 }
/** The lists of staff must serve all members of a company at once. */
const LISTS = { at_once: 20, requests: 400 }

/**
 * Measures every list and every search over HTTP, for a company of 50,000 customers with 200,000 hosts, 1,000,000 transactions, 300,000
 * tickets and 3,000,000 messages. Filling the tables takes some six minutes; a folder that is kept is filled once.
 */
export async function measureScale(keeping: Keeping): Promise<Figure[]> {
  const { dataDir, remove } = benchFolder(keeping)
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'web', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings })
  try {
    const { customers, staff } =
      keptPeople(dataDir, product.url) ?? (await filled({ url: product.url, dataDir, settings }))
    if (keeping.only_fill) return []
    const figures: Figure[] = [await sizeOf(databaseOf(dataDir))]
    const staffOf = (place: number) => must(staff[place % staff.length]).api
    const customerOf = (place: number) => must(customers[place % customers.length]).api
    for (const { name, ask } of ofCustomers) {
      const times = await answerTimes(`scale, ${name}`, LOAD, (place) => ask(customerOf(place)))
      figures.push({ ...times, most: 60 })
    }
    await warmUp(async (place) => expect200(await staffOf(place).call(listCustomers, { query: {} })))
    for (const [name, search] of ofCustomerList) {
      const times = await answerTimes(`scale, customers, ${name}`, LISTS, async (place) => {
        const status = await lightGet(staffOf(place), listCustomers.path, search(place))
        if (status !== 200) throw new Error(`the list of customers answers ${status}`)
      })
      figures.push({ ...times, most: 60 })
    }
    const mostOf = (name: string) => (name.includes('word') ? 150 : 60)
    figures.push(...(await measureDesk('scale, desk', { load: LOAD, sizes: SIZES, staffOf, mostOf })))
    return figures
  } finally {
    await product.stop()
    remove()
  }
}

/** Returns the size of the database with its indices for each customer, and the share of its five largest tables. */
async function sizeOf(url: string): Promise<Figure> {
  const [all] = await query<{ bytes: string }>(url, 'select pg_database_size(current_database()) as bytes')
  const tables = await query<{ name: string; bytes: string }>(
    url,
    'select relname as name, pg_total_relation_size(relid) as bytes from pg_stat_user_tables order by 2 desc limit 5',
  )
  const kB = (bytes: string) => (Number(bytes) / 1000 / (SIZES.customers + SIGNED_IN)).toFixed(1)
  return {
    name: 'scale, database for each customer',
    value: Number(kB(must(all).bytes)),
    unit: 'kB',
    note: tables.map(({ name, bytes }) => `${name} ${kB(bytes)}`).join(', '),
  }
}

async function query<Row extends object>(url: string, statement: string): Promise<Row[]> {
  return withConnection(url, async (client) => (await client.query<Row>(statement)).rows)
}

/** Signs people in and fills the tables; prints the time of each step. */
async function filled(installation: Parameters<typeof signInMany>[0]): Promise<People> {
  const people = await signInMany(installation, { customers: SIGNED_IN, staff: LISTS.at_once })
  const url = databaseOf(installation.dataDir)
  const step = async (what: string, work: () => Promise<void>) => {
    const begun = performance.now()
    process.stderr.write(`bench: scale: ${what} …\n`)
    await work()
    const took_s = (performance.now() - begun) / 1000
    process.stderr.write(`bench: scale: ${what} took ${took_s.toFixed(0)} s\n`)
  }
  const staff_ids = people.staff.map(({ user_id }) => user_id)
  await step('tickets and messages', () => seedTickets(url, staff_ids, SIZES))
  await step('hosts', () => seedHosts(url, HOSTS_EACH))
  await step('transactions', async () => {
    const customers = await query<{ id: string }>(url, 'select id from users where not is_staff')
    const ids = customers.map(({ id }) => id)
    await plantTransactions(url, ids, TRANSACTIONS_EACH)
  })
  keepPeople(installation.dataDir, people)
  return people
}

type CustomerSearch = Readonly<Record<string, string>>

/** The queries of the staff's list of customers: each order, each filter and each kind of search. */
const ofCustomerList: readonly (readonly [string, (place: number) => CustomerSearch])[] = [
  ['newest', () => ({})],
  ['by last sign-in', () => ({ sort: 'last_login_at' })],
  ['by balance', () => ({ sort: 'balance' })],
  ['in debt', () => ({ debt: 'yes' })],
  ['unconfirmed', () => ({ state: 'unconfirmed' })],
  ['beginning of an address', (place) => ({ q: `customer-${place * 100}@` })],
  ['part of a name', (place) => ({ q: `son${20_000 + place}` })],
  ['name and part of a surname', (place) => ({ q: nameAndSurname(1000 + 7 * place) })],
  // A part such as `son3` is in the names of one customer in five, `son7` in those of one in fifty.
  ['part of a name that thousands have', (place) => ({ q: `son${place % 10}` })],
  ['IPv4', (place) => ({ q: `10.0.${place % 200}.7` })],
  ['ticket', (place) => ({ q: `#${place + 1}` })],
  ['invoice', (place) => ({ q: `HD-2026-${String(place + 1).padStart(6, '0')}` })],
]

type Ask = { name: string; ask: (client: Client) => Promise<void> }

const ofCustomers: Ask[] = [
  { name: 'hosts', ask: async (client) => expect200(await client.call(listHosts, { query: {} })) },
  {
    name: 'hosts, search',
    ask: async (client) => expect200(await client.call(listHosts, { query: { q: '7' } })),
  },
  {
    name: 'transactions',
    ask: async (client) => expect200(await client.call(listTransactions, { query: {} })),
  },
  {
    name: 'transactions of one type',
    ask: async (client) => expect200(await client.call(listTransactions, { query: { type: 'spend' } })),
  },
  { name: 'invoices', ask: async (client) => expect200(await client.call(listInvoices, { query: {} })) },
  { name: 'tickets', ask: async (client) => expect200(await client.call(listTickets, { query: {} })) },
  { name: 'unread tickets', ask: async (client) => expect200(await client.call(countUnread, {})) },
  { name: 'messages of a ticket', ask: readMessages },
]

async function readMessages(client: Client): Promise<void> {
  const reply = await client.call(listTickets, { query: {} })
  if (reply.status !== 200) return expect200(reply)
  const [ticket] = reply.body.items
  expect200(await client.call(listMessages, { params: { chatId: must(ticket).id }, query: {} }))
}

function expect200(reply: { status: number; body: unknown }): void {
  if (reply.status !== 200) throw new Error(`a list answers ${reply.status}: ${JSON.stringify(reply.body)}`)
}
