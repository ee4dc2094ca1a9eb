import { hostOf } from '#features/hosts/server/hosts.ts'
import { toMoney } from '#foundation/money.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { previewPromo } from '#features/licences/contract.ts'
import { offersFor } from './plans.ts'
import { countingTries, findPromo, otherEdition } from './promo-codes.ts'

/** Answers `POST /api/plans/promo/`: the prices that an order with the code pays, and the refusals that it gets. */
export const preview = handler(previewPromo, ({ app, actor: { user_id }, body }) =>
  countingTries(app, user_id, body.code, async () => {
    const host = body.host === undefined ? undefined : await hostOf(app.db, user_id, body.host)
    const { promo, expires_at } = await findPromo(app, app.db, user_id, body.code)
    const items = await offersFor(app, user_id, host, promo)
    if (!items.some((plan) => plan.promo)) throw otherEdition()
    const { code, percent, amount, left: renewals } = promo
    return {
      status: 200,
      body: {
        code,
        percent,
        amount: amount === null ? null : toMoney(BigInt(amount), app.config.currency),
        renewals,
        expires_at: expires_at?.toISOString() ?? null,
        items,
      },
    } as const
  }),
)
