import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'

/**
 * Returns the countries of the cards and bank accounts by which a customer paid: of the newest payment that says it, and of all within 90
 * days before. The attack is a small payment by a friend's card abroad, right before an order. Payments that were taken back do not count.
 */
export const payingCountries = async (db: App['db'], user_id: string): Promise<readonly string[]> =>
  (await countries(db, user_id)) ?? []

const countries = batched(async (db: App['db'], ids: readonly string[]) => {
  const { rows } = await sql<{ user_id: string; countries: string[] }>`
    select user_id, array_agg(distinct paid_from order by paid_from) as countries
    from (
      select t.user_id, p.paid_from, p.created_at, max(p.created_at) over (partition by t.user_id) as newest
      from top_ups t join payment_events p on p.top_up_id = t.id
      where t.user_id = any(${ids}::uuid[]) and t.status = 'paid' and p.kind = 'paid' and p.transaction_id is not null
        and p.paid_from is not null) paid
    where created_at >= newest - interval '90 days' group by user_id`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row.countries]))
})
