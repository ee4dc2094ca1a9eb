import type { Upcoming } from '#features/finance/rules.ts'
import { hostsById, renewingHosts } from '#features/hosts/server/hosts.ts'
import { chargesOf } from '#features/licences/server/licences.ts'
import { hostsPaidBy, paidAmong } from '#features/payers/server/payers.ts'
import type { App } from '#foundation/server/app.ts'

/** The upcoming automatic charges of an account: the next renewal of each host that it pays for and that has auto-renewal on. */
export async function upcomingCharges(app: App, db: App['db'], user_id: string): Promise<Upcoming[]> {
  const own = await renewingHosts(db, user_id)
  const ids = await hostsPaidBy(db, user_id)
  const others = ids.length === 0 ? [] : (await hostsById(db, ids)).filter(({ auto_renew }) => auto_renew)
  const paid = new Set(
    await paidAmong(
      db,
      own.map(({ id }) => id),
    ),
  )
  return chargesOf(app, db, [...own.filter(({ id }) => !paid.has(id)), ...others], user_id)
}
