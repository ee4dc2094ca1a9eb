import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { balanceOf } from '#features/finance/server/finance.ts'
import * as sales from '#features/sales/contract.ts'
import * as payers from '#features/payers/contract.ts'
import { bulk, previewOf } from '#tests/harness/bulk.ts'
import { addHost, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { agreed } from '#tests/harness/payers.ts'
import { anyAddress, buyer, orderLicence, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

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
