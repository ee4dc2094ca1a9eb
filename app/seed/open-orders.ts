import { priceOf } from '#features/licences/rules.ts'
import { findPlan, netFor } from '#features/licences/server/licences.ts'
import { hostOf } from '#features/hosts/server/hosts.ts'
import { vatFor, vatOver } from '#features/invoices/server/invoices.ts'
import { beginCheckout } from '#features/sales/server/sales.ts'
import { toMoney } from '#foundation/money.ts'
import { showPaymentPage } from './history-queries.ts'
import { seedEvent } from './seed-event.ts'

/** Begins to pay for a renewal by the test provider, and leaves it: the order waits for its money. */
export const leavePayment = seedEvent<[string, string]>(
  async ({ app, tx, user_id, hosts }, _at, name, slug) => {
    const known = hosts.get(name)
    if (!known) throw new Error(`the story knows no ${name}`)
    const host = await hostOf(tx, user_id, known.public_id)
    const plan = await findPlan(tx, slug, host)
    const net = netFor(plan, host)
    const { total } = priceOf(net, vatOver(await vatFor(app, tx, user_id), net).rate_bp)
    const expected_total = toMoney(total, app.config.currency)
    const order = {
      for: 'renewal',
      provider: 'test',
      host_id: host.public_id,
      plan: slug,
      expected_total,
    } as const
    const { id } = await beginCheckout(app, tx, user_id, order)
    await showPaymentPage(tx, id)
  },
)
