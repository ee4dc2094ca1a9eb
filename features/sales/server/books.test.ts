import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bookRefund } from './book-refund.ts'
import { checkLedger, credit } from '#features/finance/server/finance.ts'
import { getInvoice, listInvoices } from '#features/invoices/contract.ts'
import { getFinances, listTransactions } from '#features/finance/contract.ts'
import { deleteHost, listHosts, updateHost } from '#features/hosts/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { planMistakes } from '#tests/harness/plans-in-time.ts'
import {
  anyAddress,
  buyer,
  doLicenceJobs,
  goods,
  orderHost,
  orderLicence,
  passTime,
  spendingOf,
  stockShop,
  type Slug,
} from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { runRenewalStep, renewNow } from './renew.ts'

const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
const RUNS = Number(process.env['RUNS'] ?? 3)
const STEPS = 50

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '100000' } })
await stockShop(test)

const plan = fc.constantFrom(...(Object.keys(goods) as Slug[]))
const which = fc.nat(1000)

/** Commands on licences. `which` picks one of the existing hosts, addresses or transactions. */
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('order' as const), plan, which }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('renew' as const), plan, which }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('switch' as const), on: fc.boolean(), which }) },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 35 }) }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('jobs again' as const), which }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('refund' as const), part: fc.nat(3000), which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('move' as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete' as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('top up' as const), amount: fc.integer({ min: 1, max: 9000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('gift' as const), amount: fc.integer({ min: 1, max: 5000 }) }),
  },
)
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never
/** A step has up to three acts, which happen at once. */
const step = fc.array(act, { minLength: 1, maxLength: 3 })

const beginning: Act[][] = [
  [{ does: 'gift', amount: 1234 }],
  [{ does: 'order', plan: 'standard-month', which: 0 }],
  [{ does: 'switch', on: true, which: 0 }],
  [{ does: 'wait', days: 30 }],
  [{ does: 'renew', plan: 'standard-month', which: 0 }],
  [{ does: 'refund', part: 0, which: 0 }],
]

it(`order = charge = licence = invoice, periods are in a row, and the plan is that of its period, after any sequence (SEED=${SEED} RUNS=${RUNS})`, async () => {
  const runs = fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), {
    numRuns: RUNS,
    seed: SEED,
  })
  const did: Record<string, number> = {}
  for (const [turn, drawn] of runs.entries()) {
    // The first walk contains a renewal of each kind and a refund, independent of the drawn steps.
    const steps = turn === 0 ? [...beginning, ...drawn] : drawn
    const customer = await buyer(test, 20_000n)
    const addresses = Array.from({ length: 4 }, anyAddress)
    for (const [place, acts] of steps.entries()) {
      // A wait moves the time of all hosts, so it runs alone, before the other acts.
      const waits = acts.filter(({ does }) => does === 'wait')
      for (const wait of waits) await perform(customer, addresses, wait)
      const outcomes = await Promise.all(
        acts.filter(({ does }) => does !== 'wait').map((one) => perform(customer, addresses, one)),
      )
      for (const outcome of outcomes) did[outcome] = (did[outcome] ?? 0) + 1
      if (place % 6 === 0) expect(await planMistakes(test, customer), `SEED=${SEED}`).toEqual([])
    }
    expect(await mistakesIn(test), `SEED=${SEED}`).toEqual([])
  }
  process.stdout.write(`  ${JSON.stringify(did)}\n`)
  // The walk must reach these outcomes, or the test shows nothing.
  for (const outcome of ['order 201', 'renew 201', 'refund done'])
    expect(did[outcome] ?? 0, outcome).toBeGreaterThan(0)
  const automatic = await test.app.db
    .selectFrom('licence_orders')
    .select('id')
    .where('kind', '=', 'auto_renewal')
    .execute()
  expect(automatic.length).toBeGreaterThan(0)
}, 1_200_000)

const giveGift = ({ user_id }: Customer, amount: bigint) =>
  transaction(test.app, 'system', (tx) => credit(test.app, tx, { user_id, amount, reason: 'sorry' }))

it('B-15 a gift is spent first, lowers the invoice and its VAT, and comes back as a gift: net, credit note, ledger', async () => {
  const customer = await buyer(test, 2000n)
  const { api, user_id } = customer
  await giveGift(customer, 500n)
  const standing = async () => {
    const { balance, gift } = bodyOf(await api.call(getFinances, {}), 200)
    return [balance.amount, gift.amount]
  }
  const documents = async () => {
    const { items } = bodyOf(await api.call(listInvoices, { query: {} }), 200)
    const read = async ({ id }: { id: string }) =>
      bodyOf(await api.call(getInvoice, { params: { publicId: id } }), 200)
    return (await Promise.all(items.map(read))).map(
      ({ kind, status, lines, allowance, net, vat, total, gift }) => [
        `${kind} ${status}`,
        ...[...lines.map(({ price }) => price), allowance, net, vat, total, gift].map(({ amount }) => amount),
      ],
    )
  }
  expect(await standing()).toEqual(['2500', '500'])
  expect((await orderHost(customer)).status).toBe(201)
  // The price is 19.90 net and 23.68 gross; 18.68 of it were paid.
  const invoice = ['1990', '420', '1570', '298', '1868', '500']
  expect([await standing(), await documents()]).toEqual([['132', '0'], [['invoice paid', ...invoice]]])
  const transaction_id = await spendingOf(test, user_id)
  const refund = (amount?: bigint) =>
    transaction(test.app, 'system', (tx) =>
      bookRefund(test.app, tx, { user_id, transaction_id, amount, reason: 'half' }),
    )
  await refund(1184n)
  expect(await standing()).toEqual(['1316', '250'])
  expect(await documents()).toContainEqual(['credit_note paid', '995', '210', '785', '149', '934', '250'])
  await refund()
  expect(await standing()).toEqual(['2500', '500'])
  expect(await documents()).toEqual([
    ['credit_note paid', '995', '210', '785', '149', '934', '250'],
    ['credit_note paid', '995', '210', '785', '149', '934', '250'],
    ['invoice void', ...invoice],
  ])
  expect((await checkLedger(test.app.ownerUrl)).damages).toEqual([])
})

it('B-15 what gifts have paid in full is an invoice over nothing, which a refund cancels, and nothing of it can be paid out', async () => {
  const customer = await buyer(test, 100n)
  const { api, user_id } = customer
  await giveGift(customer, 3000n)
  expect((await orderHost(customer)).status).toBe(201)
  const [invoice] = bodyOf(await api.call(listInvoices, { query: {} }), 200).items
  expect(invoice).toMatchObject({
    status: 'paid',
    net: { amount: '0' },
    vat: { amount: '0' },
    total: { amount: '0' },
  })
  const transaction_id = await spendingOf(test, user_id)
  await transaction(test.app, 'system', (tx) =>
    bookRefund(test.app, tx, { user_id, transaction_id, reason: 'all' }),
  )
  const after = bodyOf(await api.call(listInvoices, { query: {} }), 200).items
  expect(after).toMatchObject([
    { kind: 'credit_note', cancels: true, total: { amount: '0' } },
    { status: 'void' },
  ])
  const { balance, gift } = bodyOf(await api.call(getFinances, {}), 200)
  expect([balance.amount, gift.amount]).toEqual(['3100', '3000'])
  expect(await mistakesIn(test)).toEqual([])
})

async function perform(customer: Customer, addresses: string[], one: Act): Promise<string> {
  const { api } = customer
  if (one.does === 'wait') {
    await passTime(test, one.days)
    await doLicenceJobs(test)
    return 'wait'
  }
  if (one.does === 'top up') {
    await addMoney(test.app, customer.user_id, BigInt(one.amount))
    return 'top up'
  }
  if (one.does === 'gift') {
    await giveGift(customer, BigInt(one.amount))
    return 'gift'
  }
  if (one.does === 'order') {
    const ipv4 = addresses[one.which % addresses.length] ?? ''
    return `order ${(await orderHost(customer, { plan: one.plan, ipv4 })).status}`
  }
  if (one.does === 'refund') return refundOne(customer, one)
  const { items } = bodyOf(await api.call(listHosts, { query: {} }), 200)
  const host = items[one.which % items.length]
  if (!host) return 'nothing'
  const params = { hostId: host.id }
  if (one.does === 'renew') return `renew ${(await orderLicence(customer, host.id, one)).status}`
  if (one.does === 'switch')
    return `switch ${(await api.call(updateHost, { params, body: { auto_renew: one.on } })).status}`
  if (one.does === 'move') {
    const body = { ipv4: addresses[one.which % addresses.length] ?? '' }
    return `move ${(await api.call(updateHost, { params, body })).status}`
  }
  if (one.does === 'delete')
    return `delete ${(await api.call(deleteHost, { params, query: { name: host.name } })).status}`
  const row = await test.app.db
    .selectFrom('hosts')
    .select('id')
    .where('public_id', '=', host.id)
    .executeTakeFirstOrThrow()
  const job = { host_id: String(row.id) }
  await Promise.all([runRenewalStep(test.app, job), renewNow(test.app, job), runRenewalStep(test.app, job)])
  return 'jobs again'
}

/** Refunds one of the last spendings, in every second case only a part of it. */
async function refundOne(
  { api, user_id }: Customer,
  { which, part }: { which: number; part: number },
): Promise<string> {
  const { items } = bodyOf(await api.call(listTransactions, { query: {} }), 200)
  const spent = items.filter(({ type }) => type === 'spend' || type === 'inner_spending')
  const transaction_id = spent[which % spent.length]?.id
  if (transaction_id === undefined) return 'nothing'
  const amount = part % 2 === 0 ? undefined : BigInt(part)
  try {
    await transaction(test.app, 'system', (tx) =>
      bookRefund(test.app, tx, { user_id, transaction_id, amount, reason: 'said so' }),
    )
    return 'refund done'
  } catch (error) {
    if (error instanceof HttpError) return `refund ${error.status}`
    throw error
  }
}
