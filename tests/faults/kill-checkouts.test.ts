import { randomUUID, type UUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { beginCheckout } from '#tests/harness/payments.ts'
import { anyAddress, goods, stockShop } from '#tests/harness/shop.ts'
import { startInstallation } from './installation.ts'

/** The number of kills; 20 by `npm run test:faults -- kills`. */
const KILLS = Number(process.env['KILLS'] ?? 1)
const LANES = 6
const PRICE = goods['standard-month'].total

const installation = await startInstallation()
afterAll(() => installation.close())
await stockShop(installation)

/** A checkout that a customer wants, with the key of its request; `id` is known once it was answered. */
type Wish = { key: UUID; ipv4: string; id?: string }
type Lane = { customer: Customer; wish: Wish | undefined; done: number; interrupted: number }

it(
  `rules 10, 14, 34: kill -9 of everything ${KILLS} times under checkouts and their events, which come twice: each is charged, posted and ordered once, or nothing of the three`,
  async () => {
    const customers = await Promise.all(Array.from({ length: LANES }, () => signedInCustomer(installation)))
    const lanes = customers.map((customer): Lane => ({ customer, wish: undefined, done: 0, interrupted: 0 }))
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
      if (lane.wish) expect(await payOnce(lane, lane.wish), 'what was cut is done by asking again').toBe(true)
      expect(await expectWhole(lane)).toBe(lane.done)
    }
    expect(await mistakesIn(installation)).toEqual([])
    process.stdout.write(
      `  ${KILLS} kills: ${total(lanes)} orders paid themselves, ${lanes.reduce((sum, { interrupted }) => sum + interrupted, 0)} of them cut\n`,
    )
    expect(total(lanes), 'the stream has to flow').toBeGreaterThan(KILLS * LANES)
  },
  120_000 + KILLS * 60_000,
)

async function payOnAndOn(lane: Lane, stream: { stopped: boolean }): Promise<void> {
  while (!stream.stopped) {
    lane.wish ??= { key: randomUUID(), ipv4: anyAddress() }
    // The kill of the process breaks the connection; the death of PostgreSQL makes the process answer 503.
    const answered = await payOnce(lane, lane.wish).catch(() => false)
    if (!answered) return
  }
}

/** Begins a checkout and pays it, by two events at once. True if the product acknowledged both. */
async function payOnce(lane: Lane, wish: Wish): Promise<boolean> {
  const { api } = lane.customer
  const { key, ipv4 } = wish
  const begun = await beginCheckout(lane.customer, { key, ipv4 })
  if (begun.status !== 201) return refusedFor(begun, 503)
  wish.id = begun.body.id
  const paid = await Promise.all([api.post(`/dev/pay/${wish.id}/pay`), api.post(`/dev/pay/${wish.id}/pay`)])
  if (paid.some(({ status }) => status !== 303)) return refusedFor(paid[0], 502)
  lane.done += 1
  lane.wish = undefined
  return true
}

function refusedFor({ status, body }: { status: number; body?: unknown }, expected: number): false {
  if (![expected, 303, 500, 503].includes(status))
    throw new Error(`the answer was ${status} ${JSON.stringify(body)}`)
  return false
}

/** Expects of each checkout of a lane money, charge and server, or nothing of the three. Returns the number of those that are done. */
async function expectWhole({ customer, done }: Lane): Promise<number> {
  const [row] = (await asOwner(
    installation,
    `select (select count(*)::int from checkouts where user_id = $1 and state = 'done') as done,
      (select count(*)::int from checkouts where user_id = $1 and state = 'failed') as failed,
      (select count(*)::int from transactions where user_id = $1 and type = 'fill_balance') as posted,
      (select count(*)::int from transactions where user_id = $1 and type = 'spend') as charged,
      (select count(*)::int from hosts where user_id = $1) as servers,
      (select coalesce(sum(b.balance), 0)::text from balances b where b.user_id = $1) as balance`,
    [customer.user_id],
  )) as [{ done: number; failed: number; posted: number; charged: number; servers: number; balance: string }]
  const whole = row.done
  expect(row).toEqual({ done: whole, failed: 0, posted: whole, charged: whole, servers: whole, balance: '0' })
  expect(whole, 'what was acknowledged is there').toBeGreaterThanOrEqual(done)
  expect(PRICE).toBeGreaterThan(0n)
  return whole
}

const total = (lanes: readonly Lane[]) => lanes.reduce((sum, { done }) => sum + done, 0)
