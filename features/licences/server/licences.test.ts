import { expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { addPlan, allPlans } from './licences.ts'

const test = await startTestApp()

// Seen red while the first price of a plan counted from a time after the beginning of an older transaction, which could then not
// read the catalogue.
it('a plan has its price also in a transaction that began before the plan was added', async () => {
  const begun = Promise.withResolvers<void>()
  const added = Promise.withResolvers<void>()
  const longer = transaction(test.app, 'system', async (tx) => {
    // The first statement of a transaction sets its time.
    await allPlans(tx)
    begun.resolve()
    await added.promise
    return allPlans(tx)
  })
  await begun.promise
  const name = { en: 'Later', de: 'Später', ru: 'Позже' }
  await transaction(test.app, 'system', (tx) =>
    addPlan(tx, { slug: 'later', name, term: 'P1M', price_net: 700n }),
  )
  added.resolve()
  const plans = await longer
  expect(plans.find(({ slug }) => slug === 'later')).toMatchObject({ price_net: 700n, renewal_net: 700n })
})
