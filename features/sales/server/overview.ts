import type { App } from '#foundation/server/app.ts'
import type { Upcoming } from '#features/finance/rules.ts'
import { hostsById, renewingHosts } from '#features/hosts/server/hosts.ts'
import { chargesOf } from '#features/licences/server/licences.ts'
import { hostsPaidBy, paidAmong } from '#features/payers/server/payers.ts'
import { toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { getFinances } from '#features/finance/contract.ts'
import { balanceOf, giftIn, lastsUntil } from '#features/finance/server/finance.ts'

/** Answers `GET /api/finances/`: the balance, and what will be charged automatically. */
export const overview = handler(getFinances, async ({ app, actor }) => {
  const { user_id } = actor
  const { currency, payments, topUp } = app.config
  const { balance, gift, upcoming } = await transaction(app, { userId: user_id }, async (tx) => ({
    upcoming: await upcomingCharges(app, tx, user_id),
    balance: await balanceOf(app, tx, user_id),
    gift: await giftIn(tx, { user_id, currency }),
  }))
  const inOrder = upcoming.toSorted((one, other) => one.due_at.getTime() - other.due_at.getTime())
  const body = {
    balance: toMoney(balance, currency),
    gift: toMoney(gift, currency),
    lasts_until: lastsUntil(balance, upcoming, new Date())?.toISOString() ?? null,
    upcoming: inOrder.map(({ host_id, host_name, due_at, total }) => ({
      host_id,
      host_name,
      due_at: due_at.toISOString(),
      total: toMoney(total, currency),
    })),
    top_up: {
      providers: [...payments],
      min: toMoney(topUp.min, currency),
      max: toMoney(topUp.max, currency),
      balance_cap: toMoney(topUp.balanceCap, currency),
    },
  }
  return { status: 200, body }
})

/** The upcoming automatic charges of an account: the next renewal of each host that it pays for and that has auto-renewal on. */
async function upcomingCharges(app: App, db: App['db'], user_id: string): Promise<Upcoming[]> {
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
