import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { makeHosts } from './check-ins.ts'
import type { Load } from './load.ts'
import { production } from './production.ts'
import { runLoad } from './run-load.ts'

const KEYS = 100_000
const ASKED = 20_000
const CONNECTIONS = 16
const RUNS = 3

/**
 * Software that asks with the key and the address of its machine, and is answered with a freshly signed document. As in
 * production, the load from another process on the same cores.
 */
export async function measureValidate(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'web', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings })
  try {
    await makeHosts(databaseOf(dataDir), KEYS)
    const url = `${product.url}/api/licences/validate/`
    await load(url, 3)
    const runs: Load[] = []
    for (let run = 0; run < RUNS; run += 1) runs.push(await load(url, 10))
    const best = runs.reduce((one, other) => (other.requests_s > one.requests_s ? other : one))
    const failed = runs.reduce((sum, run) => sum + run.failed, 0)
    return [
      {
        name: 'licences asked for, with a signed document',
        value: best.requests_s,
        unit: '/s',
        least: 1_000,
        note: `best of ${RUNS}, ${KEYS} keys, ${CONNECTIONS} connections`,
      },
      { name: 'licences asked for, p99', value: best.p99_ms, unit: 'ms', most: 20 },
      { name: 'licences asked for, failed', value: failed, unit: '', most: 0 },
    ]
  } finally {
    await product.stop()
    remove()
  }
}

/** Keys from all of the table. */
function load(url: string, seconds: number): Promise<Load> {
  const places = Array.from({ length: ASKED }, (_, place) => 1 + (place * KEYS) / ASKED)
  const body = places.map((place) => JSON.stringify({ licence_key: `key-${place}`, ipv4: addressOf(place) }))
  const headers = body.map(() => ({ 'content-type': 'application/json' }))
  return runLoad({ url, method: 'POST', body, headers, seconds, connections: CONNECTIONS })
}

/** As `makeHosts` counts them up from 10.0.0.0. */
const addressOf = (place: number): string => `10.${place >> 16}.${(place >> 8) & 255}.${place & 255}`
