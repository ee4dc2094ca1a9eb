import { setTimeout as sleep } from 'node:timers/promises'
import { askRepeatedly, endLasting, lastingClient } from '#foundation/server/database/lasting-client.ts'
import { findPrimary } from '#foundation/server/database/primary.ts'
import type pg from 'pg'
import type { App } from '#foundation/server/app.ts'
import { CHANNEL } from './queries.ts'

type Listener = { stop(): Promise<void> }

/**
 * Keeps one LISTEN connection for the whole process, and opens another when it breaks. `onWake` gets a topic with events, or a signal.
 * `onOpen` is called when LISTEN is (re-)established, so that missed events can be read from the table.
 */
export function listen(app: App, onWake: (payload: string) => void, onOpen: () => void): Listener {
  const stopping = new AbortController()
  // A function, because the stop may come during an `await`.
  const isStopping = () => stopping.signal.aborted
  let current: pg.Client | undefined

  async function open(): Promise<void> {
    for (let attempt = 0; !isStopping(); attempt += 1) {
      const client = lastingClient(app.ownerUrl)
      client.on('notification', ({ payload }) => onWake(payload ?? ''))
      try {
        await client.connect()
        await client.query(LISTEN)
        // LISTEN once more changes nothing.
        askRepeatedly(client, LISTEN)
        client.once('end', () => void open())
        current = client
        if (isStopping()) await client.end()
        else onOpen()
        return
      } catch (error) {
        await client.end().catch(() => {})
        await findPrimary(app.ownerUrl)
        app.log.debug({ err: error }, 'live: cannot listen yet')
        await sleep(Math.min(5000, 100 * 2 ** attempt))
      }
    }
  }

  const opening = open()
  return {
    async stop() {
      stopping.abort()
      if (current) await endLasting(current)
      await opening
    },
  }
}

const LISTEN = `listen ${CHANNEL}`
