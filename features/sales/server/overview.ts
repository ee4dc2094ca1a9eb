import { toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { getFinances } from '#features/finance/contract.ts'
import { balanceOf, giftIn, lastsUntil } from '#features/finance/server/finance.ts'
import { upcomingCharges } from './upcoming.ts'

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
