import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bookRefund } from './book-refund.ts'
import { checkLedger } from '#features/finance/server/finance.ts'
import * as contract from '#features/licences/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { keepRates } from '#features/invoices/server/invoices.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { passTimeIn } from '#tests/harness/passing-time.ts'
import { anyAddress, buyer, doLicenceJobs } from '#tests/harness/shop.ts'
import { startTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { addPlan } from '#features/licences/server/catalogue.ts'

/** The number of random histories, which are compared with a model in exact fractions: a hundredth of UPGRADE_RUNS, but at least 6. */
const RUNS = Math.max(6, Math.floor(Number(process.env['UPGRADE_RUNS'] ?? 0) / 100))
const STEPS = 7

const sold = [
  ['bronze', 1337n],
  ['silver', 2971n],
  ['gold', 7919n],
] as const

type Row = { id: string; net: bigint; starts: number; ends: number; term: number; ended: string | null }

type Step = { act: string; to?: number; all?: boolean; hours?: number; which?: number; share?: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('upgrade'), to: fc.nat(2), all: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('renew'), to: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('wait'), hours: fc.integer({ min: 1, max: 700 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('refund'),
      which: fc.nat(9),
      share: fc.integer({ min: 1, max: 100 }),
    }),
  },
)
it.each(['EUR', 'JPY'])(
  'L-18 after any history of orders, upgrades, refunds and time, values are invoices less credit notes, and no unit is lost (%s)',
  async (currency) => {
    const test = await startTestApp({ settings: { CURRENCY: currency } })
    await transaction(test.app, 'system', async (tx) => {
      for (const [slug, price_net] of sold)
        await addPlan(tx, { slug, name: { en: slug, de: slug, ru: slug }, term: 'P1M', price_net })
      // An invoice in yen states its VAT in euros, too, by a rate of these days.
      await keepRates(
        tx,
        [{ day: new Date().toISOString().slice(0, 10), currency: 'JPY', per_euro: '170' }],
        'ECB',
      )
    })
    let upgrades = 0
    const history = fc.array(step, { minLength: STEPS, maxLength: STEPS })
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        upgrades += await live(test, currency, steps)
      }),
      { numRuns: RUNS, examples: [[mixed]] },
    )
    expect(upgrades).toBeGreaterThan(0)
    await doLicenceJobs(test)
    expect((await checkLedger(test.app.ownerUrl)).damages).toEqual([])
    expect(await mistakesIn(test)).toEqual([])
  },
  120_000 + RUNS * 5_000,
)

const mixed: Step[] = [
  { act: 'renew', to: 0 },
  { act: 'wait', hours: 100 },
  { act: 'upgrade', to: 1, all: true },
  { act: 'wait', hours: 33 },
  { act: 'refund', which: 1, share: 40 },
  { act: 'upgrade', to: 2, all: false },
  { act: 'refund', which: 2, share: 100 },
]

const buyerData = { name: 'Ada', address: '1 Main Street', zip: '10115', city: 'Berlin', country: 'DE' }

/** Lives one history with a new customer; returns how many upgrades it had. */
async function live(test: TestApp, currency: string, steps: readonly Step[]): Promise<number> {
  const customer = await buyer(test, 10_000_000n)
  const { api, user_id } = customer
  // An invoice above 250 units of the currency has to name its buyer, and 250 yen are little.
  bodyOf(await api.call(updateProfile, { body: buyerData }), 200)
  const plans = bodyOf(await api.call(contract.listPlans, { query: {} }), 200).items
  const totalOf = (slug: string) => must(plans.find((plan) => plan.slug === slug)).price_total
  const slugOf = (place: number) => must(sold[place])[0]
  const first = { name: 'model', ipv4: anyAddress(), plan: 'bronze', expected_total: totalOf('bronze') }
  const key = () => ({ 'idempotency-key': randomUUID() })
  const { host } = bodyOf(await api.call(sales.orderHost, { headers: key(), body: first }), 201)
  const params = { hostId: host.id }
  let upgrades = 0
  for (const { act, to = 0, all, hours = 0, which = 0, share = 0 } of steps) {
    if (act === 'wait') await passTimeIn(test.app.ownerUrl, hours / 24, host.id)
    if (act === 'renew') {
      const body = { plan: slugOf(to), expected_total: totalOf(slugOf(to)) }
      bodyOf(await api.call(sales.orderLicence, { params, headers: key(), body }), 201)
    }
    if (act === 'refund') await refund(test, customer, which, BigInt(share))
    if (act === 'upgrade' && (await upgrade(test, customer, host.id, { plan: slugOf(to), all, currency })))
      upgrades += 1
    await expectSums(test, user_id)
  }
  return upgrades
}

async function upgrade(
  test: TestApp,
  { api, user_id }: Customer,
  hostId: string,
  { plan, all, currency }: { plan: string; all: boolean | undefined; currency: string },
): Promise<boolean> {
  const wish = { plan, scope: all ? ('all' as const) : ('present' as const) }
  const params = { hostId }
  const shown = await api.call(sales.previewUpgrade, { params, body: wish })
  if (shown.status !== 200) return false
  const before = await rowsOf(test, user_id)
  const { as_of, pay_now, periods } = shown.body
  const body = { ...wish, as_of, expected_total: toMoney(BigInt(pay_now.amount), currency) }
  const headers = { 'idempotency-key': randomUUID() }
  bodyOf(await api.call(sales.upgradeLicence, { params, headers, body }), 201)
  const after = await rowsOf(test, user_id)
  const from = Date.parse(as_of)
  const list = must(sold.find(([slug]) => slug === plan))[1]
  const cut = before.filter(({ id }) => after.some((row) => row.id === id && row.ended === 'upgraded'))
  const fresh = cut.filter(({ ended }) => ended === null)
  expect(fresh).toHaveLength(periods.length)
  for (const old of fresh) {
    const begins = Math.max(from, old.starts)
    const used = must(after.find(({ id }) => id === old.id))
    const bought = must(
      after.find((row) => row.starts === begins && row.ends === old.ends && row.ended === null),
    )
    expect(used.net).toBe(old.net - nearest(old.net, old.ends - begins, old.ends - old.starts))
    expect(bought.net).toBe(nearest(list, old.ends - begins, old.ends - old.term))
  }
  return true
}

/** The rational `value · part / whole`, to the nearest unit, halves up. */
function nearest(value: bigint, part: number, whole: number): bigint {
  const exact = value * BigInt(part)
  const down = exact / BigInt(whole)
  return 2n * (exact - down * BigInt(whole)) >= BigInt(whole) ? down + 1n : down
}

async function refund(test: TestApp, { user_id }: Customer, which: number, share: bigint): Promise<void> {
  const { rows } = {
    rows: await asOwner(
      test,
      `select id, -e.amount as paid from transactions t
    join entries e on e.transaction_id = t.id and e.of_customer where t.type = 'spend' and t.user_id = $1 order by t.created_at`,
      [user_id],
    ),
  }
  const one = must(rows[which % rows.length]) as { id: string; paid: string }
  const amount = (BigInt(one.paid) * share + 99n) / 100n
  const wanted = { user_id, transaction_id: one.id, amount, reason: 'x' }
  // A refund of more than the rest is refused, because the credit of an upgrade has taken a part of it.
  await transaction(test.app, 'system', (tx) => bookRefund(test.app, tx, wanted)).catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error
  })
}

async function rowsOf(test: TestApp, user_id: string): Promise<Row[]> {
  const rows = (await asOwner(
    test,
    `select id::text, net::text, starts_at, ends_at, term_starts_at, ended from paid_periods where user_id = $1 order by id`,
    [user_id],
  )) as {
    id: string
    net: string
    starts_at: Date
    ends_at: Date
    term_starts_at: Date
    ended: string | null
  }[]
  return rows.map(({ id, net, starts_at, ends_at, term_starts_at, ended }) => ({
    id,
    net: BigInt(net),
    starts: starts_at.getTime(),
    ends: ends_at.getTime(),
    term: term_starts_at.getTime(),
    ended,
  }))
}

/** Σ values = Σ invoices − Σ credit notes, and the balance has changed by nothing else than the amounts that they state. */
async function expectSums(test: TestApp, user_id: string): Promise<void> {
  const [sums] = (await asOwner(
    test,
    `select (select sum(net)::text from paid_periods where user_id = $1) as values,
      (select sum(case kind when 'invoice' then net else -net end)::text from invoices where user_id = $1) as documents,
      (select sum(case kind when 'invoice' then total else -total end)::text from invoices where user_id = $1) as totals,
      (select (10000000 - balance)::text from balances where user_id = $1) as spent,
      (select count(*)::int from paid_periods where user_id = $1 and net < 0) as below`,
    [user_id],
  )) as Record<string, unknown>[]
  expect(sums).toMatchObject({ values: sums?.['documents'], spent: sums?.['totals'], below: 0 })
}
