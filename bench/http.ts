import pg from 'pg'
import { people } from '#app/seed/people.ts'
import { login } from '#features/auth/contract.ts'
import { must } from '#foundation/must.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { Client } from '#tests/harness/client.ts'
import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import type { Load } from './load-options.ts'
import { production } from './production.ts'
import { runLoad } from './run-load.ts'

const CONNECTIONS = 50
const RUNS = 3

/**
 * Measures two frequent calls. The product runs as in production: in a process of its own, with its own PostgreSQL, fsync and its log. The
 * load comes from a third process.
 */
export async function measureHttp(nodeFlags: string[] = []): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = { ...production, RATE_LIMIT_SCALE: '1000000' }
  const seeding = await startProduct({ dataDir, settings: { ...settings, DEMO: 'on' } })
  await keepExamples(dataDir)
  await seeding.stop()
  const product = await startProduct({
    dataDir,
    settings: { ...settings, NODE_ENV: 'production', ROLE: 'web' },
    nodeFlags,
  })
  const figures: Figure[] = []
  try {
    // Each connection has a session of its own; the sessions belong to the few example people.
    const clients = await Promise.all(
      Array.from({ length: CONNECTIONS }, (_, place) => signIn(product.url, place)),
    )
    for (const { name, at, headersOf } of calls) {
      const headers = clients.map(headersOf)
      await load(product.url + at, headers, 3)
      const runs: Load[] = []
      for (let run = 0; run < RUNS; run += 1) runs.push(await load(product.url + at, headers, 10))
      const best = runs.reduce((one, other) => (other.requests_s > one.requests_s ? other : one))
      const note = `best of ${RUNS}, ${CONNECTIONS} connections${best.failed ? `, ${best.failed} FAILED` : ''}`
      figures.push({ name: `${name}, requests`, value: best.requests_s, unit: '/s', least: 4_000, note })
      figures.push({ name: `${name}, p99`, value: best.p99_ms, unit: 'ms', most: 25 })
      if (best.failed > 0) figures.push({ name: `${name}, failed`, value: best.failed, unit: '', most: 0 })
    }
  } finally {
    await product.stop()
    remove()
  }
  return figures
}

type Headers = Record<string, string>

const calls = [
  {
    name: 'GET /api/users/detail/',
    at: '/api/users/detail/',
    headersOf: ({ access_token }: Client): Headers => ({ authorization: `Bearer ${access_token}` }),
  },
  {
    name: 'GET …/auth/session',
    at: `${AUTH}/auth/session`,
    headersOf: ({ session_token }: Client): Headers => ({ 'x-session-token': String(session_token) }),
  },
]

async function signIn(url: string, place: number): Promise<Client> {
  const client = new Client(url)
  const { email, password } = must(people[place % people.length])
  const reply = await client.call(login, { body: { email, password } })
  if (reply.status !== 200) throw new Error(`sign-in answered ${reply.status}`)
  return client
}

const load = (url: string, headers: Headers[], seconds: number): Promise<Load> =>
  runLoad({ url, headers, seconds, connections: CONNECTIONS })

/** Turns the example accounts into ordinary ones: in production, the product does not start with example accounts (rule 39). */
async function keepExamples(dataDir: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseOf(dataDir) })
  await client.connect()
  await client.query('update users set is_example = false')
  await client.end()
}
