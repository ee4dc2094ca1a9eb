import { methodReported } from '#features/finance/contract.ts'
import { announceTopUp } from '#features/finance/server/finance.ts'
import { detailsOf, testMethods, type TestMethod } from '#features/finance/server/providers/test-methods.ts'
import { declineRun, insertRun, openRunOf, putAutoTopUp } from '#features/auto-top-ups/server/auto-top-ups.ts'
import { beginMethod, defaultMethod } from '#features/methods/server/methods.ts'
import { askForPayout } from '#features/payouts/server/payouts.ts'
import { must } from '#foundation/must.ts'
import { emit } from '#foundation/server/events.ts'
import { seedEvent } from './seed-event.ts'

/** Saves a card or another method of the test provider. */
export const saveMethod = seedEvent<[TestMethod]>(async ({ app, tx, user_id }, _at, name) => {
  const { kind } = testMethods[name]
  const method = await beginMethod(tx, { user_id, provider: 'test', kind })
  const saved = detailsOf(name, method)
  await emit(app, tx, methodReported, {
    kind: 'method_saved',
    provider: 'test',
    event_id: `story:saved:${method}`,
    method,
    saved,
  })
})

/** Turns an automatic top-up on, by the saved default method, up to a sum a month (minor units). */
export const fillByItself = seedEvent<[bigint]>(async ({ tx, user_id }, _at, month_limit) => {
  const { id: method_id } = must(await defaultMethod(tx, user_id))
  await putAutoTopUp(tx, { user_id, method_id, kind: 'cover', month_limit, threshold: null, amount: null })
})

/** An automatic charge of the default method is declined; it is tried again tomorrow. */
export const declineCharge = seedEvent<[bigint]>(async ({ app, tx, user_id }, _at, amount) => {
  const { id: method_id, provider } = must(await defaultMethod(tx, user_id))
  const payment = await announceTopUp(app, tx, { user_id, provider, amount, method_id })
  const { id: top_up_id, public_id, currency } = payment
  await insertRun(tx, { top_up_id, public_id, user_id, method_id, amount, currency }, 0)
  const run = must(await openRunOf(tx, user_id))
  await declineRun(app, tx, run, { reason: 'insufficient_funds', isFinal: false })
})

/** Asks for a payout, which waits for staff. */
export const askForMoney = seedEvent<[bigint, { iban: string; holder: string }]>(
  async ({ app, tx, user_id }, _at, amount, account) => {
    await askForPayout(app, tx, user_id, { ...account, amount })
  },
)
