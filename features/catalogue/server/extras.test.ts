import { expect, it } from 'vitest'
import * as contract from '#features/catalogue/extra-contract.ts'
import { toMoney } from '#foundation/money.ts'
import { signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { sellLarge } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
await sellLarge(test)
const admin = await signedInStaff(test, { roles: ['admin'] })
const named = (en: string) => ({ en, de: `${en} (de)`, ru: `${en} (ru)` })

it('administrators add and change extras, with the version that they saw, and each change is in the audit', async () => {
  const body = {
    slug: 'migration',
    edition: 'large',
    kind: 'once',
    name: named('migration'),
    price_net: '1500',
    most: 2,
  } as const
  const billing = await signedInStaff(test, { roles: ['billing'] })
  expect((await billing.api.call(contract.addExtra, { body })).status).toBe(403)
  const added = bodyOf(await admin.api.call(contract.addExtra, { body }), 201)
  expect(added).toMatchObject({ ...body, price_net: toMoney(1500n, 'EUR'), is_active: true, version: 1 })
  expect(await admin.api.call(contract.addExtra, { body })).toMatchObject({ status: 409 })
  const fee = { ...body, slug: 'fee', kind: 'setup' } as const
  expect(await admin.api.call(contract.addExtra, { body: fee })).toMatchObject({
    status: 400,
    body: refusal(400, 'invalid', 'most'),
  })
  const change = (fields: object) =>
    admin.api.call(contract.changeExtra, {
      params: { slug: 'migration' },
      body: { version: added.version, ...fields },
    })
  const saved = bodyOf(await change({ price_net: '1600', name: { de: 'Umzug' } }), 200)
  expect(saved).toMatchObject({ price_net: { amount: '1600' }, name: { en: 'migration', de: 'Umzug' } })
  expect(await change({ most: 9 })).toMatchObject({
    status: 409,
    body: { present: { price_net: { amount: '1600' } } },
  })
  const { items } = bodyOf(await billing.api.call(contract.listExtras, {}), 200)
  expect(items.map(({ slug }) => slug)).toContain('migration')
  const acts = await asOwner(
    test,
    `select detail from audit where act = 'extra.changed' order by id desc limit 1`,
  )
  expect(acts[0]).toMatchObject({
    detail: { extra: 'migration', price_net: '1600', price_net_before: '1500' },
  })
})
