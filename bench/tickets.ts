import { countStaffTickets, listStaffTickets } from '#features/support/desk/contract.ts'
import { must } from '#foundation/must.ts'
import type { InputOf } from '#foundation/contract.ts'
import type { Client } from '#tests/harness/client.ts'
import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import { percentile, type Figure } from '#tools/figures/table.ts'
import { inParallel } from './in-parallel.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'
import { commonWord, CUSTOMERS, rareWord, seedTickets, TICKETS } from './ticket-seed.ts'

const AT_ONCE = 2
const REQUESTS = 80

type Query = InputOf<typeof listStaffTickets>['query']

const any = (count: number) => Math.floor(Math.random() * count)
const oneOf = <T>(values: readonly T[]): T => must(values[any(values.length)])
const tabs = ['incoming', 'processing', 'waiting', 'closed'] as const

/** Each asks something else each time, so that no answer is warm from the one before. */
const lists: { name: string; query: () => Query }[] = [
  { name: 'a tab', query: () => ({ tab: oneOf(tabs) }) },
  {
    name: 'a topic and a priority',
    query: () => ({ tab: oneOf(tabs), topic: 'review', priority: 'critical' }),
  },
  { name: 'mine', query: () => ({ tab: oneOf(tabs), assignee: 'me' }) },
  { name: 'search, number', query: () => ({ q: `#${1001 + any(TICKETS)}` }) },
  { name: 'search, customer', query: () => ({ q: `customer-${1 + any(CUSTOMERS)}@example.org` }) },
  { name: "search, part of a customer's name", query: () => ({ q: `son${any(CUSTOMERS)}` }) },
  { name: 'search, rare words, English', query: () => ({ q: rareWord(0) }) },
  { name: 'search, rare words, German', query: () => ({ q: rareWord(1) }) },
  { name: 'search, rare words, Russian', query: () => ({ q: rareWord(2) }) },
  { name: 'search, a word of every second ticket', query: () => ({ q: commonWord(any(3)) }) },
  { name: 'search, such a word within a tab', query: () => ({ q: commonWord(any(3)), tab: oneOf(tabs) }) },
  { name: 'search, two such words', query: () => ({ q: `${commonWord(1)} ${rareWord(1)}` }) },
]

/** A million messages: how long staff's lists and their search take over HTTP. */
export async function measureTickets(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'web', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings })
  try {
    const { staff } = await signInMany({ url: product.url, dataDir, settings }, { customers: 0, staff: 20 })
    await seedTickets(
      databaseOf(dataDir),
      staff.map(({ user_id }) => user_id),
    )
    const apis = staff.map(({ api }) => api)
    const figures: Figure[] = []
    for (const { name, query } of lists)
      figures.push({ ...(await measure(name, apis, (api) => ask(api, query()))), most: 150 })
    figures.push({ ...(await measure('the numbers beside the tabs', apis, count)), most: 20 })
    return figures
  } finally {
    await product.stop()
    remove()
  }
}

async function measure(
  name: string,
  apis: readonly Client[],
  act: (api: Client) => Promise<void>,
): Promise<Figure> {
  const actOf = (place: number) => act(must(apis[place % apis.length]))
  // As for everybody who works all day: the statements are prepared, the caches are warm.
  await inParallel(AT_ONCE, AT_ONCE * 12, actOf)
  const times: number[] = []
  await inParallel(AT_ONCE, REQUESTS, async (place) => {
    const asked = performance.now()
    await actOf(place)
    times.push(performance.now() - asked)
  })
  const note = `1,000,000 messages, ${AT_ONCE} at once`
  return { name: `tickets, ${name}, p95`, value: percentile(times, 95), unit: 'ms', note }
}

async function count(client: Client): Promise<void> {
  const reply = await client.call(countStaffTickets, {})
  if (reply.status !== 200) throw new Error(`the numbers answer ${JSON.stringify(reply)}`)
}

async function ask(client: Client, query: Query): Promise<void> {
  const reply = await client.call(listStaffTickets, { query })
  if (reply.status !== 200) throw new Error(`the list answers ${JSON.stringify(reply)}`)
}
