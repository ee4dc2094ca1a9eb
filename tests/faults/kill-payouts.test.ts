import { randomUUID, type UUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { listTransactions, startTopUp } from '#features/finance/contract.ts'
import { refundTopUp, requestPayout } from '#features/payouts/contract.ts'
import { must } from '#foundation/must.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { callAsMollie, MOLLIE_KEY, startMollieServer, type Payment } from '#tests/harness/mollie-server.ts'
import { startInstallation } from './installation.ts'

/** The number of kills; 20 by `npm run test:faults -- kills`. */
const KILLS = Number(process.env['KILLS'] ?? 1)
const LANES = 4

const mollie = await startMollieServer()
const installation = await startInstallation({ MOLLIE_API_KEY: MOLLIE_KEY, MOLLIE_API_ORIGIN: mollie.origin })
afterAll(async () => {
  await installation.close()
  mollie.close()
})

/** A payment of 25.00, of which 10.00 go back to their source and 5.00 to a bank account, with the keys of the requests. */
type Wish = { top_up: UUID; refund: UUID; payout: UUID }
type Lane = {
  customer: Customer
  billing: Customer
  wish: Wish | undefined
  done: number
  interrupted: number
}

it(
  `rules 10, 61: kill -9 of everything ${KILLS} times under payouts: each leaves the balance once and is given back once, or nothing of the two`,
  async () => {
    const lanes = await Promise.all(
      Array.from({ length: LANES }, async (): Promise<Lane> => ({
        customer: await signedInCustomer(installation),
        billing: await signedInStaff(installation, { roles: ['owner'] }),
        wish: undefined,
        done: 0,
        interrupted: 0,
      })),
    )
    for (let round = 0; round < KILLS; round += 1) {
      const stream = { stopped: false }
      const streams = lanes.map((lane) => payOnAndOn(lane, stream))
      const before = total(lanes)
      for (let waited = 0; waited < 2_000 && total(lanes) < before + 2 * LANES; waited += 1) await sleep(10)
      await sleep(Math.random() * 300)
      await installation.kill()
      stream.stopped = true
      await Promise.all(streams)
      for (const lane of lanes) if (lane.wish) lane.interrupted += 1
      await installation.start()
      for (const lane of lanes) await expectWhole(lane)
    }
    for (const lane of lanes) {
      if (lane.wish) expect(await goOnce(lane, lane.wish), 'what was cut is done by asking again').toBe(true)
      await expectWhole(lane)
    }
    // A job that was cut is taken up again by itself.
    await expect.poll(() => underWay(), { timeout: 240_000, interval: 500 }).toBe(0)
    await expectRefundedOnce()
    expect(await mistakesIn(installation)).toEqual([])
    expect(mollie.wrong).toEqual([])
    const cut = lanes.reduce((sum, { interrupted }) => sum + interrupted, 0)
    process.stdout.write(`  ${KILLS} kills: ${total(lanes)} payments went back in part, ${cut} of them cut\n`)
    expect(total(lanes), 'the stream has to flow').toBeGreaterThan(KILLS * LANES)
  },
  360_000 + KILLS * 60_000,
)

async function payOnAndOn(lane: Lane, stream: { stopped: boolean }): Promise<void> {
  while (!stream.stopped) {
    lane.wish ??= { top_up: randomUUID(), refund: randomUUID(), payout: randomUUID() }
    // The kill of the process breaks the connection; the death of PostgreSQL makes the process answer 503.
    const answered = await goOnce(lane, lane.wish).catch(() => false)
    if (!answered) return
  }
}

/** Pays, and has parts of it go back. True if the product acknowledged each step. */
async function goOnce(lane: Lane, wish: Wish): Promise<boolean> {
  const { api, user_id } = lane.customer
  const begun = await api.call(startTopUp, {
    headers: key(wish.top_up),
    body: { amount: '2500', provider: 'mollie' },
  })
  if (begun.status !== 201) return false
  const payment = must([...mollie.payments.values()].find(isFor(begun.body.id)))
  payment.status = 'paid'
  const called = await Promise.all([
    callAsMollie(installation.url, payment),
    callAsMollie(installation.url, payment),
  ])
  if (called.some((status) => status !== 200)) return false
  const { status, body } = await api.call(listTransactions, { query: { type: 'fill_balance', limit: '100' } })
  if (status !== 200) return false
  // Payments of a lane stand one after the other: the newest is this one.
  const refunded = await lane.billing.api.call(refundTopUp, {
    params: { userId: user_id, id: must(body.items[0]).id },
    headers: key(wish.refund),
    body: { amount: '1000', reason: 'Asked by letter' },
  })
  if (refunded.status !== 201) return false
  if (lane.done < MOST_TO_BANK) {
    const account = { iban: 'DE89370400440532013000', holder: 'Anna' }
    const asked = await api.call(requestPayout, {
      headers: key(wish.payout),
      body: { amount: '500', ...account },
    })
    if (asked.status !== 201) return false
  }
  lane.done += 1
  lane.wish = undefined
  return true
}

// More may not be under way at once; nobody ends them here.
const MOST_TO_BANK = 3

const key = (id: UUID) => ({ 'idempotency-key': id })
const isFor =
  (id: string) =>
  ({ metadata }: Payment) =>
    JSON.stringify(metadata).includes(id)

/** Expects of a lane that its balance is what was paid without what has left, and that each payout has left it once. */
async function expectWhole({ customer, done }: Lane): Promise<void> {
  const [row] = (await asOwner(
    installation,
    `select (select count(*)::int from top_ups where user_id = $1 and status = 'paid') as paid,
      (select count(*)::int from payouts where user_id = $1) as payouts,
      (select count(*)::int from payouts where user_id = $1 and state in ('failed', 'returned')) as lost,
      (select count(*)::int from transactions where user_id = $1 and type = 'charge_back') as left,
      (select coalesce(sum(amount), 0)::int from payouts where user_id = $1) as gone,
      (select coalesce(sum(b.balance), 0)::int from balances b where b.user_id = $1) as balance`,
    [customer.user_id],
  )) as [{ paid: number; payouts: number; lost: number; left: number; gone: number; balance: number }]
  expect(row.lost).toBe(0)
  expect(row.left, 'each payout is booked').toBeGreaterThanOrEqual(row.payouts)
  expect(row.balance).toBe(row.paid * 2500 - row.gone)
  expect(row.payouts, 'what was acknowledged is there').toBeGreaterThanOrEqual(
    done + Math.min(done, MOST_TO_BANK),
  )
}

const underWay = async (): Promise<number> =>
  (await asOwner(installation, "select from payouts where way = 'source' and state = 'requested'")).length

/** Expects that Mollie has given each payout back once, and nothing else. */
async function expectRefundedOnce(): Promise<void> {
  const rows = (await asOwner(installation, "select public_id from payouts where way = 'source'")) as {
    public_id: string
  }[]
  const given = [...mollie.payments.values()].flatMap(({ refunds }) =>
    refunds.map(({ metadata, amount }) => `${JSON.stringify(metadata)} ${amount.value}`),
  )
  const owed = rows.map(({ public_id }) => `${JSON.stringify({ payout: public_id })} 10.00`)
  expect(given.toSorted()).toEqual(owed.toSorted())
}

const total = (lanes: readonly Lane[]) => lanes.reduce((sum, { done }) => sum + done, 0)
