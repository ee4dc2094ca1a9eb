import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { getFinances, listTransactions } from '#features/finance/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { bookRefund } from './book-refund.ts'
import { updateHost } from '#features/hosts/contract.ts'
import { listInvoices } from '#features/invoices/contract.ts'
import * as sales from '#features/sales/contract.ts'
import * as payers from '#features/payers/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { agreed } from '#tests/harness/payers.ts'
import {
  anyAddress,
  buyer,
  doLicenceJobs,
  orderHost,
  orderLicence,
  passTime,
  sellLarge,
  stockShop,
} from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
const PRICE = 2368n
await sellLarge(test)

const balance = ({ user_id }: Customer) => balanceOf(test.app, test.app.db, user_id)
const transactionsOf = async ({ api }: Customer) =>
  bodyOf(await api.call(listTransactions, { query: {} }), 200).items
const invoicesOf = async ({ api }: Customer) => bodyOf(await api.call(listInvoices, { query: {} }), 200).items
const periodsOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(sales.listPaidPeriods, { params: { hostId }, query: {} }), 200).items
const agreementOf = async ({ api }: Customer) =>
  must(bodyOf(await api.call(payers.listAgreements, { query: { side: 'payer' } }), 200).items[0])
const exact = async () => expect(await checkLedger(test.app.ownerUrl)).toMatchObject({ damages: [] })

/** An owner without money, a payer with some, and a server of the owner for which the payer pays. */
async function paidFor(money: bigint, terms: { pays?: 'renewals' | 'all'; month_limit?: string } = {}) {
  const [owner, payer] = [await buyer(test, 0n), await buyer(test, money)]
  const host = await addHost(owner.api, { name: 'client', ipv4: anyAddress() })
  const agreement = await agreed(owner, payer, { host_ids: [host.id], ...terms })
  return { owner, payer, hostId: host.id, agreement }
}

describe('Y-04 an order for a server that another account pays for', () => {
  it('takes the money of the payer, with an invoice to the payer; the owner sees the runtime alone', async () => {
    const { owner, payer, hostId } = await paidFor(10_000n)
    const ordered = await orderLicence(owner, hostId)
    expect(ordered.status).toBe(200)
    expect(Object.keys(ordered.body)).toEqual(['host'])
    expect([await balance(owner), await balance(payer)]).toEqual([0n, 10_000n - PRICE])
    expect(await transactionsOf(payer)).toMatchObject([
      { type: 'inner_spending', amount: { amount: `-${PRICE}` }, host_id: hostId },
      { type: 'fill_balance' },
    ])
    expect(await invoicesOf(payer)).toMatchObject([{ kind: 'invoice', total: { amount: `${PRICE}` } }])
    expect([await transactionsOf(owner), await invoicesOf(owner)]).toEqual([[], []])
    expect(await periodsOf(owner, hostId)).toMatchObject([{ kind: 'order', invoice_id: null }])
    expect((await agreementOf(payer)).spent_this_month.amount).toBe(`${PRICE}`)
    // The same key answers the same, and charges nothing.
    const key = randomUUID()
    const [first, again] = [
      await orderLicence(owner, hostId, { key }),
      await orderLicence(owner, hostId, { key }),
    ]
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect(await balance(payer)).toBe(10_000n - 2n * PRICE)
  })
  it('is refused with nothing written where the payer has too little, above the limit, or is blocked', async () => {
    const poor = await paidFor(PRICE - 1n)
    await addMoney(test.app, poor.owner.user_id, 10_000n)
    const short = await orderLicence(poor.owner, poor.hostId)
    expect(short.body).toMatchObject(refusal(402, 'insufficient_balance'))
    const limited = await paidFor(10_000n, { month_limit: `${2n * PRICE - 1n}` })
    expect((await orderLicence(limited.owner, limited.hostId)).status).toBe(200)
    const above = await orderLicence(limited.owner, limited.hostId)
    expect(above.body).toMatchObject(refusal(402, 'payment_limit_reached'))
    expect(JSON.stringify(above.body)).toContain('Insufficient payment owner balance')
    const closed = await paidFor(10_000n)
    await asOwner(test, `update users set is_active = false where id = $1`, [closed.payer.user_id])
    expect((await orderLicence(closed.owner, closed.hostId)).body).toMatchObject(
      refusal(402, 'insufficient_balance'),
    )
    expect([await balance(poor.owner), await balance(poor.payer)]).toEqual([10_000n, PRICE - 1n])
    expect(await balance(limited.payer)).toBe(10_000n - PRICE)
  })
  it('is paid by the owner where the agreement is about renewals, which the payer pays', async () => {
    const { owner, payer, hostId } = await paidFor(10_000n, { pays: 'renewals' })
    await addMoney(test.app, owner.user_id, PRICE)
    const { host } = bodyOf(await orderLicence(owner, hostId), 201)
    bodyOf(await owner.api.call(updateHost, { params: { hostId }, body: { auto_renew: true } }), 200)
    expect(bodyOf(await payer.api.call(getFinances, {}), 200)).toMatchObject({
      balance: { amount: '10000' },
    })
    await passTime(test, Math.round(host.licence.remaining_s / 86_400) - 1 + 1 / 1440)
    await doLicenceJobs(test)
    expect([await balance(owner), await balance(payer)]).toEqual([0n, 10_000n - PRICE])
    expect(
      (await periodsOf(owner, hostId)).map(({ kind, invoice_id }) => [kind, invoice_id === null]),
    ).toEqual([
      ['auto_renewal', true],
      ['order', false],
    ])
    await exact()
  })
  it('is announced without an amount to the owner; a renewal that cannot be paid is said to both, and made up for by the payer', async () => {
    const { owner, payer, hostId } = await paidFor(PRICE, { pays: 'all' })
    const { host } = (await orderLicence(owner, hostId)).body as { host: sales.Ordered['host'] }
    bodyOf(await owner.api.call(updateHost, { params: { hostId }, body: { auto_renew: true } }), 200)
    const days = Math.round(host.licence.remaining_s / 86_400)
    await passTime(test, days - 7 + 1 / 1440)
    await doLicenceJobs(test)
    const announced = await test.mails.about(owner.email, / will be renewed$/)
    expect(announced.text).toContain('pays for it')
    expect(announced.text).not.toContain('€')
    // A server's name goes to the payer as words, and as it is to the owner, who may have typed it.
    const name = 'https://evil.example.com/client'
    bodyOf(await owner.api.call(updateHost, { params: { hostId }, body: { name } }), 200)
    await passTime(test, 6)
    await doLicenceJobs(test)
    const failed = await test.mails.about(owner.email, `We couldn’t renew the licence of ${name}`)
    expect(failed.subject).toContain(name)
    expect(failed.text).toContain('can’t at the moment')
    const words = 'You couldn’t pay for evil[.]example[.]com/client'
    const asked = await test.mails.about(payer.email, words)
    expect(asked.subject).toContain(words)
    expect(`${asked.text} ${String(asked.html)}`).not.toContain('evil.example')
    expect(asked.text).toContain('your balance is €0.00')
    expect(await balance(owner)).toBe(0n)
    await addMoney(test.app, payer.user_id, PRICE)
    // The app's own worker may have taken the job.
    await vi.waitFor(
      async () => {
        await doLicenceJobs(test)
        expect(await balance(payer)).toBe(0n)
      },
      { timeout: 10_000 },
    )
    expect((await periodsOf(owner, hostId)).map(({ kind }) => kind)).toEqual(['auto_renewal', 'order'])
  })
  it('joins an agreement about all servers when it makes one', async () => {
    const [owner, payer] = [await buyer(test, 0n), await buyer(test, 10_000n)]
    await agreed(owner, payer)
    expect((await orderHost(owner)).status).toBe(200)
    expect(await balance(payer)).toBe(10_000n - PRICE)
  })
})

describe('Y-05 what a payer has paid', () => {
  it('comes back to the payer, also when the agreement is over, and counts no more in its month', async () => {
    const { owner, payer, hostId, agreement } = await paidFor(10_000n, { month_limit: '3000' })
    await orderLicence(owner, hostId)
    const paid = must((await transactionsOf(payer))[0])
    const refund = (amount: bigint) =>
      transaction(test.app, 'system', (tx) =>
        bookRefund(test.app, tx, { user_id: payer.user_id, transaction_id: paid.id, amount, reason: 'x' }),
      )
    await refund(1000n)
    expect((await agreementOf(payer)).spent_this_month.amount).toBe(`${PRICE - 1000n}`)
    bodyOf(
      await payer.api.call(payers.deleteAgreement, { params: { agreementId: agreement.id }, query: {} }),
      204,
    )
    await refund(PRICE - 1000n)
    expect([await balance(owner), await balance(payer)]).toEqual([0n, 10_000n])
    expect((await transactionsOf(payer)).map(({ type }) => type)).toEqual([
      'inner_refund',
      'inner_refund',
      'inner_spending',
      'fill_balance',
    ])
    expect(await periodsOf(owner, hostId)).toMatchObject([{ ended: 'refunded' }])
    // From now on the owner pays.
    expect((await orderLicence(owner, hostId)).body).toMatchObject(refusal(402, 'insufficient_balance'))
    await exact()
  })
  it('is credited to the payer by an upgrade that the owner pays', async () => {
    const { owner, payer, hostId, agreement } = await paidFor(10_000n)
    await orderLicence(owner, hostId)
    bodyOf(
      await owner.api.call(payers.deleteAgreement, { params: { agreementId: agreement.id }, query: {} }),
      204,
    )
    await addMoney(test.app, owner.user_id, 10_000n)
    const params = { hostId }
    const wish = { plan: 'large-month', scope: 'all' } as const
    const preview = bodyOf(
      await owner.api.call(sales.previewUpgrade, { params, body: { ...wish, when: 'now' } }),
      200,
    )
    // The credit goes to the payer, so the owner has to pay the whole price.
    expect(preview.pay_now).toEqual(preview.charge)
    expect(preview.credit_apart).toEqual(preview.credit)
    expect(BigInt(preview.credit.amount)).toBeGreaterThan(0n)
    expect(preview.periods.map(({ credited_apart }) => credited_apart)).toEqual([true])
    expect(preview.balance_after.amount).toBe(`${10_000n - BigInt(preview.charge.amount)}`)
    const upgraded = bodyOf(
      await owner.api.call(sales.upgradeLicence, {
        params,
        headers: { 'idempotency-key': randomUUID() },
        body: { ...wish, expected_total: preview.pay_now, as_of: preview.as_of },
      }),
      201,
    )
    expect([upgraded.credits.length, upgraded.charges.length]).toEqual([0, 1])
    expect(await balance(owner)).toBe(10_000n - BigInt(preview.charge.amount))
    expect(await balance(payer)).toBe(10_000n - PRICE + BigInt(preview.credit.amount))
    await exact()
  })
  it('is credited and charged to the payer by an upgrade under the agreement', async () => {
    const { owner, payer, hostId } = await paidFor(20_000n)
    await orderLicence(owner, hostId)
    const params = { hostId }
    const wish = { plan: 'large-month', scope: 'all' } as const
    const preview = bodyOf(
      await owner.api.call(sales.previewUpgrade, { params, body: { ...wish, when: 'now' } }),
      200,
    )
    expect(preview.balance_after.amount).toBe('0')
    expect([preview.credit_apart.amount, preview.periods[0]?.credited_apart]).toEqual(['0', false])
    const headers = { 'idempotency-key': randomUUID() }
    const body = { ...wish, expected_total: preview.pay_now, as_of: preview.as_of }
    const upgraded = bodyOf(await owner.api.call(sales.upgradeLicence, { params, headers, body }), 201)
    expect([upgraded.credits, upgraded.charges]).toEqual([[], []])
    expect(await balance(payer)).toBe(20_000n - PRICE - BigInt(preview.pay_now.amount))
    expect((await agreementOf(payer)).spent_this_month.amount).toBe(
      `${PRICE + BigInt(preview.pay_now.amount)}`,
    )
    await exact()
  })
})

describe('Y-06 many at once', () => {
  it('spend one balance exactly', async () => {
    const [owner, payer] = [await buyer(test, 0n), await buyer(test, 5n * PRICE + 7n)]
    await agreed(owner, payer)
    const hosts = []
    for (let place = 0; place < 12; place += 1) hosts.push(await addHost(owner.api, { ipv4: anyAddress() }))
    const answers = await Promise.all(hosts.map(({ id }) => untilAnswered(() => orderLicence(owner, id))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    for (const { status, body } of answers)
      if (status !== 200) expect(body).toMatchObject(refusal(402, 'insufficient_balance'))
    expect(await balance(payer)).toBe(7n)
  })
  it('spend one limit of a month exactly, and an end is before a charge or after it', async () => {
    const [owner, payer] = [await buyer(test, 0n), await buyer(test, 20n * PRICE)]
    const agreement = await agreed(owner, payer, { month_limit: `${3n * PRICE}` })
    const hosts = []
    for (let place = 0; place < 8; place += 1) hosts.push(await addHost(owner.api, { ipv4: anyAddress() }))
    const answers = await Promise.all(hosts.map(({ id }) => untilAnswered(() => orderLicence(owner, id))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect((await agreementOf(payer)).spent_this_month.amount).toBe(`${3n * PRICE}`)
    const params = { agreementId: agreement.id }
    const present = await agreementOf(payer)
    bodyOf(
      await payer.api.call(payers.updateAgreement, {
        params,
        body: { month_limit: null, version: present.version },
      }),
      200,
    )
    const [ended, ...orders] = await Promise.all([
      untilAnswered(() => payer.api.call(payers.deleteAgreement, { params, query: {} })),
      ...hosts.map(({ id }) => untilAnswered(() => orderLicence(owner, id))),
    ])
    expect(ended.status).toBe(204)
    const charged = orders.filter(({ status }) => status === 200).length
    expect(await balance(payer)).toBe((17n - BigInt(charged)) * PRICE)
    await exact()
  })
})

describe('Y-06 the database', () => {
  it('lets nobody spend the money of an account that has not agreed', async () => {
    const [owner, stranger] = [await buyer(test, 0n), await buyer(test, 10_000n)]
    const { agreement, hostId, payer } = await paidFor(10_000n)
    const asStranger = (work: string, values: unknown[]) =>
      transaction(test.app, { userId: stranger.user_id }, (tx) =>
        tx.executeQuery({ sql: work, parameters: values, query: { kind: 'RawNode' } } as never),
      )
    const [host] = (await asOwner(test, 'select id::text from hosts where public_id = $1', [hostId])) as {
      id: string
    }[]
    await expect(asStranger('select pay_for($1, $2)', [agreement.id, must(host).id])).rejects.toThrow(
      'does not pay for host',
    )
    expect([await balance(payer), await balance(stranger), await balance(owner)]).toEqual([
      10_000n,
      10_000n,
      0n,
    ])
  })
})
