import { listHosts } from '#features/hosts/contract.ts'
import { must } from '#foundation/must.ts'
import type { InputOf } from '#foundation/contract.ts'
import type { Client } from '#tests/harness/client.ts'
import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { answerTimes } from './answer-times.ts'
import { makeHosts } from './check-ins.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'

const HOSTS = 5_000
const AT_ONCE = 8
const REQUESTS = 400

type Query = InputOf<typeof listHosts>['query']

const lists: { name: string; query: Query }[] = [
  { name: 'newest first', query: {} },
  { name: 'by name, 100', query: { sort: 'name', limit: '100' } },
  { name: 'by the end of the licence', query: { sort: 'paid_until' } },
  { name: 'search', query: { q: '9', sort: 'name' } },
]

/** Measures each kind of list over HTTP, its first page and a late one, for one customer with 5,000 licensed hosts. */
export async function measureHosts(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'web', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings })
  try {
    const { customers } = await signInMany(
      { url: product.url, dataDir, settings },
      { customers: 1, staff: 0 },
    )
    const { api: client, user_id } = must(customers[0])
    await makeHosts(databaseOf(dataDir), HOSTS, user_id)
    const figures: Figure[] = []
    const measure = async (name: string, ask: () => Promise<unknown>) => ({
      ...(await answerTimes(`hosts, ${name}`, { at_once: AT_ONCE, requests: REQUESTS }, ask)),
      most: 80,
    })
    for (const { name, query } of lists) {
      figures.push(await measure(`${HOSTS}, ${name}`, () => read(client, query)))
      const cursor = await lateCursor(client, query)
      if (cursor)
        figures.push(await measure(`${HOSTS}, ${name}, late page`, () => read(client, { ...query, cursor })))
    }
    return figures
  } finally {
    await product.stop()
    remove()
  }
}

async function read(client: Client, query: Query): Promise<string | null> {
  const reply = await client.call(listHosts, { query })
  if (reply.status !== 200) throw new Error(`the list answers ${JSON.stringify(reply)}`)
  return reply.body.next_cursor
}

/** Returns the cursor of the 31st page, or of the last page if there are fewer; undefined if there is only one. */
async function lateCursor(client: Client, query: Query): Promise<string | undefined> {
  let cursor: string | undefined
  for (let page = 0; page < 30; page += 1) {
    const next = await read(client, cursor ? { ...query, cursor } : query)
    if (!next) break
    cursor = next
  }
  return cursor
}
