import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { listTransactions } from '#features/finance/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { getHost, listHosts } from '#features/hosts/contract.ts'
import { getInvoice, listInvoices } from '#features/invoices/contract.ts'
import { listPaidPeriods } from '#features/sales/contract.ts'
import { must } from '#foundation/must.ts'
import { bulk, freeServers, newServers, paidServers, previewOf } from '#tests/harness/bulk.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { agreed } from '#tests/harness/payers.ts'
import { anyAddress, buyer, orderHost, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
await sellLarge(test)
const NET = 1990n
/** Three times 19.90, with 19 % VAT on the sum. */
const THREE = 7104n
const plan = 'standard-month'

const balance = ({ user_id }: Customer) => balanceOf(test.app, test.app.db, user_id)
const chargesOf = async ({ api }: Customer) =>
  bodyOf(await api.call(listTransactions, { query: {} }), 200).items.filter(
    ({ type }) => type !== 'fill_balance',
  )
const invoicesOf = async ({ api }: Customer) => bodyOf(await api.call(listInvoices, { query: {} }), 200).items
const periodsOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(listPaidPeriods, { params: { hostId }, query: {} }), 200).items
const hostOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(getHost, { params: { hostId } }), 200)
const exact = async () => expect(await checkLedger(test.app.ownerUrl)).toMatchObject({ damages: [] })

describe('L-28 many servers at once', () => {
  it('are ordered by one charge and one invoice with a line for each server, at the price of the preview', async () => {
    const customer = await buyer(test, 10_000n)
    const hosts = newServers(3)
    const shown = bodyOf(await previewOf(customer, { act: 'order', hosts, plan }), 200)
    expect(shown).toMatchObject({
      expected_total: { amount: `${THREE}` },
      refused: [],
      payments: [
        {
          payer: null,
          net: { amount: `${3n * NET}` },
          charge: { amount: `${THREE}` },
          balance_after: { amount: `${10_000n - THREE}` },
          refusal: null,
        },
      ],
    })
    const prices = shown.servers.map(({ price }) => BigInt(price.amount))
    expect(prices.reduce((sum, price) => sum + price, 0n)).toBe(THREE)
    // The previews have written nothing.
    expect(bodyOf(await customer.api.call(listHosts, { query: {} }), 200).items).toEqual([])
    const done = bodyOf(await bulk(customer, { act: 'order', hosts, plan }), 200)
    expect(done.servers.map(({ name }) => name)).toEqual(['bulk-1', 'bulk-2', 'bulk-3'])
    expect(await balance(customer)).toBe(10_000n - THREE)
    expect(await chargesOf(customer)).toMatchObject([
      {
        type: 'spend',
        amount: { amount: `-${THREE}` },
        host_id: null,
        description: { code: 'licence_orders', params: { count: '3' } },
      },
    ])
    const [summary] = await invoicesOf(customer)
    const invoice = bodyOf(
      await customer.api.call(getInvoice, { params: { publicId: must(summary).id } }),
      200,
    )
    expect(invoice.lines.map(({ description, price }) => [description.params['host'], price.amount])).toEqual(
      hosts.map(({ name }) => [name, `${NET}`]),
    )
    expect(invoice.total.amount).toBe(`${THREE}`)
    for (const [place, { id }] of done.servers.entries())
      expect(await periodsOf(customer, id)).toMatchObject([
        { kind: 'order', total: { amount: `${must(prices[place])}` }, invoice_id: invoice.id },
      ])
    expect(await mistakesIn(test)).toEqual([])
    await exact()
  })
  it('are renewed by one charge, each server with its own plan and from its own end', async () => {
    const customer = await buyer(test, 100_000n)
    const month = await paidServers(customer, 2)
    const quarter = await paidServers(customer, 1, 'standard-quarter')
    const ends = await Promise.all([...month, ...quarter].map((id) => hostOf(customer, id)))
    const done = bodyOf(await bulk(customer, { act: 'renew', host_ids: [...quarter, ...month] }), 200)
    expect([done.transactions.length, done.invoices.length]).toEqual([1, 1])
    const net = 2n * NET + 5400n
    expect(done.invoices[0]?.total.amount).toBe(`${net + (net * 19n + 50n) / 100n}`)
    for (const { id, licence } of ends)
      expect((await periodsOf(customer, id))[0]).toMatchObject({
        kind: 'renewal',
        starts_at: licence.paid_until,
        term: licence.term,
      })
    expect(await mistakesIn(test)).toEqual([])
    await exact()
  })
  it('are all left unchanged if one is refused; the answer names each refused server with its reason', async () => {
    const customer = await buyer(test, 50_000n)
    const [good, bad] = await paidServers(customer, 2)
    const free = await addHost(customer.api, { name: 'no address' })
    await asOwner(
      test,
      `insert into suspensions (host_id, user_id, reason, text_public, text_internal)
       select id, user_id, 'other', '', 'x' from hosts where public_id = $1`,
      [must(bad)],
    )
    const before = [await balance(customer), (await chargesOf(customer)).length]
    const host_ids = [must(good), must(bad), free.id]
    const shown = bodyOf(await previewOf(customer, { act: 'renew', host_ids }), 200)
    const refused = [
      { host_id: bad, place: 1, name: 'bulk-2', code: 'host_suspended' },
      { host_id: free.id, place: 2, name: 'no address', code: 'plan_required' },
    ]
    expect(shown.refused).toEqual(refused)
    expect(shown.servers.map(({ host_id }) => host_id)).toEqual([good])
    const answer = await bulk(customer, { act: 'renew', host_ids })
    expect(answer).toMatchObject({ status: 409, body: refusal(409, 'servers_refused') })
    expect(answer.body).toMatchObject({ preview: { refused } })
    const withPlan = await bulk(customer, { act: 'renew', host_ids, plan })
    expect(withPlan.body).toMatchObject({
      preview: { refused: [{ code: 'host_suspended' }, { code: 'ipv4_required' }] },
    })
    expect([await balance(customer), (await chargesOf(customer)).length]).toEqual(before)
    expect(await periodsOf(customer, must(good))).toHaveLength(1)
  })
  it('are refused for an address that has a licence, twice in one order too', async () => {
    const [customer, other] = [await buyer(test, 50_000n), await buyer(test, 5_000n)]
    const ipv4 = anyAddress()
    bodyOf(await orderHost(other, { ipv4 }), 201)
    const twice = anyAddress()
    const hosts = [{ ipv4 }, { ipv4: twice }, { name: 'again', ipv4: twice }]
    const answer = await bulk(customer, { act: 'order', hosts, plan })
    expect(answer.body).toMatchObject({
      preview: {
        refused: [
          { host_id: null, place: 0, name: ipv4, code: 'ipv4_licensed' },
          { host_id: null, place: 2, name: 'again', code: 'ipv4_licensed' },
        ],
      },
    })
    expect(bodyOf(await customer.api.call(listHosts, { query: {} }), 200).items).toEqual([])
  })
  it('cost what was shown, or nothing is done; too little money refuses all', async () => {
    const customer = await buyer(test, THREE - 1n)
    const host_ids = await freeServers(customer, 3)
    const wrong = { expected_total: { amount: `${THREE - 1n}`, currency: 'EUR' } }
    const stale = await bulk(customer, { act: 'renew', host_ids, plan }, wrong)
    expect(stale.body).toMatchObject({
      ...refusal(409, 'price_changed'),
      preview: { expected_total: { amount: `${THREE}` } },
    })
    const poor = await bulk(customer, { act: 'renew', host_ids, plan })
    expect(poor.body).toMatchObject(refusal(402, 'insufficient_balance'))
    expect(bodyOf(await previewOf(customer, { act: 'renew', host_ids, plan }), 200).payments).toMatchObject([
      { refusal: 'insufficient_balance', balance_after: { amount: '-1' } },
    ])
    await addMoney(test.app, customer.user_id, 1n)
    const key = randomUUID()
    const [first, again] = [
      await bulk(customer, { act: 'renew', host_ids, plan }, { key }),
      await bulk(
        customer,
        { act: 'renew', host_ids, plan },
        { key, expected_total: { amount: `${THREE}`, currency: 'EUR' } },
      ),
    ]
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
    expect(await balance(customer)).toBe(0n)
  })
  it('are refused with a duplicate, a server of another customer, too many servers, or a missing or invalid field', async () => {
    const [customer, other] = [await buyer(test, 0n), await buyer(test, 0n)]
    const [own] = await freeServers(customer, 1)
    const [foreign] = await freeServers(other, 1)
    const ask = (body: object) => customer.api.post('/api/hosts/bulk/preview/', body)
    expect((await ask({ act: 'renew', host_ids: [own, own], plan })).body).toMatchObject(
      refusal(400, 'invalid', 'host_ids'),
    )
    expect((await ask({ act: 'renew', host_ids: [own, foreign], plan })).status).toBe(404)
    expect((await ask({ act: 'renew', host_ids: [own, 'x'.repeat(22)], plan })).status).toBe(404)
    const many = Array.from({ length: 201 }, (_, place) => String(place).padStart(22, 'x'))
    expect((await ask({ act: 'renew', host_ids: many, plan })).status).toBe(400)
    expect((await ask({ act: 'order', hosts: newServers(101), plan })).status).toBe(400)
    expect((await ask({ act: 'order', host_ids: [own], plan })).body).toMatchObject(
      refusal(400, 'required', 'hosts'),
    )
    expect((await ask({ act: 'upgrade', host_ids: [own] })).body).toMatchObject(
      refusal(400, 'required', 'plan'),
    )
    expect((await ask({ act: 'order', hosts: [{ ipv4: '1.2.3' }], plan })).status).toBe(400)
    expect((await other.api.call(getHost, { params: { hostId: must(foreign) } })).status).toBe(200)
  })
})

describe('L-28 servers that other accounts pay for', () => {
  it('are charged to each payer within its limit, by one invoice each; the owner is charged for the rest', async () => {
    const [owner, payer, second] = [
      await buyer(test, 10_000n),
      await buyer(test, 20_000n),
      await buyer(test, 10_000n),
    ]
    const ids = await freeServers(owner, 6)
    await agreed(owner, payer, { host_ids: ids.slice(0, 3) })
    await agreed(owner, second, { host_ids: ids.slice(3, 5), month_limit: '4736' })
    const shown = bodyOf(await previewOf(owner, { act: 'renew', host_ids: ids, plan }), 200)
    expect(shown.payments.map(({ charge, balance_after }) => [charge.amount, balance_after?.amount])).toEqual(
      [
        ['2368', '7632'],
        [`${THREE}`, undefined],
        ['4736', undefined],
      ],
    )
    const done = bodyOf(await bulk(owner, { act: 'renew', host_ids: ids, plan }), 200)
    expect([done.transactions.length, done.invoices.length]).toEqual([1, 1])
    expect([await balance(owner), await balance(payer), await balance(second)]).toEqual([
      10_000n - 2368n,
      20_000n - THREE,
      10_000n - 4736n,
    ])
    expect((await invoicesOf(payer)).map(({ total }) => total.amount)).toEqual([`${THREE}`])
    expect((await chargesOf(second)).map(({ type }) => type)).toEqual(['inner_spending'])
    // The limit of the second payer is used up, so the whole bulk is refused.
    expect((await bulk(owner, { act: 'renew', host_ids: ids })).body).toMatchObject(
      refusal(402, 'payment_limit_reached'),
    )
    expect(await balance(owner)).toBe(10_000n - 2368n)
    await exact()
  })
  it('are ordered at the cost of who pays for all servers', async () => {
    const [owner, payer] = [await buyer(test, 0n), await buyer(test, THREE)]
    await agreed(owner, payer)
    const hosts = newServers(3)
    expect(bodyOf(await previewOf(owner, { act: 'order', hosts, plan }), 200).payments).toMatchObject([
      { balance_after: null, refusal: null, charge: { amount: `${THREE}` } },
    ])
    bodyOf(await bulk(owner, { act: 'order', hosts, plan }), 200)
    expect([await balance(owner), await balance(payer)]).toEqual([0n, 0n])
  })
})

describe('L-28 settings of many servers', () => {
  it('switch automatic renewal on and off, and choose the plan at the end', async () => {
    const customer = await buyer(test, 50_000n)
    const host_ids = await paidServers(customer, 2)
    bodyOf(await bulk(customer, { act: 'auto_renew', host_ids }, { auto_renew: true }), 200)
    const shown = bodyOf(
      await previewOf(customer, { act: 'renewal_plan', host_ids, plan: 'standard-year' }),
      200,
    )
    expect(shown).toMatchObject({ payments: [], expected_total: { amount: `${2n * 23_681n}` } })
    bodyOf(await bulk(customer, { act: 'renewal_plan', host_ids, plan: 'standard-year' }), 200)
    for (const id of host_ids)
      expect(await hostOf(customer, id)).toMatchObject({
        auto_renew: true,
        licence: { renewal_plan: { slug: 'standard-year' } },
      })
    const free = await freeServers(customer, 1)
    const refused = await bulk(customer, {
      act: 'renewal_plan',
      host_ids: [...host_ids, ...free],
      plan: 'standard-month',
    })
    expect(refused.body).toMatchObject({ preview: { refused: [{ code: 'licence_not_running' }] } })
    expect((await hostOf(customer, must(host_ids[0]))).licence.renewal_plan?.slug).toBe('standard-year')
    bodyOf(await bulk(customer, { act: 'auto_renew', host_ids }, { auto_renew: false }), 200)
    expect((await hostOf(customer, must(host_ids[1]))).auto_renew).toBe(false)
    expect(
      (
        await customer.api.post(
          '/api/hosts/bulk/',
          { act: 'auto_renew', host_ids },
          {
            headers: { 'idempotency-key': randomUUID() },
          },
        )
      ).body,
    ).toMatchObject(refusal(400, 'required', 'auto_renew'))
  })
})
