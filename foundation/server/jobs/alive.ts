import { setTimeout as sleep } from 'node:timers/promises'
import { askRepeatedly, endLasting, lastingClient } from '#foundation/server/database/lasting-client.ts'
import { findPrimary } from '#foundation/server/database/primary.ts'
import type pg from 'pg'
import { recordHeartbeat } from './queries.ts'

type Heartbeat = {
  end(): Promise<void>
}

/**
 * Holds one connection whose advisory lock shows that this process lives, and opens another when it breaks. The lock
 * goes with the connection: kill -9 closes it at once, and a machine that lost its power is given up by TCP within 30 s.
 * `onJob` is called as soon as a job is enqueued.
 */
export async function startHeartbeat(
  ownerUrl: string,
  process_id: string,
  onJob: () => void,
): Promise<Heartbeat> {
  const ending = new AbortController()
  let connection = await connect()

  async function connect(): Promise<pg.Client> {
    const client = lastingClient(ownerUrl, patience)
    client.on('notification', onJob)
    try {
      await client.connect()
      await recordHeartbeat(client, process_id)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    // A connection that answers no more shows nobody that this process lives, though it is open here.
    askRepeatedly(client, 'select')
    client.once('end', () => void replace())
    return client
  }

  // A function, because the end may come during an `await`.
  const isEnding = () => ending.signal.aborted

  async function replace(): Promise<void> {
    while (!isEnding()) {
      try {
        connection = await connect()
        if (isEnding()) await connection.end()
        return
      } catch {
        await findPrimary(ownerUrl)
        await sleep(retry_ms)
      }
    }
  }

  return {
    async end() {
      ending.abort()
      await endLasting(connection)
    },
  }
}

const retry_ms = 500

// PostgreSQL notices a process that vanished without a word after 10 + 4 × 5 s.
const patience = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4'
