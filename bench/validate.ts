import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { makeHosts } from './check-ins.ts'
import type { Load } from './load-options.ts'
import { production } from './production.ts'
import { runLoad } from './run-load.ts'

const KEYS = 100_000
const ASKED = 20_000
const CONNECTIONS = 16
const RUNS = 3
const OFFERED = 1_000

/**
 * Measures the call by which software asks for a freshly signed document, with a licence key and the address of its machine. The product
 * runs as in production; the load comes from another process on the same cores. The time of an answer is measured at the promised 1,000
 * requests a second: at full load, the queue in front of the server would decide how long answers take.
 */
export async function measureValidate(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'web', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings })
  try {
    await makeHosts(databaseOf(dataDir), KEYS)
    const url = `${product.url}/api/licences/validate/`
    await load(url, 3)
    const [full, offered]: [Load[], Load[]] = [[], []]
    for (let run = 0; run < RUNS; run += 1) {
      full.push(await load(url, 10))
      offered.push(await load(url, 10, OFFERED))
    }
    const best = full.reduce((one, other) => (other.requests_s > one.requests_s ? other : one))
    const calm = offered.reduce((one, other) => (other.p99_ms < one.p99_ms ? other : one))
    const failed = [...full, ...offered].reduce((sum, run) => sum + run.failed, 0)
    return [
      {
        name: 'licences asked for, with a signed document',
        value: best.requests_s,
        unit: '/s',
        least: 1_000,
        note: `best of ${RUNS}, ${KEYS} keys, ${CONNECTIONS} connections`,
      },
      { name: 'licences asked for, p99 at all it can do', value: best.p99_ms, unit: 'ms' },
      {
        name: `licences asked for, p99 at ${OFFERED}/s`,
        value: calm.p99_ms,
        unit: 'ms',
        most: 20,
        note: `best of ${RUNS}, ${Math.round(calm.requests_s)}/s were answered`,
      },
      { name: 'licences asked for, failed', value: failed, unit: '', most: 0 },
    ]
  } finally {
    await product.stop()
    remove()
  }
}

/** Sends requests with keys from the whole table; without a rate, as many as the server answers. */
function load(url: string, seconds: number, rate?: number): Promise<Load> {
  const places = Array.from({ length: ASKED }, (_, place) => 1 + (place * KEYS) / ASKED)
  const body = places.map((place) => JSON.stringify({ licence_key: `key-${place}`, ipv4: addressOf(place) }))
  const headers = body.map(() => ({ 'content-type': 'application/json' }))
  return runLoad({
    url,
    method: 'POST',
    body,
    headers,
    seconds,
    connections: CONNECTIONS,
    ...(rate !== undefined && { rate }),
  })
}

/** The address of a host, as `makeHosts` counts them up from 10.0.0.0. */
const addressOf = (place: number): string => `10.${place >> 16}.${(place >> 8) & 255}.${place & 255}`
