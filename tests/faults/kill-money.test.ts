import { execFile } from 'node:child_process'
import { randomUUID, type UUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import * as finance from '#features/finance/contract.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { anyAddress, orderHost, stockShop } from '#tests/harness/shop.ts'
import { startInstallation } from './installation.ts'

/** The number of kills; 20 by `npm run test:faults -- kills`. */
const KILLS = Number(process.env['KILLS'] ?? 3)
const LANES = 6

const installation = await startInstallation()
afterAll(() => installation.close())
await stockShop(installation)

/** An order or a top-up that a customer wants, with the key of the request, which is repeated until it is answered. */
type Wish = { does: 'order' | 'top up'; key: UUID; ipv4: string }
type Lane = {
  customer: Customer
  wish: Wish | undefined
  /** The ids of the acknowledged orders and, in `paid`, of the acknowledged top-ups. */
  spent: string[]
  paid: string[]
  asked: number
}

it(
  `rules 10, 14, 34: kill -9 of everything ${KILLS} times under orders and top-ups that are asked again by key: nothing acknowledged is lost, nothing is doubled, the ledger is in balance`,
  async () => {
    const customers = await Promise.all(Array.from({ length: LANES }, () => signedInCustomer(installation)))
    const lanes = customers.map((customer): Lane => ({
      customer,
      wish: undefined,
      spent: [],
      paid: [],
      asked: 0,
    }))
    let interrupted = 0
    for (let round = 0; round < KILLS; round += 1) {
      const stream = { stopped: false }
      const streams = lanes.map((lane) => askOnAndOn(lane, stream))
      const before = total(lanes)
      // The loop waits until some requests are acknowledged, also on a busy machine; the kill then comes at a random moment.
      for (let waited = 0; waited < 2_000 && total(lanes) < before + 4 * LANES; waited += 1) await sleep(10)
      await sleep(Math.random() * 300)
      await installation.kill()
      stream.stopped = true
      await Promise.all(streams)
      interrupted += lanes.filter(({ wish }) => wish).length
      await installation.start()
      await expectKept(lanes)
    }
    await Promise.all(lanes.map(async (lane) => lane.wish && ask(lane, lane.wish)))
    await expectKept(lanes, { exactly: true })
    expect(await mistakesIn(installation)).toEqual([])
    const checked = await checkByCommand()
    process.stdout.write(
      `  ${KILLS} kills: ${total(lanes)} acknowledged of ${lanes.reduce((sum, { asked }) => sum + asked, 0)} asked, ` +
        `${interrupted} interrupted and asked again; ledger check: ${checked}`,
    )
    expect(checked).toMatch(/^In balance: \d+ transactions\.\n$/)
    expect(total(lanes), 'the stream has to flow').toBeGreaterThan(KILLS * LANES)
  },
  120_000 + KILLS * 60_000,
)

/** Sends one wish after the other; a wish that a kill interrupts stays the wish of its lane. */
async function askOnAndOn(lane: Lane, stream: { stopped: boolean }): Promise<void> {
  while (!stream.stopped) {
    lane.wish ??= { does: lane.asked % 4 === 0 ? 'top up' : 'order', key: randomUUID(), ipv4: anyAddress() }
    // The kill of the process breaks the connection; the death of PostgreSQL makes the process answer 503.
    const answered = await ask(lane, lane.wish).catch(() => false)
    if (!answered) return
  }
}

/** Sends a wish. True if the product acknowledged it; a 503 acknowledges nothing. */
async function ask(lane: Lane, wish: Wish): Promise<boolean> {
  const { customer } = lane
  if (wish.does === 'order') {
    const reply = await orderHost(customer, wish)
    if (!isAcknowledged(reply)) return false
    lane.spent.push(bodyOf(reply, 201).transaction.id)
  } else {
    const headers = { 'idempotency-key': wish.key }
    const body = { amount: '7500', provider: 'test' } as const
    const reply = await customer.api.call(finance.startTopUp, { headers, body })
    if (!isAcknowledged(reply)) return false
    const topUp = bodyOf(reply, 201)
    const paid = await customer.api.post(`/dev/pay/${topUp.id}/pay`)
    if (paid.status !== 303) return false
    lane.paid.push(topUp.id)
  }
  lane.asked += 1
  lane.wish = undefined
  return true
}

function isAcknowledged({ status, body }: { status: number; body: unknown }): boolean {
  if (![201, 503].includes(status)) throw new Error(`the answer was ${status} ${JSON.stringify(body)}`)
  return status === 201
}

/** Expects all acknowledged writes in the database; with `exactly`, for when nothing is under way, no others. */
async function expectKept(lanes: readonly Lane[], { exactly = false } = {}): Promise<void> {
  for (const { customer, spent, paid } of lanes) {
    const rows = (await asOwner(
      installation,
      `select t.id::text as spent, u.public_id as paid, u.status from transactions t
        left join payment_events p on p.transaction_id = t.id left join top_ups u on u.id = p.top_up_id
        where t.user_id = $1
       union all select null, public_id, 'announced' from top_ups where user_id = $1`,
      [customer.user_id],
    )) as { spent: string | null; paid: string | null; status: string | null }[]
    const kept = {
      spent: rows.filter((row) => row.paid === null).map((row) => row.spent),
      paid: rows.filter(({ status }) => status === 'paid').map((row) => row.paid),
      announced: rows.filter(({ status }) => status === 'announced').map((row) => row.paid),
    }
    expect(kept.spent).toEqual(expect.arrayContaining(spent))
    expect(kept.paid).toEqual(expect.arrayContaining(paid))
    if (!exactly) continue
    for (const [there, told] of [
      [kept.spent, spent],
      [kept.paid, paid],
      [kept.announced, paid],
    ] as const)
      expect([there.length, new Set<unknown>(there)]).toEqual([told.length, new Set(told)])
  }
}

/** Returns the output of `hostdesk ledger check`. */
async function checkByCommand(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['app/cli/main.ts', 'ledger', 'check'], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: installation.dataDir,
      PUBLIC_ORIGIN: 'http://localhost:3000',
    },
  })
  return stdout
}

const total = (lanes: readonly Lane[]) =>
  lanes.reduce((sum, { spent, paid }) => sum + spent.length + paid.length, 0)
