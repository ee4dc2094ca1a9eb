import { sql } from 'kysely'
import { buildApp } from '#app/server/build-app.ts'
import { loadConfig } from '#app/server/config.ts'
import { metricsAt } from '#app/seed/metrics.ts'
import { writeCheckIns } from '#features/hosts/server/agent-queries.ts'
import { addPoints, foldFigures, pointOf } from '#features/hosts/server/figures.ts'
import { HOUR_S, type Point } from '#features/hosts/server/figures-row.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { createLog } from '#foundation/server/log.ts'
import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { makeHosts } from './check-ins.ts'
import { production } from './production.ts'
import { postgresTimeOf } from './resident.ts'

const SERVERS = 40
const DAYS = 30
const DAY_S = 24 * HOUR_S
const together = `${SERVERS} together`

/**
 * Measures what a server costs that reports: the rows and the log that an hour writes, and the bytes that are kept of a month. Beside it,
 * the same figures as they were stored until 0.1.0: a row for each report each 30 s, thinned to a row for each five minutes.
 */
export async function measureFigures(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'web' }
  const product = await startProduct({ dataDir, settings })
  const url = databaseOf(dataDir)
  try {
    await makeHosts(url, SERVERS)
    const hosts = (await query<{ id: string }>(url, 'select id from hosts')).map(({ id }) => BigInt(id))
    const before = await costOf(url, settings, (app) => hourOfRows(app, hosts))
    const now = await costOf(url, settings, (app) => hourOfHours(app, hosts))
    const times = await timesOf(url, settings, hosts, () => postgresTimeOf(dataDir))
    await query(url, 'truncate host_metrics, host_metrics_thinned, host_figures')
    await withApp(url, settings, (app) => monthOfHours(app, hosts, url))
    await query(url, monthOfRows)
    await query(url, 'vacuum host_metrics, host_metrics_thinned, host_figures')
    const kept_kB = (await sizeOf(url, ['host_figures'])) / SERVERS
    const before_kB = (await sizeOf(url, ['host_metrics', 'host_metrics_thinned'])) / SERVERS
    const longest = must(
      (
        await query<{ bytes: number }>(
          url,
          'select max(length(points)) as bytes from host_figures where not is_day',
        )
      )[0],
    )
    return [
      {
        name: 'rows written for a server in an hour, at 60 s',
        value: now.rows / SERVERS,
        unit: '',
        note: `until 0.1.0 ${Math.round(before.rows / SERVERS)}, at 30 s`,
      },
      { name: 'rows written until 0.1.0, for one of now', value: before.rows / now.rows, unit: '', least: 4 },
      {
        name: 'log written for a server in an hour, at 60 s',
        value: now.log_kB / SERVERS,
        unit: 'kB',
        note: `until 0.1.0 ${Math.round(before.log_kB / SERVERS)} kB, at 30 s`,
      },
      {
        name: 'log written until 0.1.0, for one of now',
        value: before.log_kB / now.log_kB,
        unit: '',
        least: 4,
      },
      {
        name: "PostgreSQL's processor time of a check-in",
        value: times.check_in_us,
        unit: 'µs',
        note: together,
      },
      {
        name: "PostgreSQL's processor time of a writing of figures",
        value: times.writing_us,
        unit: 'µs',
        note: together,
      },
      {
        name: 'kept for a server and a month of figures',
        value: kept_kB,
        unit: 'kB',
        note: `until 0.1.0 ${Math.round(before_kB)} kB; the longest hour ${longest.bytes} bytes`,
      },
      { name: 'bytes kept until 0.1.0, for one of now', value: before_kB / kept_kB, unit: '', least: 30 },
    ]
  } finally {
    await product.stop()
    remove()
  }
}

type Settings = Record<string, string>

async function withApp(url: string, settings: Settings, work: (app: App) => Promise<void>): Promise<void> {
  const config = loadConfig({ ...settings, PUBLIC_ORIGIN: 'http://localhost:3000', DATABASE_URL: url })
  const app = await buildApp(config, { ownerUrl: url, log: createLog({ level: 'silent' }) })
  try {
    await work(app)
  } finally {
    await app.close()
  }
}

const query = <Row extends object>(url: string, text: string): Promise<Row[]> =>
  withConnection(url, async (client) => (await client.query<Row>(text)).rows)

/** The rows that a work inserts, updates and deletes, and the log that it writes. The counters are whole once its connections are closed. */
async function costOf(
  url: string,
  settings: Settings,
  work: (app: App) => Promise<void>,
): Promise<{ rows: number; log_kB: number }> {
  const read = async () =>
    must(
      (
        await query<{ rows: number; log: number }>(
          url,
          `select sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 as rows, (pg_current_wal_insert_lsn() - '0/0')::float8 as log
           from pg_stat_user_tables where relname in ('host_agents', 'host_metrics', 'host_metrics_thinned', 'host_figures')`,
        )
      )[0],
    )
  // Whole pages are logged once after a checkpoint: both works begin after one.
  await query(url, 'checkpoint')
  const before = await read()
  await withApp(url, settings, work)
  await new Promise((resolve) => setTimeout(resolve, 500))
  const after = await read()
  return { rows: after.rows - before.rows, log_kB: (after.log - before.log) / 1000 }
}

const ROUNDS = 100

/** Measures the processor time where the check-ins, or the figures, of all servers are written together. */
async function timesOf(
  url: string,
  settings: Settings,
  hosts: readonly bigint[],
  taken_ms: () => number,
): Promise<{ check_in_us: number; writing_us: number }> {
  const times = { check_in_us: 0, writing_us: 0 }
  await withApp(url, settings, async (app) => {
    const each = async (work: (round: number) => Promise<unknown>) => {
      await work(0)
      const before_ms = taken_ms()
      for (let round = 1; round <= ROUNDS; round += 1) await work(round)
      return ((taken_ms() - before_ms) * 1000) / ROUNDS / hosts.length
    }
    times.check_in_us = await each((round) => checkIn(app, hosts, START_S + round * 60, 'nothing'))
    times.writing_us = await each((round) => {
      const begins_s = START_S + DAY_S + round * 300
      return addPoints(
        app,
        pointsAt(
          hosts,
          [0, 60, 120, 180, 240].map((later_s) => begins_s + later_s),
        ),
      )
    })
  })
  return times
}

const START_S = Math.floor(Date.now() / 1000 / DAY_S) * DAY_S - DAYS * DAY_S

const reported = (at_s: number, host_id: bigint) => {
  // The demo machine, a little later for each server, and with some noise.
  const at = metricsAt(new Date((at_s + Number(host_id) * 977) * 1000))
  const load_1m = Math.round((at.load_1m + Math.random() / 10) * 100) / 100
  const memory_used_bytes = Math.round(at.memory_used_bytes * (1 + Math.random() / 200))
  return { ...at, load_1m, memory_used_bytes, version: '0.1.0', hostname: 'web-1' }
}

const checkIn = (app: App, hosts: readonly bigint[], at_s: number, more: 'rows' | 'nothing') =>
  transaction(app, 'system', async (tx) => {
    const told = hosts.map((host_id) => ({ host_id, address: '10.0.0.1', figures: reported(at_s, host_id) }))
    await writeCheckIns(tx, told, 60)
    if (more === 'nothing') return
    for (const { host_id, figures } of told)
      await sql`insert into host_metrics values (${host_id}, to_timestamp(${at_s}), ${figures.load_1m}, ${figures.memory_used_bytes},
        ${figures.memory_total_bytes}, ${figures.disk_used_bytes}, ${figures.disk_total_bytes})`.execute(tx)
  })

/** An hour until 0.1.0: a row for each report, each deleted a day later, and a row for each five minutes. */
async function hourOfRows(app: App, hosts: readonly bigint[]): Promise<void> {
  for (let at_s = START_S; at_s < START_S + HOUR_S; at_s += 30) await checkIn(app, hosts, at_s, 'rows')
  await sql`with gone as (delete from host_metrics returning *)
    insert into host_metrics_thinned select host_id, date_bin('5 minutes', at, 'epoch'), avg(load_1m), avg(memory_used_bytes),
      avg(memory_total_bytes), avg(disk_used_bytes), avg(disk_total_bytes) from gone group by 1, 2`.execute(
    app.db,
  )
}

/** An hour now: twelve writings of one row, which becomes a twenty-fourth of a day's. */
async function hourOfHours(app: App, hosts: readonly bigint[]): Promise<void> {
  for (let five = 0; five < 12; five += 1) {
    const times = [0, 1, 2, 3, 4].map((minute) => START_S + five * 300 + minute * 60)
    for (const at_s of times) await checkIn(app, hosts, at_s, 'nothing')
    await addPoints(app, pointsAt(hosts, times))
  }
  await foldFigures(app)
}

const pointsAt = (hosts: readonly bigint[], times: readonly number[]): Map<bigint, Point[]> =>
  new Map(
    hosts.map((host_id) => [
      host_id,
      times.map((at_s) => pointOf(new Date((at_s + Math.random() * 4) * 1000), reported(at_s, host_id))),
    ]),
  )

/** A month, day by day, as the job folds them. */
async function monthOfHours(app: App, hosts: readonly bigint[], url: string): Promise<void> {
  for (let day = 0; day < DAYS; day += 1) {
    for (let hour = 0; hour < 24; hour += 1) {
      const begins_s = START_S + day * DAY_S + hour * HOUR_S
      // Only the hours that stay are written in twelve parts.
      const step_s = day >= DAYS - 2 ? 300 : HOUR_S
      for (let from_s = begins_s; from_s < begins_s + HOUR_S; from_s += step_s) {
        const times = Array.from({ length: step_s / 60 }, (_, minute) => from_s + minute * 60)
        await addPoints(app, pointsAt(hosts, times))
      }
    }
    await foldFigures(app)
    await query(url, 'vacuum host_figures')
  }
}

const monthOfRows = `
  with times as (select * from generate_series(now() - interval '1 day', now(), '30 seconds') at),
  old as (select * from generate_series(now() - interval '30 days', now() - interval '1 day', '5 minutes') at),
  kept as (insert into host_metrics select h.id, at, 0.42, 2000000000, 8000000000, 30000000000, 100000000000
    from times, hosts h order by at)
  insert into host_metrics_thinned select h.id, at, 0.42, 2000000000, 8000000000, 30000000000, 100000000000
  from old, hosts h order by at`

async function sizeOf(url: string, tables: readonly string[]): Promise<number> {
  const sizes = await query<{ kB: number }>(
    url,
    `select sum(pg_total_relation_size(relid))::float8 / 1000 as "kB" from pg_stat_user_tables
     where relname in ('${tables.join("', '")}')`,
  )
  return must(sizes[0]).kB
}
