import { expect, it } from 'vitest'
import { getHost, updateHost } from '#features/hosts/contract.ts'
import { listPaidPeriods } from '#features/sales/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { buyer, doLicenceJobs, orderHost, passTime, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { changePlan } from '#features/licences/server/licences.ts'

const test = await startTestApp()
await stockShop(test)

it('rule 46: a renewal that is tried again after a rise costs what its mails have named', async () => {
  const customer = await buyer(test, 2368n)
  const { host } = bodyOf(await orderHost(customer), 201)
  const params = { hostId: host.id }
  await customer.api.call(updateHost, { params, body: { auto_renew: true } })
  const daysLeft = async () =>
    bodyOf(await customer.api.call(getHost, { params }), 200).licence.remaining_s / 86_400
  const goTo = async (days: number) => {
    await passTime(test, (await daysLeft()) - days)
    await doLicenceJobs(test)
  }
  // A rise reaches renewals 30 days later: here after the end of the licence and its first tries, but before the last try.
  if ((await daysLeft()) > 29.2) await goTo(29.2)
  const rise = { price_net: 2990n }
  await transaction(test.app, 'system', (tx) =>
    changePlan(test.app, tx, 'standard-month', rise, { by: 'command line' }),
  )
  await goTo(6.9)
  await goTo(0.9)
  await passTime(test, 3.4)
  await addMoney(test.app, customer.user_id, 10_000n)
  await doLicenceJobs(test)
  const paid = async () =>
    bodyOf(await customer.api.call(listPaidPeriods, { params, query: {} }), 200).items.map(
      ({ kind, total }) => [kind, total?.amount],
    )
  // The app's own worker may have taken the job.
  await expect.poll(paid).toEqual([
    ['auto_renewal', '2368'],
    ['order', '2368'],
  ])
})
