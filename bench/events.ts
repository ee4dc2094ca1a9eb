import { setTimeout as sleep } from 'node:timers/promises'
import { Client as Connection } from 'pg'
import { createHost } from '#features/hosts/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { createEndpoint } from '#features/webhooks/contract.ts'
import { createOperatorEndpoint } from '#features/webhooks/staff-contract.ts'
import { must } from '#foundation/must.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { databaseOf, makeDataDir, startProduct, type Product } from '#tests/system/product-process.ts'
import { median, type Figure } from '#tools/figures/table.ts'
import type { LoadRequest } from './load-options.ts'
import { pairedActs, spreadOf, type Actor } from './paired-acts.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'
import { processorTimeOf } from './resident.ts'
import { runLoad } from './run-load.ts'

const CUSTOMERS = 20
const CONNECTIONS = 40
/** Many short rounds: a machine that does something else for a while spoils a few pairs and not the median. */
const ROUNDS = 9
/** A process that has just begun compiles for seconds, which the other of a pair may have behind it. */
const WARM_UP = 5
const SECONDS = 1
const url = 'https://hooks.example.com/'

/**
 * Measures what account events cost an act: of customers with a webhook beside customers without one, by turns in one product; and of many
 * customers at once where the operator has a webhook, beside a product where nobody has. No webhook is sent meanwhile (ROLE=web): a worker
 * sends them. The bar is about the time of an act; the processor time is of acts that come as fast as they are answered.
 */
export async function measureEvents(checkout = process.cwd()): Promise<Figure[]> {
  const sides: Side[] = []
  try {
    for (let place = 0; place < 2; place += 1) sides.push(await startSide(checkout))
    const [silent, heard] = [must(sides[0]), must(sides[1])]
    await made(must(heard.admin).api.call(createOperatorEndpoint, { body: { url } }))
    const some = silent.customers.slice(0, CUSTOMERS / 2)
    for (const { api } of some) await made(api.call(createEndpoint, { body: { url } }))
    const others: Side = { ...silent, customers: silent.customers.slice(CUSTOMERS / 2) }
    const figures = [
      await pairedActs('with a webhook', must(some[0]), must(others.customers[0]), { target: 1.05 }),
      ...(await comparison('with a webhook', { ...silent, customers: some }, others)),
    ]
    const waits = await watchLocks(heard)
    const fewer: Side = { ...heard, customers: heard.customers.slice(0, CUSTOMERS / 2) }
    figures.push(...(await comparison('beside a webhook of the operator', fewer, others)))
    figures.push({ name: 'acts that wait for a list, at a look', value: await waits(), unit: '', most: 0.5 })
    return figures
  } finally {
    for (const { stop } of sides) await stop()
  }
}

type Side = {
  product: Product
  dataDir: string
  customers: (Customer & Actor)[]
  admin: Customer | undefined
  stop(): Promise<void>
}

async function startSide(checkout: string): Promise<Side> {
  const { dataDir, remove } = makeDataDir()
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'web', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings, checkout })
  const installation = { url: product.url, dataDir, settings }
  const { customers, staff } = await signInMany(installation, { customers: CUSTOMERS, staff: 1 })
  const connection = await connectTo(dataDir)
  await connection.query(`update users set staff_roles = '{admin}' where is_staff`)
  await connection.end()
  const seeded: (Customer & Actor)[] = []
  for (const customer of customers) {
    const host = await made(customer.api.call(createHost, { headers: {}, body: { name: 'web' } }))
    const body = { subject: 'Slow', message: 'The server is slow.', topic: 'technical' } as const
    const ticket = await made(customer.api.call(createTicket, { body }))
    seeded.push({ ...customer, client: customer.api, host: String(host['id']), ticket: String(ticket['id']) })
  }
  const stop = async () => {
    await product.stop()
    remove()
  }
  return { product, dataDir, customers: seeded, admin: staff[0], stop }
}

async function made(answer: Promise<{ status: number; body: unknown }>): Promise<Record<string, unknown>> {
  const { status, body } = await answer
  if (status !== 201) throw new Error(`answered ${status} ${JSON.stringify(body)}`)
  return Object(body)
}

async function connectTo(dataDir: string): Promise<Connection> {
  const connection = new Connection({ connectionString: databaseOf(dataDir) })
  await connection.connect()
  await connection.query("select set_config('app.actor', 'system', false)")
  return connection
}

/** Asks both by turns, first to warm up, and each first as often as second. The figures are the medians of the ratios of the pairs. */
async function comparison(name: string, one: Side, other: Side): Promise<Figure[]> {
  for (let nth = 0; nth < WARM_UP; nth += 1) for (const side of [one, other]) await turn(side)
  const rounds: { one: Turn; other: Turn }[] = []
  while (rounds.length < ROUNDS)
    if (rounds.length % 2 === 0) rounds.push({ one: await turn(one), other: await turn(other) })
    else rounds.push(inOrder(await turn(other), await turn(one)))
  const figure = (title: string, of: keyof Turn, unit: string): Figure => {
    const [mine, theirs] = (['one', 'other'] as const).map((side) =>
      median(rounds.map((round) => round[side][of])).toFixed(2),
    )
    const ratios = rounds.map((round) => round.one[of] / round.other[of])
    return { name: title, ...spreadOf(ratios, `${mine} against ${theirs}${unit}`) }
  }
  return [
    figure(`an act ${name}, processor time`, 'each_ms', ' ms'),
    figure(`acts ${name}, a second`, 'requests_s', ''),
  ]
}

const inOrder = (other: Turn, one: Turn) => ({ one, other })

type Turn = { requests_s: number; each_ms: number }

async function turn({ product, dataDir, customers }: Side): Promise<Turn> {
  const before_ms = processorTimeOf(product.pid, dataDir)
  const requests = customers.map(({ client, host, ticket }): LoadRequest[] => {
    const headers = { authorization: `Bearer ${client.access_token}`, 'content-type': 'application/json' }
    const message = JSON.stringify({ client_id: '{uuid}', text: 'The server is slow.' })
    return [
      { method: 'POST', path: `/api/tickets/${ticket}/messages/`, headers, body: message },
      { method: 'PATCH', path: `/api/hosts/${host}/`, headers, body: JSON.stringify({ name: 'web-{uuid}' }) },
    ]
  })
  const load = { url: product.url, headers: [], requests, seconds: SECONDS, connections: CONNECTIONS }
  const { requests_s, failed } = await runLoad(load)
  if (failed > 0) throw new Error(`${failed} requests failed`)
  return { requests_s, each_ms: (processorTimeOf(product.pid, dataDir) - before_ms) / (requests_s * SECONDS) }
}

/** Counts, many times a second, the acts that wait for the lock of a list. Returns a function that ends it and tells the mean. */
async function watchLocks({ dataDir }: Side): Promise<() => Promise<number>> {
  const connection = await connectTo(dataDir)
  const counts: number[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await connection.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity
         where wait_event_type = 'Lock' and query like '%record_account_events%'`,
      )
      counts.push(must(rows[0]).waiting)
      await sleep(100)
    }
  })()
  return async () => {
    isOver = true
    await watching
    await connection.end()
    return counts.reduce((sum, count) => sum + count, 0) / counts.length
  }
}
