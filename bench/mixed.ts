import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { refreshTokens } from '#features/auth/contract.ts'
import { createHost } from '#features/hosts/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import { Client } from '#tests/harness/client.ts'
import { makeDataDir, startProduct, type Product } from '#tests/system/product-process.ts'
import { median, type Figure } from '#tools/figures/table.ts'
import { checkOut } from './checkout.ts'
import type { LoadRequest } from './load-options.ts'
import { processorTimeOf, residentOf } from './resident.ts'
import { production } from './production.ts'
import { runLoad } from './run-load.ts'

const CONNECTIONS = 50
const CUSTOMERS = 10
const HOSTS_EACH = 25
const ROUNDS = 3
const SECONDS = 3
/** `{uuid}` in a body is another one in each request. */
const calls = [
  ['profile', 'GET', '/api/users/detail/'],
  ['servers', 'GET', '/api/hosts/'],
  ['tickets', 'GET', '/api/tickets/'],
  ['one server', 'GET', '/api/hosts/HOST/'],
  ['messages', 'GET', '/api/tickets/TICKET/messages/'],
  ['finances', 'GET', '/api/finances/'],
  ['transactions', 'GET', '/api/finances/transactions/'],
  [
    'a message written',
    'POST',
    '/api/tickets/TICKET/messages/',
    { client_id: '{uuid}', text: 'The server is slow.' },
  ],
  ['a name changed', 'PATCH', '/api/users/update/', { name: 'Anna {uuid}' }],
] as const

/**
 * Measures a mix of ordinary calls, and each call of it alone, against another commit: both products run side by side, each in a process of
 * its own with its own PostgreSQL, and are asked by turns. The processor time counts PostgreSQL too, and says more than the requests a
 * second on a machine that does other work.
 */
export async function measureMixed(commit: string, call?: string): Promise<Figure[]> {
  const theirCheckout = await checkOut(commit)
  const sides: Side[] = []
  try {
    for (const checkout of [process.cwd(), theirCheckout]) sides.push(await startSide(checkout))
    const pair = { ours: must(sides[0]), theirs: must(sides[1]) }
    const alone = async ([place, [name]]: [number, (typeof calls)[number]]) =>
      comparison(pair, `${name} alone`, 0.95, (requests) => [must(requests[place])])
    if (call !== undefined) return await alone(must([...calls.entries()].find(([, [name]]) => name === call)))
    const figures: Figure[] = await comparison(pair, 'the mix', 1, (requests) => requests)
    const [ours_kB, theirs_kB] = sides.map(({ product }) => residentOf(product.pid))
    const resident = must(ours_kB) / must(theirs_kB)
    const note = `${(must(ours_kB) / 1024).toFixed(0)} MB against ${(must(theirs_kB) / 1024).toFixed(0)} MB`
    figures.push({ name: 'the mix, resident memory after it', value: resident, unit: '×', most: 1, note })
    for (const entry of calls.entries()) figures.push(...(await alone(entry)))
    return figures
  } finally {
    for (const { stop } of sides) await stop()
  }
}

type Side = { product: Product; dataDir: string; callers: Caller[]; stop(): Promise<void> }

/** Starts a checkout on an empty folder with customers who have servers and a ticket each. Its own bench/people.ts signs them in. */
async function startSide(checkout: string): Promise<Side> {
  const { dataDir, remove } = makeDataDir()
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'all', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings, checkout })
  const installation = JSON.stringify({ url: product.url, dataDir, settings })
  const signIn = `const { signInMany } = await import('./bench/people.ts')
    const { customers } = await signInMany(${installation}, { customers: ${CUSTOMERS}, staff: 0 })
    process.stdout.write(JSON.stringify(customers.map(({ api }) => api.refresh_token)))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', signIn], {
    cwd: checkout,
  })
  const callers = (JSON.parse(stdout) as string[]).map((refresh_token) =>
    Object.assign(new Client(product.url), { refresh_token }),
  )
  return {
    product,
    dataDir,
    callers: await Promise.all(callers.map(seed)),
    async stop() {
      await product.stop()
      remove()
    },
  }
}

type Caller = { client: Client; host: string; ticket: string }

async function seed(client: Client): Promise<Caller> {
  await refresh(client)
  let host = ''
  for (let place = 0; place < HOSTS_EACH; place += 1) {
    const made = await client.call(createHost, { headers: {}, body: { name: `web-${place}` } })
    if (made.status !== 201) throw new Error(`a host was answered with ${JSON.stringify(made)}`)
    host = made.body.id
  }
  const ticket = await client.call(createTicket, {
    body: { subject: 'Slow', message: 'The server is slow.', topic: 'technical' },
  })
  if (ticket.status !== 201) throw new Error(`a ticket was answered with ${JSON.stringify(ticket)}`)
  return { client, host, ticket: ticket.body.id }
}

/** An access token lives for five minutes, a run takes longer. */
async function refresh(client: Client): Promise<void> {
  const refreshed = await client.call(refreshTokens, {
    body: { refresh_token: must(client.refresh_token) },
  })
  client.access_token = refreshed.body.data.access_token
  client.refresh_token = refreshed.body.data.refresh_token
}

const requestsOf = ({ client, host, ticket }: Caller): LoadRequest[] =>
  calls.map(([, method, at, sent]) => ({
    method,
    path: at.replace('HOST', host).replace('TICKET', ticket),
    headers: { authorization: `Bearer ${client.access_token}`, 'content-type': 'application/json' },
    ...(sent ? { body: JSON.stringify(sent) } : {}),
  }))

type Pair = { ours: Side; theirs: Side }
type Choose = (requests: LoadRequest[]) => LoadRequest[]

/** Asks both sides by turns, once to warm up. The figures are the medians of the ratios of the turns. */
async function comparison(
  { ours, theirs }: Pair,
  name: string,
  least: number,
  choose: Choose,
): Promise<Figure[]> {
  for (const side of [ours, theirs]) {
    for (const { client } of side.callers) await refresh(client)
    await turn(side, choose)
  }
  const rounds: { ours: Turn; theirs: Turn }[] = []
  while (rounds.length < ROUNDS)
    rounds.push({ ours: await turn(ours, choose), theirs: await turn(theirs, choose) })
  const of = (side: keyof Pair, what: keyof Turn) => median(rounds.map((round) => round[side][what]))
  const ratio = (what: keyof Turn) => median(rounds.map((round) => round.ours[what] / round.theirs[what]))
  const note = (what: keyof Turn, digits: number) =>
    `${of('ours', what).toFixed(digits)} against ${of('theirs', what).toFixed(digits)}`
  process.stderr.write(
    `bench: ${name}: ${ratio('requests_s').toFixed(2)} of the requests, ${ratio('each_ms').toFixed(2)} of the processor time\n`,
  )
  return [
    {
      name: `${name}, requests a second`,
      value: ratio('requests_s'),
      unit: '×',
      least,
      note: note('requests_s', 0),
    },
    {
      name: `${name}, processor time of a request`,
      value: ratio('each_ms'),
      unit: '×',
      note: `${note('each_ms', 2)} ms`,
    },
  ]
}

type Turn = { requests_s: number; each_ms: number }

async function turn({ product, dataDir, callers }: Side, choose: Choose): Promise<Turn> {
  const before_ms = processorTimeOf(product.pid, dataDir)
  const { requests_s, failed } = await runLoad({
    url: product.url,
    headers: [],
    requests: callers.map((caller) => choose(requestsOf(caller))),
    seconds: SECONDS,
    connections: CONNECTIONS,
  })
  if (failed > 0) throw new Error(`${failed} requests failed`)
  return { requests_s, each_ms: (processorTimeOf(product.pid, dataDir) - before_ms) / (requests_s * SECONDS) }
}
