import { expect, it } from 'vitest'
import { updateHost } from '#features/hosts/contract.ts'
import { getVatStatus } from '#features/invoices/contract.ts'
import { listPlans } from '#features/licences/contract.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { newServers, paidServers, previewOf } from '#tests/harness/bulk.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { buyer, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { changePlan } from '#features/licences/server/licences.ts'

const test = await startTestApp()
await stockShop(test)

it('L-28 a preview of 20 new servers starts each of them at once, whatever servers other customers have', async () => {
  const other = await buyer(test, 20_000n)
  await paidServers(other, 3)
  const rows = (await asOwner(test, 'select id from hosts order by id limit 1')) as { id: string }[]
  expect(Number(must(rows[0]).id)).toBeLessThan(20)
  const customer = await buyer(test, 100_000n)
  const wish = { act: 'order' as const, hosts: newServers(20), plan: 'standard-month' }
  const { servers, as_of } = bodyOf(await previewOf(customer, wish), 200)
  expect(new Set(servers.map(({ starts_at }) => starts_at))).toEqual(new Set([as_of]))
})

// Seen red while the prices of a small business said nothing of its kind, and the page showed "VAT 0%".
it('rule 62: the prices of a small business and the mail about a rise say why there is no VAT, and others say nothing of it', async () => {
  const customer = await buyer(test, 20_000n)
  const [hostId] = await paidServers(customer, 1)
  await customer.api.call(updateHost, { params: { hostId: must(hostId) }, body: { auto_renew: true } })
  const shown = async () => {
    const plan = must(bodyOf(await customer.api.call(listPlans, { query: {} }), 200).items[0])
    const wish = { act: 'order' as const, hosts: newServers(1), plan: plan.slug }
    const { payments } = bodyOf(await previewOf(customer, wish), 200)
    return [plan, must(payments[0])].map(({ vat_note, vat }) => ({ vat_note, vat: vat.amount }))
  }
  const said = { vat_note: undefined, vat: '378' }
  expect(await shown()).toEqual([said, said])
  const { company } = test.app.config
  const before = company.smallBusiness
  Object.assign(company, { smallBusiness: [{ from: '2020-01-01', until: undefined }] })
  try {
    // Without the sentence in the seller's language, which the law wants on documents.
    const vat_note = { code: 'small_business', params: { law: '§ 19 UStG', statement: '' } }
    expect(await shown()).toEqual([
      { vat_note, vat: '0' },
      { vat_note, vat: '0' },
    ])
    await transaction(test.app, 'system', (tx) =>
      changePlan(test.app, tx, 'standard-month', { price_net: 2990n }, { by: 'command line' }),
    )
    const { text } = await test.mails.about(customer.email, / will cost €29\.90 from .+$/)
    expect(text).toContain('No VAT is charged: exemption for small businesses (§ 19 UStG).')
    expect(text).not.toContain('VAT included')
    // A VAT id that nobody has confirmed changes nothing for a consumer who is taxed as at home.
    const stateOf = async (country: string, vat_id: string) => {
      await customer.api.call(updateProfile, { body: { country, vat_id } })
      return bodyOf(await customer.api.call(getVatStatus, {}), 200).state
    }
    expect(await stateOf('AT', 'FR40303265045')).toBe('not_needed')
  } finally {
    Object.assign(company, { smallBusiness: before })
  }
  expect(bodyOf(await customer.api.call(getVatStatus, {}), 200).state).toBe('other_country')
})
