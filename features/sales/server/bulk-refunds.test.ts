import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { customerTransactions } from '#features/finance/contract.ts'
import { refundTransaction } from '#features/sales/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { getHost } from '#features/hosts/contract.ts'
import { getInvoice, listInvoices, reissueInvoice } from '#features/invoices/contract.ts'
import {
  listPaidPeriods,
  listPaidServers,
  listWithdrawals,
  previewUpgrade,
  upgradeLicence,
  withdrawLicence,
} from '#features/sales/contract.ts'
import { personalFiles } from '#features/profile/server/profile.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { bulk, newServers, paidServers, previewOf } from '#tests/harness/bulk.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { agreed } from '#tests/harness/payers.ts'
import { buyer, passTime, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { believePlace } from '#tests/harness/vat-proof.ts'

const url = 'https://nordic.example/withdrawal'
const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000', STAFF_APPROVALS: 'off' } })
const withdrawing = await startTestApp({ settings: { WITHDRAWAL_URL: url, STAFF_APPROVALS: 'off' } })
await stockShop(test)
await stockShop(withdrawing)
await sellLarge(test)
const billing = await signedInStaff(test, { roles: ['billing'] })
const THREE = 7104n
const plan = 'standard-month'

const balance = ({ user_id }: Customer) => balanceOf(test.app, test.app.db, user_id)
const periodsOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(listPaidPeriods, { params: { hostId }, query: {} }), 200).items
const exact = async (at = test) => {
  expect(await checkLedger(at.app.ownerUrl)).toMatchObject({ damages: [] })
  expect(await mistakesIn(at)).toEqual([])
}
const paymentOf = async (customer: Customer) =>
  must(
    bodyOf(
      await billing.api.call(customerTransactions, { params: { userId: customer.user_id }, query: {} }),
      200,
    ).items.find(({ type }) => type === 'spend' || type === 'inner_spending'),
  )
const serversOf = async (customer: Customer) => {
  const { id } = await paymentOf(customer)
  const params = { userId: customer.user_id, id }
  return bodyOf(await billing.api.call(listPaidServers, { params }), 200).items
}
const refund = async (customer: Customer, body: { amount?: string; order_id?: string } = {}) =>
  billing.api.call(refundTransaction, {
    params: { userId: customer.user_id, id: (await paymentOf(customer)).id },
    headers: { 'idempotency-key': randomUUID() },
    body: { ...body, reason: 'as agreed' },
  })

describe('L-29 a refund of a charge for several servers', () => {
  it('for one of them pays back its exact share, names that server in the credit note, and ends only its runtime', async () => {
    const customer = await buyer(test, 10_000n)
    const ids = await paidServers(customer, 3)
    const servers = await serversOf(customer)
    expect(servers.map(({ host }) => host.id)).toEqual(ids)
    expect(servers.reduce((sum, { left }) => sum + BigInt(left.amount), 0n)).toBe(THREE)
    const second = must(servers[1])
    const back = bodyOf(await refund(customer, { order_id: second.order_id }), 201)
    expect(back).toMatchObject({
      amount: second.left,
      host_id: ids[1],
      description: { code: 'refund_of_host', params: { host: 'bulk-2' } },
    })
    const note = bodyOf(
      await customer.api.call(getInvoice, { params: { publicId: must(back.invoice_id) } }),
      200,
    )
    expect(note.lines).toMatchObject([
      { description: { code: 'refund_of_host', params: { host: 'bulk-2' } }, price: { amount: '1990' } },
    ])
    const ended = await Promise.all(ids.map(async (id) => must((await periodsOf(customer, id))[0]).ended))
    expect(ended).toEqual([null, 'refunded', null])
    await exact()
    // The other two servers are refunded, one of them in two parts, until the whole charge is back.
    const [first, , third] = await serversOf(customer)
    bodyOf(await refund(customer, { order_id: must(first).order_id, amount: '1001' }), 201)
    expect((await periodsOf(customer, must(ids[0])))[0]?.ended).toBe(null)
    await exact()
    bodyOf(await refund(customer, { order_id: must(first).order_id }), 201)
    bodyOf(await refund(customer, { order_id: must(third).order_id }), 201)
    expect(await balance(customer)).toBe(10_000n)
    expect((await refund(customer, { order_id: second.order_id })).body).toMatchObject(
      refusal(409, 'not_refundable'),
    )
    await exact()
  })
  it('of a part of it has to name the order; all of it at once need not, and ends all', async () => {
    const [customer, other] = [await buyer(test, 10_000n), await buyer(test, 10_000n)]
    const ids = await paidServers(customer, 3)
    await paidServers(other, 2)
    expect((await refund(customer, { amount: '100' })).body).toMatchObject(
      refusal(400, 'required', 'order_id'),
    )
    const foreign = must((await serversOf(other))[0]).order_id
    expect((await refund(customer, { order_id: foreign })).status).toBe(404)
    const [first] = await serversOf(customer)
    const more = `${BigInt(must(first).left.amount) + 1n}`
    expect((await refund(customer, { order_id: must(first).order_id, amount: more })).body).toMatchObject(
      refusal(409, 'not_refundable'),
    )
    bodyOf(await refund(customer), 201)
    expect(await balance(customer)).toBe(10_000n)
    for (const id of ids) expect(await periodsOf(customer, id)).toMatchObject([{ ended: 'refunded' }])
    await exact()
  })
  it('counts once for the limit of a payer, and goes to the payer', async () => {
    const [owner, payer] = [await buyer(test, 0n), await buyer(test, 20_000n)]
    await agreed(owner, payer, { month_limit: '10000' })
    await paidServers(owner, 3)
    const [first] = await serversOf(payer)
    bodyOf(await refund(payer, { order_id: must(first).order_id }), 201)
    expect(await balance(payer)).toBe(20_000n - THREE + BigInt(must(first).left.amount))
    const spent = THREE - BigInt(must(first).left.amount)
    // One more server costs 23.68: the limit of the month has room for two more, and not for a third.
    const left = (10_000n - spent) / 2368n
    expect(left).toBe(2n)
    for (let more = 0n; more < left; more += 1n)
      expect((await bulk(owner, { act: 'order', hosts: newServers(1), plan })).status).toBe(200)
    expect((await bulk(owner, { act: 'order', hosts: newServers(1), plan })).body).toMatchObject(
      refusal(402, 'payment_limit_reached'),
    )
    await exact()
  })
  it('follows a reissue at another VAT', async () => {
    const customer = await buyer(test, 10_000n)
    const ids = await paidServers(customer, 3)
    await believePlace(test, customer.user_id, 'CH')
    const [summary] = bodyOf(await customer.api.call(listInvoices, { query: {} }), 200).items
    const buyerOf = { company: '', street: 'Via 1', apartment: '', zip: '6900', city: 'Lugano', state: '' }
    bodyOf(
      await billing.api.call(reissueInvoice, {
        params: { publicId: must(summary).id },
        headers: { 'idempotency-key': randomUUID() },
        body: {
          buyer: { ...buyerOf, name: 'Ada', country: 'CH', vat_id: '' },
          vat: 'decide',
          reason: 'moved',
        },
      }),
      201,
    )
    expect((await serversOf(customer)).map(({ left }) => left.amount)).toEqual(['1990', '1990', '1990'])
    bodyOf(await refund(customer, { order_id: must((await serversOf(customer))[2]).order_id }), 201)
    expect(await balance(customer)).toBe(10_000n - 2n * 1990n)
    expect((await periodsOf(customer, must(ids[2])))[0]?.ended).toBe('refunded')
    expect(await checkLedger(test.app.ownerUrl)).toMatchObject({ damages: [] })
  })
})

describe('L-29 upgrades of servers that were paid by one charge', () => {
  it('credit each one its share, alone or many at once, and charge once', async () => {
    const customer = await buyer(test, 60_000n)
    const ids = await paidServers(customer, 3)
    await passTime(test, 10)
    const [first, ...others] = ids
    const wish = { plan: 'large-month', scope: 'all' } as const
    const params = { hostId: must(first) }
    const alone = bodyOf(await customer.api.call(previewUpgrade, { params, body: wish }), 200)
    const headers = { 'idempotency-key': randomUUID() }
    const body = { ...wish, expected_total: alone.pay_now, as_of: alone.as_of }
    bodyOf(await customer.api.call(upgradeLicence, { params, headers, body }), 201)
    // Queued time is exchanged, too, by a second charge, because a charge has each server only once.
    bodyOf(await bulk(customer, { act: 'renew', host_ids: [must(others[0])] }), 200)
    const before = await balance(customer)
    const shown = bodyOf(
      await previewOf(customer, { act: 'upgrade', host_ids: others, plan: wish.plan }),
      200,
    )
    const asShown = { expected_total: shown.expected_total, as_of: shown.as_of }
    const done = bodyOf(
      await bulk(customer, { act: 'upgrade', host_ids: others, plan: wish.plan }, asShown),
      200,
    )
    expect(done.invoices).toHaveLength(2)
    expect(done.transactions.map(({ description }) => description.code)).toEqual([
      'upgrade_credit',
      'upgrade_credit',
      'upgrade_credit',
      'licence_upgrades',
      'licence_upgrade',
    ])
    expect(await balance(customer)).toBe(before - BigInt(shown.expected_total.amount))
    expect(shown.payments[0]?.balance_after?.amount).toBe(`${await balance(customer)}`)
    for (const id of others)
      expect(
        bodyOf(await customer.api.call(getHost, { params: { hostId: id } }), 200).licence.plan?.slug,
      ).toBe('large-month')
    const again = await bulk(
      customer,
      { act: 'upgrade', host_ids: others, plan: wish.plan },
      { expected_total: shown.expected_total },
    )
    expect(again.body).toMatchObject({
      ...refusal(409, 'servers_refused'),
      preview: { refused: [{ code: 'not_an_upgrade' }, { code: 'not_an_upgrade' }] },
    })
    await exact()
  })
})

describe('L-29 consumers', () => {
  it('withdraw from the order for one of three servers; the refund is proposed and booked for that server alone', async () => {
    const customer = await buyer(withdrawing, 10_000n)
    const staff = await signedInStaff(withdrawing, { roles: ['billing'] })
    const hosts = newServers(3)
    expect((await bulk(customer, { act: 'order', hosts, plan })).body).toMatchObject(
      refusal(400, 'required', 'begin_now'),
    )
    const { servers } = bodyOf(await bulk(customer, { act: 'order', hosts, plan }, { begin_now: true }), 200)
    const [first, second] = servers.map(({ id }) => id)
    const withdraw = async (hostId: string) => {
      const order_id = must((await periodsOf(customer, hostId))[0]?.withdrawal).order_id
      return bodyOf(await customer.api.call(withdrawLicence, { params: { hostId }, body: { order_id } }), 201)
    }
    expect(BigInt((await withdraw(must(first))).proposed_refund.amount)).toBeLessThanOrEqual(2368n)
    await withdraw(must(second))
    const waiting = async () =>
      bodyOf(await staff.api.call(listWithdrawals, { query: {} }), 200).items.filter(
        ({ customer: { id } }) => id === customer.user_id,
      )
    const [one] = await waiting()
    const { order_id, transaction: paid } = must(one)
    bodyOf(
      await staff.api.call(refundTransaction, {
        params: { userId: customer.user_id, id: paid.id },
        headers: { 'idempotency-key': randomUUID() },
        body: { order_id, reason: 'withdrawn' },
      }),
      201,
    )
    expect((await waiting()).map((left) => left.order_id === order_id)).toEqual([false])
    const files = await transaction(withdrawing.app, 'system', (tx) =>
      personalFiles(withdrawing.app, tx, customer.user_id),
    )
    const file = must(files.find(({ path }) => path === 'licences.json'))
    expect(JSON.stringify(await file.read())).toContain(order_id)
    await exact(withdrawing)
  })
})
