import { expect, it } from 'vitest'
import { becomeReader } from '#foundation/server/account-events/account-events.ts'
import { toMoney } from '#foundation/money.ts'
import { eventsOf } from '#tests/harness/account-events.ts'
import { fillsItself, goOn, runsOf } from '#tests/harness/auto-top-ups.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const threshold = {
  kind: 'threshold',
  threshold: toMoney(10_00n, 'EUR'),
  amount: toMoney(30_00n, 'EUR'),
} as const

it('O-12 the list of events tells of a charge that is declined, and of one that its customer must allow', async () => {
  for (const [way, type] of [
    ['declines', 'auto_top_up.declined'],
    ['asks', 'auto_top_up.authentication_required'],
  ] as const) {
    const customer = await signedInCustomer(test)
    await becomeReader(test.app, customer.user_id)
    await fillsItself(test, customer, way, threshold)
    await goOn(test)
    const [run] = await runsOf(customer)
    const told = (await eventsOf(test, customer.user_id)).filter((event) =>
      event.type.startsWith('auto_top_up.'),
    )
    expect(told.map((event) => [event.type, event.data])).toEqual([[type, run]])
  }
})
