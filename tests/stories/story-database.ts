import { startEmbedded } from '#foundation/server/database/embedded.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { createLog } from '#foundation/server/log.ts'
import { passTimeIn } from '#tests/harness/passing-time.ts'

/** Lets days pass for one host of the running product, as if its licence had been ordered earlier. */
export const passTimeFor = (hostId: string, days: number): Promise<void> =>
  inDatabase((url) => passTimeIn(url, days, hostId))

/** Makes a member one who has been in the team for 15 days: until then they and whoever brought them in decide nothing of each other. */
export const settleMember = (memberId: string): Promise<void> =>
  inDatabase((url) =>
    withConnection(url, async (client) => {
      await client.query(`update introductions set at = at - interval '15 days' where member_id = $1`, [
        memberId,
      ])
    }),
  )

async function inDatabase(work: (url: string) => Promise<unknown>): Promise<void> {
  const dataDir = process.env['STORY_DATA_DIR'] ?? ''
  // This joins the PostgreSQL that the product runs, as the operator's commands do.
  const embedded = await startEmbedded({ dataDir, log: createLog({ level: 'warn' }) })
  try {
    await work(embedded.url)
  } finally {
    await embedded.stop()
  }
}
