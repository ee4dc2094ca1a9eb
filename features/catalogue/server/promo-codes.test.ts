import { expect, it } from 'vitest'
import { endPromoCode, listPromoCodes, makePromoCode } from '#features/catalogue/promo-contract.ts'
import { previewPromo } from '#features/licences/contract.ts'
import { toMoney } from '#foundation/money.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
await stockShop(test)
const staff = await signedInStaff(test, { roles: ['billing'] })

it('rule 66: staff make a promo code, see its uses, and end it; a code is never given twice', async () => {
  const body = { code: 'Fair-24', percent: 15, editions: ['standard'], renewals: 2, uses: 10, note: 'Fair' }
  const made = bodyOf(await staff.api.call(makePromoCode, { body }), 201)
  expect(made).toMatchObject({ code: 'FAIR-24', percent: 15, amount: null, used: 0, state: 'live' })
  expect(await staff.api.call(makePromoCode, { body: { ...body, code: 'FAIR-24' } })).toMatchObject({
    status: 409,
    body: { errors: [{ code: 'promo_code_taken', param: 'code' }] },
  })
  const amount = toMoney(500n, 'EUR')
  const wrong = [
    { ...body, code: 'BOTH', amount },
    { code: 'NONE', uses: 1 },
    { ...body, code: 'ELSE', editions: ['nothing'] },
    { ...body, code: 'PAST', expires_at: '2020-01-01T00:00:00Z' },
  ]
  for (const one of wrong)
    expect((await staff.api.call(makePromoCode, { body: one })).status, one.code).toBe(400)
  const customer = await signedInCustomer(test)
  const shown = await customer.api.call(previewPromo, { body: { code: 'fair-24' } })
  expect(bodyOf(shown, 200)).toMatchObject({ code: 'FAIR-24', renewals: 2 })
  expect(bodyOf(await staff.api.call(endPromoCode, { params: { id: made.id } }), 200).state).toBe('ended')
  const { items } = bodyOf(await staff.api.call(listPromoCodes, { query: {} }), 200)
  expect(items).toMatchObject([{ code: 'FAIR-24', state: 'ended', made_by: { id: staff.user_id } }])
  expect(await customer.api.call(previewPromo, { body: { code: 'FAIR-24' } })).toMatchObject({
    status: 409,
    body: { errors: [{ code: 'promo_expired', param: 'promo' }] },
  })
})
