import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'

/**
 * True for an account with a payment that is on its way, an event of a payment that nobody has booked yet, a dispute that is not decided, or
 * a balance in another currency.
 */
export async function isUnsettled(db: App['db'], user_id: string, currency: string): Promise<boolean> {
  const { rows } = await sql<{ unsettled: boolean }>`
    select exists (select from top_ups where user_id = ${user_id}::uuid and status in ('pending', 'charged_back'))
      or exists (select from unbooked_events where user_id = ${user_id}::uuid and done_at is null)
      or exists (select from balances where user_id = ${user_id}::uuid and currency <> ${currency} and balance <> 0) as unsettled`.execute(
    db,
  )
  return rows[0]?.unsettled ?? false
}
