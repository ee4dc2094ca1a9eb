import { randomUUID } from 'node:crypto'
import { expect, expectTypeOf, it } from 'vitest'
import { balanceOf } from '#features/finance/server/finance.ts'
import * as sales from '#features/sales/contract.ts'
import { hostOf, lockHostById } from '#features/hosts/server/hosts.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import * as payers from '#features/payers/contract.ts'
import { bulk, previewOf } from '#tests/harness/bulk.ts'
import { addHost, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { agreed } from '#tests/harness/payers.ts'
import { anyAddress, buyer, orderLicence, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

import type { Passed } from './gate.ts'
import { writeSale } from './sale.ts'
import { judgePurchase } from './purchase.ts'

const test = await startTestApp()
await stockShop(test)
await sellLarge(test)

/** A server whose month was paid by an earlier agreement, and the present agreement with the same payer, which has a monthly limit. */
async function paidBefore() {
  const [owner, payer] = [await buyer(test, 0n), await buyer(test, 50_000n)]
  const host = await addHost(owner.api, { ipv4: anyAddress() })
  const before = await agreed(owner, payer, { host_ids: [host.id] })
  expect((await orderLicence(owner, host.id)).status).toBe(200)
  const end = { params: { agreementId: before.id }, query: {} }
  bodyOf(await payer.api.call(payers.deleteAgreement, end), 204)
  const agreement = await agreed(owner, payer, { host_ids: [host.id], month_limit: '4000' })
  return { owner, payer, hostId: host.id, agreement }
}

it('rule 60: nothing but the gate makes a payment that may be charged', () => {
  type Made = { payer: undefined; buyer_id: string; take: (amount: bigint) => void }
  expectTypeOf<Made>().not.toExtend<Passed>()
})

it('rule 60: no more is charged than has passed the gate, at which all limits are counted', async () => {
  const customer = await buyer(test, 50_000n)
  const { id, user_id } = await hostOf(
    test.app.db,
    customer.user_id,
    (await addHost(customer.api, { ipv4: anyAddress() })).id,
  )
  const buy = (less: bigint) =>
    transaction(test.app, { userId: user_id }, async (tx) => {
      const host = must(await lockHostById(tx, id))
      const purchase = await judgePurchase(test.app, tx, host, { slug: 'standard-month', automatic: true })
      purchase.payment.take(less)
      return writeSale(test.app, tx, purchase)
    })
  await expect(buy(1n)).rejects.toThrow('more is charged than has passed the gate')
  expect(await balanceOf(test.app, test.app.db, user_id)).toBe(50_000n)
  expect(await buy(0n)).toMatchObject({ payer: undefined })
})

// Seen red: the answer was 500, because nothing refused the upgrade before the database did, at the commit.
it('Y-06 an upgrade counts against the month only what came back of the same agreement, and is refused above its limit', async () => {
  // The present agreement has paid nothing, and nothing comes back to it.
  const { owner, payer, hostId, agreement } = await paidBefore()
  const params = { hostId }
  const wish = { plan: 'large-month', scope: 'all' } as const
  const preview = bodyOf(await owner.api.call(sales.previewUpgrade, { params, body: wish }), 200)
  expect(BigInt(preview.pay_now.amount)).toBeLessThan(4000n)
  expect(BigInt(preview.charge.amount)).toBeGreaterThan(4000n)
  const body = { ...wish, as_of: preview.as_of, expected_total: preview.pay_now }
  const ask = () =>
    owner.api.call(sales.upgradeLicence, { params, headers: { 'idempotency-key': randomUUID() }, body })
  expect((await ask()).body).toMatchObject(refusal(402, 'payment_limit_reached'))
  const raised = {
    params: { agreementId: agreement.id },
    body: { month_limit: preview.charge.amount, version: agreement.version },
  }
  bodyOf(await payer.api.call(payers.updateAgreement, raised), 200)
  bodyOf(await ask(), 201)
  const spent = 2368n + BigInt(preview.pay_now.amount)
  expect(await balanceOf(test.app, test.app.db, payer.user_id)).toBe(50_000n - spent)
})

it('Y-06 an upgrade of many servers at once is refused above that limit, too, and its preview says so', async () => {
  const { owner, payer, hostId } = await paidBefore()
  const wish = { act: 'upgrade' as const, host_ids: [hostId], plan: 'large-month' }
  const preview = bodyOf(await previewOf(owner, wish), 200)
  expect(preview.payments).toMatchObject([{ refusal: 'payment_limit_reached' }])
  expect((await bulk(owner, wish)).body).toMatchObject(refusal(402, 'payment_limit_reached'))
  expect(await balanceOf(test.app, test.app.db, payer.user_id)).toBe(50_000n - 2368n)
})
