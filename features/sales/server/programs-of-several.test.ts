import { expect, it } from 'vitest'
import { listTransactions } from '#features/finance/contract.ts'
import { listHosts } from '#features/hosts/contract.ts'
import { getInvoice, listInvoices } from '#features/invoices/contract.ts'
import { addExtra, makePromoCode } from '#features/licences/server/licences.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { bulk, previewOf } from '#tests/harness/bulk.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { begunCheckout, checkoutState, paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { sellProgram } from '#tests/harness/programs.ts'
import { anyAddress, buyer, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
await sellProgram(test)
const plan = 'agent-solo-month'
const named = (text: string) => ({ en: text, de: text, ru: text })
await transaction(test.app, 'system', async (tx) => {
  const of = { edition: 'agent-solo', most: 9 } as const
  await addExtra(tx, { ...of, slug: 'setup', kind: 'setup', net: 500n, most: 1, name: named('Setup') })
  await addExtra(tx, { ...of, slug: 'storage', kind: 'addon', net: 200n, name: named('Storage') })
  const once = { percent: null, amount: 1000n, editions: null, first_order_only: true, renewals: 0, uses: 9 }
  await makePromoCode(test.app, tx, { ...once, expires_at: null, note: '', code: 'TEAM' }, { by: null })
})

const hostsOf = async ({ api }: Customer) => bodyOf(await api.call(listHosts, { query: {} }), 200).items
const chargesOf = async ({ api }: Customer) =>
  bodyOf(await api.call(listTransactions, { query: {} }), 200).items.filter(({ type }) => type === 'spend')
const extras = [{ extra: 'storage', quantity: 2 }]
const hosts = ['laptop', 'desktop', ''].map((name) => ({ name, extras }))
// Three times 10.00 with a fee of 5.00 and storage of 4.00, less 10.00, with 19 % VAT.
const TOTAL = 5593n

it('L-28, L-41 several licences of a program are ordered at once, with extras and a promo code, by one charge and one invoice', async () => {
  const customer = await buyer(test, 10_000n)
  const order = { act: 'order', hosts, plan, promo: 'team' } as const
  const shown = bodyOf(await previewOf(customer, order), 200)
  expect(shown).toMatchObject({ refused: [], expected_total: toMoney(TOTAL, 'EUR') })
  expect(shown.servers.map(({ name }) => name)).toEqual(['laptop', 'desktop', ''])
  const done = bodyOf(await bulk(customer, order), 200)
  expect(done.servers.map(({ name }) => name)).toEqual(['laptop', 'desktop', expect.stringMatching(/./)])
  for (const host of await hostsOf(customer))
    expect(host).toMatchObject({
      product: { slug: 'backup-agent' },
      ipv4: null,
      licence: { status: 'active' },
    })
  expect(await chargesOf(customer)).toMatchObject([{ amount: toMoney(-TOTAL, 'EUR') }])
  const [invoice] = bodyOf(await customer.api.call(listInvoices, { query: {} }), 200).items
  const { lines } = bodyOf(
    await customer.api.call(getInvoice, { params: { publicId: must(invoice).id } }),
    200,
  )
  expect(lines.map(({ description, quantity }) => [description.code, quantity])).toEqual(
    [1, 2, 3].flatMap(() => [
      ['licence_order', '1'],
      ['extra', '1'],
      ['extra', '2'],
    ]),
  )
  expect(await mistakesIn(test)).toEqual([])
})

it('L-28 an order for several licences of a program pays itself', async () => {
  const customer = await buyer(test, 0n)
  const wish = { act: 'order', hosts, plan, promo: 'TEAM' } as const
  const { expected_total } = bodyOf(await previewOf(customer, wish), 200)
  const { id } = await begunCheckout(customer, {
    for: 'bulk',
    bulk: { act: 'order', hosts },
    plan,
    promo: 'TEAM',
    expected_total,
  })
  expect(await hostsOf(customer)).toEqual([])
  await postPayment(test, paymentEvent(id, 'paid'))
  expect(await checkoutState(customer, id)).toMatchObject({ state: 'done' })
  expect((await hostsOf(customer)).map(({ product }) => product?.slug)).toEqual(Array(3).fill('backup-agent'))
  expect(await mistakesIn(test)).toEqual([])
})

it('L-41 a program is refused an address, and a server the lack of one, by the preview and by the order', async () => {
  const customer = await buyer(test, 10_000n)
  const act = 'order' as const
  const at = { act, hosts: [{ name: 'laptop', ipv4: anyAddress() }], plan }
  for (const answer of [
    await previewOf(customer, at),
    await bulk(customer, at, { expected_total: toMoney(1190n, 'EUR') }),
  ])
    expect(answer).toMatchObject({ status: 400, body: refusal(400, 'invalid') })
  const without = { act, hosts: [{ name: 'web' }], plan: 'standard-month' }
  expect(bodyOf(await previewOf(customer, without), 200).refused).toMatchObject([
    { place: 0, code: 'ipv4_required' },
  ])
  expect((await bulk(customer, without)).body).toMatchObject(refusal(409, 'servers_refused'))
  expect(await hostsOf(customer)).toEqual([])
  expect(await chargesOf(customer)).toEqual([])
})
