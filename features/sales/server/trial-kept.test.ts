import { describe, expect, it } from 'vitest'
import { bookRefund } from './book-refund.ts'
import { checkLedger } from '#features/finance/server/finance.ts'
import { getHost, updateHost } from '#features/hosts/contract.ts'
import { getInvoice } from '#features/invoices/contract.ts'
import * as contract from '#features/licences/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import {
  anyAddress,
  buyer,
  orderHost,
  orderLicence,
  passTime,
  stockShop,
  tryHost,
} from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { addPlan, changeEdition } from '#features/licences/server/licences.ts'
import { paidHosts } from '#features/licences/server/suspension-queries.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
await stockShop(test)
await transaction(app, 'system', async (tx) => {
  const name = { en: 'Business', de: 'Business', ru: 'Бизнес' }
  await addPlan(tx, { slug: 'business-month', name, term: 'P1M', price_net: 4990n })
  await addPlan(tx, { slug: 'business-quarter', name, term: 'P3M', price_net: 12_000n, edition: 'business' })
  await changeEdition(tx, 'standard', { trial_days: 14 }, { by: 'command line' })
})
const BUSINESS = 5938n
const STANDARD = 2368n

const periodsOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(sales.listPaidPeriods, { params: { hostId }, query: {} }), 200).items
const licenceOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(getHost, { params: { hostId } }), 200).licence
const previewOf = async ({ api }: Customer, hostId: string, plan: string) =>
  bodyOf(await api.call(sales.previewUpgrade, { params: { hostId }, body: { plan } }), 200)
const upgrade = ({ api }: Customer, hostId: string, plan: string, total: bigint) =>
  api.call(sales.upgradeLicence, {
    params: { hostId },
    headers: { 'idempotency-key': crypto.randomUUID() },
    body: { plan, expected_total: toMoney(total, 'EUR') },
  })
const inBalance = async () => expect(await checkLedger(app.ownerUrl)).toMatchObject({ damages: [] })

/** Somebody with money who has tried Standard for some days. */
async function trying(money = 50_000n, days = 3) {
  const customer = await buyer(test, money)
  const { host } = bodyOf(await tryHost(customer), 200)
  const hostId = host.id
  if (days > 0) await passTime(test, days)
  return { customer, hostId, ipv4: must(host.ipv4) }
}

/** Returns the time whole calendar months later, on the same day, or on the last day of a shorter month. */
function monthsAfter(time: string | null | undefined, months: number): string {
  const from = new Date(must(time ?? undefined))
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months]
  const day = Math.min(from.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate())
  return new Date(Date.UTC(year, month, day) + (from.getTime() % 86_400_000)).toISOString()
}

describe('L-31 a trial that turns into a paid licence', () => {
  it('is ordered while it runs: the paid term begins at its end, as an order, and counts its months from there', async () => {
    const { customer, hostId } = await trying(50_000n, 0)
    const { trial_until } = await licenceOf(customer, hostId)
    const { invoice } = bodyOf(await orderLicence(customer, hostId), 201)
    const [paid, tried] = await periodsOf(customer, hostId)
    expect(tried).toMatchObject({ kind: 'trial', ends_at: trial_until, ended: null })
    expect(paid).toMatchObject({ kind: 'order', starts_at: trial_until, total: { amount: `${STANDARD}` } })
    expect(paid?.ends_at).toBe(monthsAfter(trial_until, 1))
    const document = bodyOf(await customer.api.call(getInvoice, { params: { publicId: invoice.id } }), 200)
    expect(document.lines[0]?.description.code).toBe('licence_order')
    const licence = await licenceOf(customer, hostId)
    expect(licence).toMatchObject({ trial_until, paid_until: paid?.ends_at, next: null })
    await passTime(test, 15)
    expect(await licenceOf(customer, hostId)).toMatchObject({
      trial_until: null,
      price: { amount: `${STANDARD}` },
    })
    await inBalance()
  })

  it('and given back in full, ends with the trial again', async () => {
    const { customer, hostId } = await trying()
    const { trial_until } = await licenceOf(customer, hostId)
    const { transaction: sale } = bodyOf(await orderLicence(customer, hostId), 201)
    await transaction(app, 'system', (tx) =>
      bookRefund(app, tx, { user_id: customer.user_id, transaction_id: sale.id, reason: 'x' }),
    )
    expect(await licenceOf(customer, hostId)).toMatchObject({ trial_until, paid_until: trial_until })
    const [watch] = await asOwner(
      test,
      `select extract(epoch from w.ends_at - w.next_at) / 86400 as days from licence_watches w join hosts h on h.id = w.host_id
       where h.public_id = $1`,
      [hostId],
    )
    // The next step is the only reminder of a trial, two days before its end.
    expect(Number((watch as { days: string }).days)).toBe(2)
    await inBalance()
  })

  it('is upgraded: it ends at once, nothing is credited, and a whole term is charged at the full price', async () => {
    const { customer, hostId } = await trying()
    const shown = await previewOf(customer, hostId, 'business-month')
    expect(shown).toMatchObject({
      credit: { amount: '0' },
      pay_now: { amount: `${BUSINESS}` },
      balance_after: { amount: `${50_000n - BUSINESS}` },
    })
    expect(shown.periods[0]?.ends_at).toBe(monthsAfter(shown.as_of, 1))
    const { credits, charges, host } = bodyOf(
      await upgrade(customer, hostId, 'business-month', BUSINESS),
      201,
    )
    expect([credits, charges]).toMatchObject([[], [{ amount: { amount: `-${BUSINESS}` } }]])
    const [paid, tried] = await periodsOf(customer, hostId)
    expect([paid?.kind, tried?.kind, tried?.ended]).toEqual(['upgrade', 'trial', 'upgraded'])
    expect(paid?.starts_at).toBe(tried?.ends_at)
    expect(paid?.ends_at).toBe(monthsAfter(paid?.starts_at, 1))
    expect(host.licence).toMatchObject({
      plan: { slug: 'business-month' },
      trial_until: null,
      paid_until: paid?.ends_at,
    })
    // The bought term runs on after the end of the trial, and its own plan is no upgrade.
    await passTime(test, 20)
    expect((await upgrade(customer, hostId, 'business-month', BUSINESS)).status).toBe(409)
    await inBalance()
  })

  it('is upgraded to any term, and what is paid already follows', async () => {
    const { customer, hostId, ipv4 } = await trying()
    bodyOf(await orderLicence(customer, hostId), 201)
    const plans = bodyOf(await customer.api.call(contract.listPlans, { query: { host: hostId } }), 200).items
    const higher = plans.filter(({ upgrade: is }) => is).map(({ slug }) => slug)
    expect(higher).toEqual(['business-month', 'business-quarter'])
    const { pay_now, periods } = await previewOf(customer, hostId, 'business-quarter')
    expect([pay_now.amount, periods.length]).toEqual(['14280', 1])
    const { host } = bodyOf(await upgrade(customer, hostId, 'business-quarter', 14_280n), 201)
    const [kept, bought, tried] = await periodsOf(customer, hostId)
    expect([kept?.kind, bought?.kind, tried?.ended]).toEqual(['order', 'upgrade', 'upgraded'])
    expect([bought?.starts_at, kept?.starts_at]).toEqual([tried?.ends_at, bought?.ends_at])
    expect(kept?.ends_at).toBe(monthsAfter(bought?.starts_at, 4))
    expect(host.licence).toMatchObject({
      paid_until: kept?.ends_at,
      next: { plan: { slug: 'standard-month' }, starts_at: kept?.starts_at },
      last_plan: { slug: 'standard-month' },
    })
    const other = await buyer(test, 10_000n)
    expect((await orderHost(other, { ipv4 })).body).toEqual(refusal(409, 'ipv4_licensed', 'ipv4'))
    await inBalance()
  })

  it('is not upgraded without the money, nor to what is no more', async () => {
    const { customer, hostId } = await trying(1000n)
    expect((await upgrade(customer, hostId, 'business-month', BUSINESS)).status).toBe(402)
    expect((await upgrade(customer, hostId, 'standard-year', 23_681n)).body).toMatchObject(
      refusal(409, 'not_an_upgrade', 'plan'),
    )
    expect(await licenceOf(customer, hostId)).toMatchObject({ plan: { slug: 'standard-month' } })
    expect((await licenceOf(customer, hostId)).trial_until).not.toBeNull()
  })

  it('switches auto-renewal of a server off that had it on, and takes the plan back that was chosen', async () => {
    const customer = await buyer(test, 50_000n)
    const { host } = bodyOf(await orderHost(customer, { plan: 'business-month', total: BUSINESS }), 201)
    const hostId = host.id
    const { api } = customer
    await api.call(updateHost, { params: { hostId }, body: { auto_renew: true } })
    await asOwner(test, 'delete from licence_watches')
    await passTime(test, 40)
    const body = { plan: 'standard-month', expected_total: toMoney(0n, 'EUR'), trial: true as const }
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const tried = bodyOf(await api.call(sales.orderLicence, { params: { hostId }, headers, body }), 200)
    expect(tried.host).toMatchObject({ auto_renew: false, licence: { plan: { slug: 'standard-month' } } })
  })
})

it('L-30 a debt suspends only servers that were paid for, and no server on trial', async () => {
  const { customer, hostId } = await trying()
  const { host } = bodyOf(await orderHost(customer, { ipv4: anyAddress() }), 201)
  const [tried, paid] = (await asOwner(test, 'select id from hosts where public_id = any($1) order by id', [
    [hostId, host.id],
  ])) as { id: string }[]
  const ids = [BigInt(must(tried).id), BigInt(must(paid).id)]
  const found = await transaction(app, 'system', (tx) => paidHosts(tx, customer.user_id, ids))
  expect(found.map(String)).toEqual([must(paid).id])
})
