import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import { Client as Connection } from 'pg'
import { judge, readRevocations, type Expected, type Key } from '#agent/judge.mjs'
import { EVERY_MS } from '#agent/published.mjs'
import { must } from '#foundation/must.ts'
import { startAgent, type AgentProcess } from '#tests/harness/agent-process.ts'
import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { makeHosts } from './check-ins.ts'
import { production } from './production.ts'

const REVOKED = 10_000
const PATIENCE_MS = 120_000
const JUDGED = 50

/**
 * Measures how long software goes on after a suspension, in real time: with the real agent, which checks in every 30 seconds, and with
 * the list of void documents alone, which agents fetch every 15 minutes. The list holds 10,000 other documents.
 */
export async function measureSuspension(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const product = await startProduct({ dataDir, settings: { ...production, NODE_ENV: 'production' } })
  const database = new Connection({ connectionString: databaseOf(dataDir) })
  try {
    const [token = ''] = await makeHosts(databaseOf(dataDir), 1)
    await database.connect()
    await database.query("select set_config('app.actor', 'system', false)")
    await revokeOthers(database)
    const agent = startAgent(process.execPath, { url: product.url, token })
    try {
      await agent.said(/licensed, plan /)
      return await measured(product.url, database, agent)
    } finally {
      await agent.stop()
    }
  } finally {
    await database.end()
    await product.stop()
    remove()
  }
}

async function measured(url: string, database: Connection, agent: AgentProcess): Promise<Figure[]> {
  const read = (name: string) => readFileSync(path.join(agent.folder, name), 'utf8')
  const { keys } = JSON.parse(read('jwks.json')) as { keys: Key[] }
  const expected = (): Expected => ({ keys, revocations: read('revocations.jws') })
  const before = read('licence.jws')
  const list = read('revocations.jws')
  const judgedBy_ms = shortestOf(() => judge(before, { keys, revocations: list }))
  // The measurement begins right behind a check-in: the next check-in is as far away as it can be.
  await nextCheckIn(database)
  const since = performance.now()
  await database.query(
    `insert into suspensions (host_id, user_id, reason, text_public, text_internal) select id, user_id, 'abuse', '', 'bench' from hosts`,
  )
  const published = listWithMore(url, keys, list)
  const told_ms = await until(() => judge(read('licence.jws'), { keys }).reason === 'suspended', since)
  const listed_ms = await until(() => judge(before, expected()).reason === 'revoked', since)
  const { seen_ms, fetched_ms } = await published
  return [
    { name: 'suspension in the file of a connected agent', value: told_ms / 1000, unit: 's', most: 35 },
    { name: 'suspension in its list of void documents', value: listed_ms / 1000, unit: 's' },
    {
      name: 'suspension in a list that is asked for every 15 minutes',
      value: (seen_ms - since + EVERY_MS + fetched_ms) / 60_000,
      unit: 'min',
      most: 16,
      note: `published after ${((seen_ms - since) / 1000).toFixed(1)} s, fetched in ${Math.round(fetched_ms)} ms`,
    },
    {
      name: `list of ${REVOKED} void documents, br`,
      value: brotliCompressSync(list).length / 1000,
      unit: 'kB',
      most: 300,
    },
    {
      name: 'document judged with it',
      value: judgedBy_ms,
      unit: 'ms',
      most: 5,
      note: `best of ${JUDGED}, JavaScript`,
    },
  ]
}

const revokeOthers = (database: Connection) =>
  database.query(
    `with more as (
       insert into revocations (seq, sub, before, reason, until)
       select n, sub, extract(epoch from now())::bigint - n * 37, 'address', now() + interval '11 days'
       from unnest($1::text[]) with ordinality as u (sub, n))
     update revocation_list set seq = seq + 1, changed_at = now()`,
    [Array.from({ length: REVOKED }, () => randomBytes(16).toString('base64url'))],
  )

async function nextCheckIn(database: Connection): Promise<void> {
  const seenAt = async () => {
    const { rows } = await database.query<{ seen: string }>(
      'select last_seen_at::text as seen from host_agents',
    )
    return must(rows[0]).seen
  }
  const first = await seenAt()
  while ((await seenAt()) === first) await sleep(20)
}

/**
 * Waits until the operator publishes a list with a higher `seq` than `list` has. Returns when the new list was seen, and how long
 * its fetch took.
 */
async function listWithMore(url: string, keys: readonly Key[], list: string) {
  const { seq } = readRevocations(list, keys)
  for (;;) {
    const asked_ms = performance.now()
    const text = await (await fetch(`${url}/.well-known/licence-revocations`)).text()
    const seen_ms = performance.now()
    if (readRevocations(text, keys).seq > seq) return { seen_ms, fetched_ms: seen_ms - asked_ms }
    await sleep(100)
  }
}

async function until(holds: () => boolean, since_ms: number): Promise<number> {
  while (!holds()) {
    if (performance.now() - since_ms > PATIENCE_MS) throw new Error('the suspension did not arrive')
    await sleep(50)
  }
  return performance.now() - since_ms
}

/** Returns the shortest of `JUDGED` runs, in milliseconds. */
function shortestOf(act: () => void): number {
  const times_ms = Array.from({ length: JUDGED }, () => {
    const begun = performance.now()
    act()
    return performance.now() - begun
  })
  return Math.min(...times_ms)
}
