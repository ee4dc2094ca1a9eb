import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export const CHANNEL = 'live'

/** Takes the customer's next number under its row's lock and writes the event; one statement, one round trip. */
export async function insertEvent(
  tx: Tx,
  event: { user_id: string; type: string; payload: string },
): Promise<void> {
  await sql`
    with cursor as (
      insert into live_cursors as c (user_id, last_seq) values (${event.user_id}, 1)
      on conflict (user_id) do update set last_seq = c.last_seq + 1
      returning last_seq),
    written as (
      insert into live_events (user_id, seq, type, payload)
      select ${event.user_id}, last_seq, ${event.type}, ${event.payload}::jsonb from cursor
      returning seq)
    select pg_notify(${CHANNEL}, ${event.user_id}) from written`.execute(tx)
}

/** Who was away for longer than an hour loads the pages anew. Cursors stay: a number is never given twice. */
export async function sweepEvents({ db }: App): Promise<void> {
  await db
    .deleteFrom('live_events')
    .where('created_at', '<', sql<Date>`now() - interval '1 hour'`)
    .execute()
}
