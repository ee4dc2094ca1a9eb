import { dayIn } from '#features/invoices/rules.ts'
import { debtsSince } from '#features/licences/server/licences.ts'
import type { App } from '#foundation/server/app.ts'

/** Returns by customer the beginning of the present debt, and its age in days of the operator's time zone, for those who have one. */
export async function agesOfDebts(
  { db, config }: App,
  user_ids: readonly string[],
): Promise<Map<string, { since: string; days: number }>> {
  const { timeZone: time_zone } = config
  const day = dayIn(new Date(), time_zone)
  const began = await debtsSince(db, user_ids, { day, time_zone })
  return new Map(
    [...began].map(([user_id, since]) => {
      const days = Math.round((Date.parse(day) - Date.parse(dayIn(since, time_zone))) / 86_400_000)
      return [user_id, { since: since.toISOString(), days }]
    }),
  )
}
