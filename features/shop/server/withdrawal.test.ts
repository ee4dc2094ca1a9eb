import { expect, it } from 'vitest'
import { addExtra, makePromoCode } from '#features/licences/server/licences.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { anyAddress, stockShop } from '#tests/harness/shop.ts'
import { hiddenIn, look, post } from '#tests/harness/strangers.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({
  settings: {
    SHOP: 'on',
    PAYMENTS: 'test',
    RATE_LIMIT_SCALE: '1000',
    WITHDRAWAL_URL: 'https://example.com/withdrawal',
  },
})

it('L-02 asks a consumer about an order that costs something by its extras alone', async () => {
  await stockShop(test)
  const [code, name] = ['FREE', { en: 'Setup', de: 'Setup', ru: 'Setup' }]
  await transaction(test.app, 'system', async (tx) => {
    const free = { percent: 100, amount: null, editions: null, first_order_only: false, renewals: 0, uses: 9 }
    await makePromoCode(test.app, tx, { ...free, expires_at: null, note: '', code }, { by: null })
    await addExtra(tx, { slug: 'setup', kind: 'setup', net: 1000n, most: 1, edition: 'standard', name })
  })
  const { html } = await look(test, `/buy/standard-month?lang=en&country=DE&code=${code}`)
  expect(html).toContain('Pay €11.90 and order')
  expect(html).toContain('name="begin_now"')
  const typed = { email: 'anna@example.com', country: 'DE', ipv4: anyAddress(), code, act: 'pay' }
  const send = (more: Record<string, string>) =>
    post(test, '/buy/standard-month?lang=en', { ...hiddenIn(html), ...typed, ...more })
  expect((await send({})).status).toBe(400)
  expect((await send({ begin_now: 'yes' })).status).toBe(303)
})
