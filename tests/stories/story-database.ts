import { startEmbedded } from '#foundation/server/database/embedded.ts'
import { createLog } from '#foundation/server/log.ts'
import { passTimeIn } from '#tests/harness/passing-time.ts'

/** Lets days pass for one host of the running product, as if its licence had been ordered earlier. */
export async function passTimeFor(hostId: string, days: number): Promise<void> {
  const dataDir = process.env['STORY_DATA_DIR'] ?? ''
  // This joins the PostgreSQL that the product runs, as the operator's commands do.
  const embedded = await startEmbedded({ dataDir, log: createLog({ level: 'warn' }) })
  try {
    await passTimeIn(embedded.url, days, hostId)
  } finally {
    await embedded.stop()
  }
}
