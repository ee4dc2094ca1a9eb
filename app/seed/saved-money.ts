import { methodReported } from '#features/finance/contract.ts'
import { detailsOf, testMethods, type TestMethod } from '#features/finance/server/providers/test-methods.ts'
import { beginMethod } from '#features/methods/server/methods.ts'
import { askForPayout } from '#features/payouts/server/payouts.ts'
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

/** Asks for a payout, which waits for staff. */
export const askForMoney = seedEvent<[bigint, { iban: string; holder: string }]>(
  async ({ app, tx, user_id }, _at, amount, account) => {
    await askForPayout(app, tx, user_id, { ...account, amount })
  },
)
