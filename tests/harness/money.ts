import { randomUUID } from 'node:crypto'
import { giftOfRefund } from '#features/finance/gifts.ts'
import { isSpending } from '#features/finance/rules.ts'
import { announceTopUp, giftPart, ingestEventIn } from '#features/finance/server/finance.ts'
import { spendingOf, spentBy } from '#features/finance/server/ledger-queries.ts'
import { payOutAct } from '#features/finance/server/pay-out.ts'
import { post, type Movement, type Posted } from '#features/finance/server/ledger.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'

/** Books any movement, as the system; a spending and its refund with their gift, as orders and refunds book them. */
export const move = (app: App, movement: Movement): Promise<Posted> =>
  transaction(app, 'system', async (tx) => {
    const gift = movement.gift ?? (await giftIn(app, tx, movement))
    return post(app, tx, { ...movement, gift })
  })

async function giftIn(app: App, tx: Tx, { type, user_id, amount, reverses }: Movement) {
  if (isSpending(type)) return giftPart(app, tx, { user_id, amount })
  const spent = reverses === undefined ? undefined : await spentBy(tx, user_id, reverses)
  return spent && isSpending(spent.type) ? giftOfRefund(spendingOf(spent), amount) : undefined
}

/** Puts money (minor units) on a balance, as if it had come by the test provider. */
export const addMoney = (app: App, user_id: string, amount: bigint): Promise<Posted> =>
  move(app, {
    type: 'fill_balance',
    user_id,
    amount,
    provider: 'test',
    description: { code: 'top_up', params: { provider: 'test' } },
  })

const ORIGIN = { ip: '127.0.0.1', user_agent: 'tests', request_id: 'tests' }

/** Pays a part of a balance (minor units) back to its customer, as staff do; `by` is the id of the member. */
export const payOut = (app: App, customer_id: string, amount: bigint, by = customer_id): Promise<unknown> =>
  transaction(app, 'system', (tx) =>
    payOutAct.run(
      app,
      tx,
      { customer_id, amount, input: { reference: 'SEPA' }, reason: 'Test.' },
      { by, origin: ORIGIN },
    ),
  )

/** Pays in (minor units) with a card of this country, which speaks for the customer's place. */
export const payFrom = (app: App, user_id: string, paid_from: string, amount = 10_00n): Promise<void> =>
  transaction(app, 'system', async (tx) => {
    const { public_id: top_up } = await announceTopUp(app, tx, { user_id, amount, provider: 'test' })
    const event = { provider: 'test', event_id: randomUUID(), kind: 'paid', reason: '' } as const
    const rest = { top_up, paid_from, payment_reference: null, amount: null, currency: null }
    await ingestEventIn(app, tx, { ...event, ...rest })
  })
