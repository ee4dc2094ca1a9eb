import { toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { getFinances, upcomingRequested } from '#features/finance/contract.ts'
import { lastsUntil } from '#features/finance/forecast.ts'
import { type Upcoming } from '#features/finance/rules.ts'
import { balanceOf } from './finance.ts'
import { giftIn } from './ledger-queries.ts'

/** Answers `GET /api/finances/`. Other features add the upcoming charges that they will make automatically. */
export const overview = handler(getFinances, async ({ app, actor }) => {
  const { user_id } = actor
  const { currency, payments, topUp } = app.config
  const upcoming: Upcoming[] = []
  const { balance, gift } = await transaction(app, { userId: user_id }, async (tx) => {
    // A retried transaction collects the charges again.
    upcoming.length = 0
    await emit(app, tx, upcomingRequested, { user_id, add: (charge) => void upcoming.push(charge) })
    return {
      balance: await balanceOf(app, tx, user_id),
      gift: await giftIn(tx, { user_id, currency }),
    }
  })
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
