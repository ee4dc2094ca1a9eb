import { createHash, randomBytes } from 'node:crypto'
import { Client as Connection } from 'pg'
import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { must } from '#foundation/must.ts'
import type { Load } from './load-options.ts'
import { production } from './production.ts'
import { postgresTimeOf, processorTimeOf } from './resident.ts'
import { runLoad } from './run-load.ts'

const HOSTS = 10_000
const CONNECTIONS = 50
const RUNS = 3
const SECONDS = 10

/**
 * Measures check-ins of agents, each for a host of its own with a paid licence; each answer contains a freshly signed document. The product
 * runs as in production: in a process of its own, with its own PostgreSQL, fsync and its log. The load comes from a third process on the
 * same cores.
 */
export async function measureCheckIns(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const product = await startProduct({
    dataDir,
    settings: { ...production, NODE_ENV: 'production', ROLE: 'web' },
  })
  try {
    const tokens = await makeHosts(databaseOf(dataDir), HOSTS)
    const url = `${product.url}/api/agent/check-in/`
    await load(url, tokens, 3)
    const runs: Load[] = []
    const taken = () => [processorTimeOf(product.pid, dataDir), postgresTimeOf(dataDir)] as const
    const before = taken()
    for (let run = 0; run < RUNS; run += 1) runs.push(await load(url, tokens, SECONDS))
    const after = taken()
    const answered = runs.reduce((sum, { requests_s }) => sum + requests_s * SECONDS, 0)
    const [all_us, postgres_us] = ([0, 1] as const).map((of) => ((after[of] - before[of]) * 1000) / answered)
    const best = runs.reduce((one, other) => (other.requests_s > one.requests_s ? other : one))
    const failed = runs.reduce((sum, run) => sum + run.failed, 0)
    return [
      {
        name: 'check-ins with a signed licence',
        value: best.requests_s,
        unit: '/s',
        least: 1_000,
        note: `best of ${RUNS}, ${HOSTS} hosts, ${CONNECTIONS} connections`,
      },
      {
        name: 'check-in, processor time',
        value: must(all_us),
        unit: 'µs',
        note: `of it PostgreSQL ${Math.round(must(postgres_us))} µs`,
      },
      { name: 'check-in, p99', value: best.p99_ms, unit: 'ms' },
      { name: 'check-ins, failed', value: failed, unit: '', most: 0 },
    ]
  } finally {
    await product.stop()
    remove()
  }
}

/**
 * Makes paid hosts with the licence keys `key-1` to `key-n`, for a new customer or for `owner_id`. Returns the tokens of their agents.
 * Writes straight into the tables: making 10,000 hosts over HTTP would take longer than the measurement.
 */
export async function makeHosts(url: string, length: number, owner_id?: string): Promise<string[]> {
  const tokens = Array.from({ length }, () => `hda_${randomBytes(32).toString('base64url')}`)
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest())
  const connection = new Connection({ connectionString: url })
  await connection.connect()
  try {
    await connection.query("select set_config('app.actor', 'system', false)")
    await connection.query(
      `with person as (
         insert into users (email) select 'bench@example.com' where $3::uuid is null returning id),
       owner as (select coalesce($3::uuid, (select id from person)) as id),
       made as (
         insert into hosts (public_id, user_id, name, ipv4, licence_key, paid_until)
         select lpad(place::text, 22, 'A'), owner.id, 'host-' || place, '10.0.0.0'::inet + place, 'key-' || place,
           now() + interval '30 days'
         from owner, generate_series(1, $1::int) as place
         returning id, user_id, name, ipv4, paid_until),
       edition as (insert into editions (slug, name) values ('bench', '{"en": "Bench", "de": "Bench", "ru": "Bench"}')),
       sold as (
         insert into plans (slug, edition, name_en, name_de, name_ru, term) values ('bench', 'bench', 'Bench', 'Bench', 'Bench', 'P1M')),
       price as (insert into plan_prices (plan, net, from_at, renewals_from_at) values ('bench', 2000, now(), now())),
       ordered as (
         insert into licence_orders (id, user_id, host_id, kind, plan, plan_name, term, ipv4, net, vat, total, vat_rate_bp,
           currency, transaction_id, invoice_id, ordered_at)
         select gen_random_uuid(), user_id, id, 'order', 'bench', '{"en": "Bench", "de": "Bench", "ru": "Bench"}', 'P1M', ipv4,
           2000, 380, 2380, 1900, 'EUR', gen_random_uuid(), name, now()
         from made
         returning *),
       paid as (
         insert into paid_periods (user_id, host_id, order_id, starts_at, ends_at, anchor_day, plan, edition, term, net, payer_id,
           invoice_id, transaction_id, term_starts_at, entitlements)
         select o.user_id, o.host_id, o.id, now(), m.paid_until, 1, o.plan, 'bench', o.term, o.net, o.user_id, o.invoice_id,
           o.transaction_id, now(), '{}' from ordered o join made m on m.id = o.host_id)
       insert into host_agents (host_id, user_id, token_hash)
       select id, user_id, ($2::bytea[])[substr(name, 6)::int] from made`,
      [length, hashes, owner_id ?? null],
    )
    await connection.query('analyze')
  } finally {
    await connection.end()
  }
  return tokens
}

const body = JSON.stringify({
  version: '0.1.0',
  hostname: 'web-1.example.com',
  uptime_s: 86_400,
  load_1m: 0.42,
  memory_used_bytes: 2_000_000_000,
  memory_total_bytes: 8_000_000_000,
  disk_used_bytes: 30_000_000_000,
  disk_total_bytes: 100_000_000_000,
})

function load(url: string, tokens: readonly string[], seconds: number): Promise<Load> {
  const headers = tokens.map((token) => ({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }))
  return runLoad({ url, method: 'POST', body, headers, seconds, connections: CONNECTIONS })
}
