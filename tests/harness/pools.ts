import pg from 'pg'

/**
 * Pools for what tests read and write around the product, by address. Opening a connection takes some 5 ms of processor time,
 * and tests would open thousands.
 */
const pools = new Map<string, pg.Pool>()

/** Returns the pool of this address. Work that changes the settings of a connection uses `withConnectionAt` instead. */
export function poolAt(url: string): pg.Pool {
  const known = pools.get(url)
  if (known) return known
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    idleTimeoutMillis: 1000,
    allowExitOnIdle: true,
  })
  // Tests end PostgreSQL and its connections on purpose.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  pools.set(url, pool)
  return pool
}

/** Runs `work` on a connection that has no settings of earlier use, and leaves none. */
export async function withConnectionAt<T>(
  url: string,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await poolAt(url).connect()
  let isClean = false
  try {
    const done = await work(client)
    await client.query('discard all')
    isClean = true
    return done
  } finally {
    client.release(!isClean)
  }
}

/** Closes the pool of a database that is dropped next. */
export async function endPoolAt(url: string): Promise<void> {
  const pool = pools.get(url)
  pools.delete(url)
  await pool?.end()
}
