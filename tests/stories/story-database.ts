import { startEmbedded } from '#foundation/server/database/embedded.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { createLog } from '#foundation/server/log.ts'
import { expect } from '#tests/harness/story.ts'
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

/** Ends the waiting time before an account is moved, reset or merged. */
export const endWaitOf = (userId: string): Promise<void> =>
  inDatabase((url) =>
    withConnection(url, async (client) => {
      await client.query(`select set_config('app.actor', 'system', false)`)
      const { rows } = await client.query<{ id: string }>(
        `update factor_resets set due_at = now() where user_id = $1 and status = 'requested' returning id`,
        [userId],
      )
      expect(rows).toHaveLength(1)
      for (const { id } of rows)
        await client.query('update jobs set run_at = now() where key = $1', [`factor_reset:${id}`])
    }),
  )

/** Lets the quarter of an hour pass after which a customer is told that their ticket was closed. */
export const endWaitOfClosed = (chatId: string): Promise<void> =>
  inDatabase((url) =>
    withConnection(url, async (client) => {
      await client.query(`select set_config('app.actor', 'system', false)`)
      const { rowCount } = await client.query(
        `update jobs set run_at = now() where key = (select 'ticket-closed:' || id from tickets where public_id = $1)`,
        [chatId],
      )
      expect(rowCount).toBe(1)
    }),
  )

/** Lets the time pass by which an answer to a ticket was expected. */
export const passDueOf = (chatId: string): Promise<void> =>
  inDatabase((url) =>
    withConnection(url, async (client) => {
      await client.query(`select set_config('app.actor', 'system', false)`)
      const { rowCount } = await client.query(
        `update tickets set due_at = now() - interval '1 hour' where public_id = $1 and due_at is not null`,
        [chatId],
      )
      expect(rowCount, 'an answer is expected').toBe(1)
    }),
  )

/** Lets minutes pass for the agent of one host, as if its last check-in had been earlier; nobody was down meanwhile. */
export const passMinutesFor = (hostId: string, minutes: number): Promise<void> =>
  inDatabase((url) =>
    withConnection(url, async (client) => {
      await client.query(`select set_config('app.actor', 'system', false)`)
      const earlier = (name: string) => `${name} = ${name} - make_interval(mins => $2)`
      const { rowCount } = await client.query(
        `update host_agents set ${['last_seen_at', 'look_at', 'disk_since'].map(earlier).join(', ')}
         where host_id = (select id from hosts where public_id = $1)`,
        [hostId, minutes],
      )
      expect(rowCount).toBe(1)
      await client.query('update alert_watch set hold_until = now()')
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
