import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#foundation/server/config.ts'
import { createDb, createPool } from '#foundation/server/database/pool.ts'
import { MOST_LAG_S, openReplica } from '#foundation/server/database/replica.ts'
import { must } from '#foundation/must.ts'
import { Warning } from './warning.ts'

/** Follows the replica for MOST_LAG_S, as the product does. An unusable replica is a Warning, no failure: the primary answers. */
export async function examineReplica({ databaseUrl, readDatabaseUrl }: Config): Promise<string> {
  const settings = { max: 1, acquire_timeout_ms: 3000 }
  const url = must(databaseUrl).reveal()
  const primary = createDb(createPool({ ...settings, url }), url)
  let reason = `it is more than ${MOST_LAG_S} s behind`
  const replica = openReplica(primary, {
    ...settings,
    url: must(readDatabaseUrl).reveal(),
    tell: (said) => (reason = said ?? reason),
  })
  try {
    for (const until = Date.now() + MOST_LAG_S * 1000; Date.now() < until; await sleep(50)) {
      const lag_s = replica.lag_s()
      if (lag_s !== undefined && lag_s < MOST_LAG_S) return `it follows, at most ${lag_s.toFixed(1)} s behind`
    }
    throw new Warning(`lists are read from DATABASE_URL instead: ${reason}`)
  } finally {
    await replica.close()
    await primary.destroy()
  }
}
