import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { toPrimary } from './primary.ts'

const ASK_ms = 5000
const ANSWER_ms = 8000
const GOODBYE_ms = 2000

/** Makes the client of a connection that is idle by design and lasts as long as the process. */
export function lastingClient(url: string, options = ''): pg.Client {
  const client = new pg.Client({
    connectionString: toPrimary(url),
    keepAlive: true,
    connectionTimeoutMillis: ANSWER_ms,
    query_timeout: ANSWER_ms,
    options: `-c idle_session_timeout=0 ${options}`,
  })
  client.on('error', () => {})
  return client
}

/**
 * Asks again and again over an open connection, and ends it where no answer comes: a firewall that has forgotten it drops all of it without a
 * word, and the system's own probes begin after two hours.
 */
export function askRepeatedly(client: pg.Client, statement: string): void {
  const asking = setInterval(
    () => void client.query(statement).catch(() => client.end().catch(() => {})),
    ASK_ms,
  )
  client.once('end', () => clearInterval(asking))
}

/** Ends a connection. A database that does not answer holds up nobody who stops. */
export async function endLasting(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => {})
  await Promise.race([ended, sleep(GOODBYE_ms, undefined, { ref: false })])
}
