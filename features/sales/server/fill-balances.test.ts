import { describe, expect, it } from 'vitest'
import * as contract from '#features/auto-top-ups/contract.ts'
import { plannedCharge } from '#features/auto-top-ups/server/auto-top-ups.ts'
import { chargeRun, sweepRuns } from '#features/auto-top-ups/server/charge.ts'
import type { TestMethod } from '#features/finance/server/providers/test-methods.ts'
import { checkLedger } from '#features/finance/server/finance.ts'
import { getHost, updateHost } from '#features/hosts/contract.ts'
import { listInvoices } from '#features/invoices/contract.ts'
import { listNotifications } from '#features/notifications/contract.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { openContent } from '#foundation/server/mail/outbox.ts'
import { autoTopUpOf, fillsItself, goOn, runsOf, turnOn } from '#tests/harness/auto-top-ups.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { movementsOf, paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { buyer, orderHost, passTime, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
await stockShop(test)
const PRICE = 2368n
const DAY_MS = 86_400_000

type Renewing = Customer & { hostId: string }

/** A customer with a server that renews itself, and nothing left on the balance. */
async function renewing(way?: TestMethod, wish: Parameters<typeof fillsItself>[3] = {}): Promise<Renewing> {
  const customer = await buyer(test, PRICE)
  const { host } = bodyOf(await orderHost(customer), 201)
  bodyOf(
    await customer.api.call(updateHost, { params: { hostId: host.id }, body: { auto_renew: true } }),
    200,
  )
  if (way) await fillsItself(test, customer, way, wish)
  return { ...customer, hostId: host.id }
}

const hostOf = async ({ api, hostId }: Renewing) =>
  bodyOf(await api.call(getHost, { params: { hostId } }), 200)

/** Lets time pass until so many days before the end of the licence and a minute more, and has the product go on. */
async function goTo(host: Renewing, days_before: number): Promise<void> {
  const { remaining_s } = (await hostOf(host)).licence
  await passTime(test, remaining_s / 86_400 - days_before + 1 / 1440)
  await goOn(test)
}

async function lettersTo({ user_id }: Customer): Promise<string[]> {
  const rows = await test.app.db
    .selectFrom('mails')
    .select('letter')
    .where('user_id', '=', user_id)
    .where('letter', 'not like', 'invoice%')
    .orderBy('created_at')
    .execute()
  return rows.map(({ letter }) => letter)
}

/** The texts of the mails of a kind, which are read without a worker: it would do the jobs of the tests, too. */
async function textsTo({ user_id }: Customer, letter: string): Promise<string[]> {
  const rows = (await asOwner(test, 'select id, content from mails where user_id = $1 and letter = $2', [
    user_id,
    letter,
  ])) as { id: string; content: string }[]
  return rows.map(({ id, content }) => openContent(test.app, id, content).text)
}

/** The news of payments in the bell, each with the page that it leads to. */
const bellOf = async ({ api }: Customer): Promise<string[]> =>
  bodyOf(await api.call(listNotifications, { query: {} }), 200)
    .items.filter(({ kind }) => kind === 'payment')
    .map(({ facts, link }) => `${facts['what']} ${link}`)

const statesOf = async (customer: Customer) => (await runsOf(customer)).map(({ state }) => state)

it('a year with a card: 12 renewals, no act by the customer, 12 invoices, and the sum is 0', async () => {
  const host = await renewing('pays')
  const before = bodyOf(await host.api.call(listInvoices, { query: { limit: '100' } }), 200).items.length
  for (let month = 0; month < 12; month += 1) {
    await goTo(host, 7)
    await goTo(host, 4)
    await goTo(host, 1)
  }
  const moved = await movementsOf(host)
  expect(moved.filter((one) => one === `inner_spending -${PRICE}`)).toHaveLength(12)
  expect(moved.filter((one) => one === `fill_balance ${PRICE}`)).toHaveLength(13)
  expect(bodyOf(await host.api.call(listInvoices, { query: { limit: '100' } }), 200).items).toHaveLength(
    before + 12,
  )
  expect(moved.reduce((sum, one) => sum + BigInt(one.split(' ')[1] ?? ''), 0n)).toBe(0n)
  expect(await statesOf(host)).toEqual(Array.from({ length: 12 }, () => 'paid'))
  expect((await checkLedger(test.app.ownerUrl)).damages).toEqual([])
  expect(await mistakesIn(test)).toEqual([])
}, 240_000)

describe('a balance is filled', () => {
  it('three days before a renewal, once, and its mails say by what and when', async () => {
    const host = await renewing('pays')
    await goTo(host, 7)
    const planned = await plannedCharge(test.app.db, {
      user_id: host.user_id,
      due_at: new Date(Date.now() + 6 * DAY_MS),
      now: new Date(),
    })
    expect(planned).toMatchObject({ method: { brand: 'Visa', last4: '4242' } })
    expect(Math.round((must(planned).at.getTime() - Date.now()) / DAY_MS)).toBe(3)
    expect(await runsOf(host)).toEqual([])
    await goTo(host, 4)
    await goOn(test)
    expect(await runsOf(host)).toMatchObject([{ state: 'paid', amount: toMoney(PRICE, 'EUR') }])
    expect(await autoTopUpOf(host)).toMatchObject({ used: toMoney(PRICE, 'EUR'), open_run: null })
    expect(await lettersTo(host)).toEqual(['licence_renews_soon', 'payment_received'])
  })

  it('and a renewal that failed for lack of money is tried as soon as it comes', async () => {
    const host = await renewing()
    await goTo(host, 1)
    expect(await lettersTo(host)).toContain('renewal_failed')
    await fillsItself(test, host)
    await goOn(test)
    expect((await movementsOf(host)).slice(-2)).toEqual([`fill_balance ${PRICE}`, `inner_spending -${PRICE}`])
  })

  it('by a fixed amount below the threshold, at most three times a day', async () => {
    const customer = await buyer(test, 1n)
    const wish = {
      kind: 'threshold',
      threshold: toMoney(50_00n, 'EUR'),
      amount: toMoney(10_00n, 'EUR'),
    } as const
    await fillsItself(test, customer, 'pays', wish)
    for (let times = 0; times < 5; times += 1) {
      await asOwner(test, 'update auto_top_ups set look_at = now() where user_id = $1', [customer.user_id])
      await goOn(test)
    }
    expect(await statesOf(customer)).toEqual(['paid', 'paid', 'paid'])
  })

  it('never above the limit of the month, which a mail tells once', async () => {
    const host = await renewing('pays', { month_limit: toMoney(20_00n, 'EUR') })
    await goTo(host, 4)
    await goTo(host, 3)
    expect(await runsOf(host)).toEqual([])
    expect(await autoTopUpOf(host)).toMatchObject({ state: 'active', reason: 'month_limit' })
    expect((await lettersTo(host)).filter((letter) => letter === 'auto_top_up_held')).toHaveLength(1)
  })
})

// Seen red while the balance was compared with each renewal alone.
it('of several renewals that the balance pays one by one and not together, the mail of the later one names the method', async () => {
  const host = await renewing('pays')
  await addMoney(test.app, host.user_id, 2n * PRICE)
  const hostId = bodyOf(await orderHost(host), 201).host.id
  for (const [id, name] of [
    [host.hostId, 'alfa'],
    [hostId, 'beta'],
  ] as const) {
    const body = { auto_renew: true, name }
    bodyOf(await host.api.call(updateHost, { params: { hostId: id }, body }), 200)
  }
  await goTo({ ...host, hostId }, 7)
  const texts = await textsTo(host, 'licence_renews_soon')
  const says = ['of alfa', 'of beta'].map((words) => texts.filter((text) => text.includes(words)))
  expect(says.map((own) => own.map((text) => text.includes('will be charged to Visa •••• 4242')))).toEqual([
    [false],
    [true],
  ])
})

describe('what a bank says', () => {
  it('declined: tried again after 1 and 3 days, each with a mail, then paused', async () => {
    const host = await renewing('declines')
    for (const day of [4, 3.5, 2.9, 2, 0.8]) await goTo(host, day)
    expect(await statesOf(host)).toEqual(['declined', 'declined', 'declined'])
    expect(await autoTopUpOf(host)).toMatchObject({ state: 'paused', reason: 'declined' })
    expect((await lettersTo(host)).filter((letter) => letter.startsWith('auto'))).toEqual([
      'auto_top_up_declined',
      'auto_top_up_declined',
      'auto_top_up_paused',
    ])
    expect((await runsOf(host))[0]).toMatchObject({ reason: 'insufficient_funds' })
  })

  it('declined: the mail of a renewal names the day of the next try, if that is the later one', async () => {
    const host = await renewing('declines')
    await goTo(host, 4)
    expect(await statesOf(host)).toEqual(['declined'])
    const planned = await plannedCharge(test.app.db, {
      user_id: host.user_id,
      due_at: new Date(Date.now() + 3 * DAY_MS),
      now: new Date(),
    })
    expect(Math.round((must(planned).at.getTime() - Date.now()) / DAY_MS)).toBe(1)
  })

  it('declined, a debit is tried a day later, which is announced two days before, as its mail says', async () => {
    const host = await renewing('debit')
    await goTo(host, 11)
    await goTo(host, 8.9)
    expect(await statesOf(host)).toEqual(['under_way'])
    const { id } = must((await runsOf(host))[0])
    expect(await postPayment(test, paymentEvent(id, 'failed'))).toBe(200)
    expect(await statesOf(host)).toEqual(['declined'])
    const [text] = await textsTo(host, 'auto_top_up_declined')
    const again = new Date(Date.now() + 3 * DAY_MS).toLocaleDateString('en-GB', {
      dateStyle: 'long',
      timeZone: 'UTC',
    })
    expect(text).toContain(`We’ll try again on ${again}`)
  })

  it('declined for good: paused at once', async () => {
    const host = await renewing('lost')
    await goTo(host, 4)
    expect(await statesOf(host)).toEqual(['declined'])
    expect(await autoTopUpOf(host)).toMatchObject({ state: 'paused', reason: 'declined' })
  })

  it('confirm it: a mail leads to the page that finishes it, for 7 days', async () => {
    const [host, late] = [await renewing('asks'), await renewing('asks')]
    await goTo(host, 4)
    const [run] = await runsOf(host)
    const { id, act_until } = must(run)
    expect(run).toMatchObject({ state: 'action_needed' })
    expect(act_until).not.toBeNull()
    expect(await lettersTo(host)).toContain('auto_top_up_waits')
    expect(await bellOf(host)).toEqual([`charge_waits /finances/pay/${id}`])
    const allow = ({ api }: Customer) => api.call(contract.allowAutoTopUpRun, { params: { runId: id } })
    expect((await allow(late)).status).toBe(404)
    const { redirect_url } = bodyOf(await allow(host), 200)
    expect((await host.api.post(`${redirect_url}/pay`)).status).toBe(303)
    expect(await statesOf(host)).toEqual(['paid'])
    expect((await allow(host)).body).toMatchObject(refusal(409, 'run_not_waiting'))
    await passTime(test, 8)
    await sweepRuns(test.app)
    expect(await statesOf(late)).toEqual(['expired'])
    expect(await autoTopUpOf(late)).toMatchObject({ state: 'paused', reason: 'not_allowed' })
    expect(await bellOf(late)).toContain('auto_top_up /finances')
  })

  it('a direct debit is announced two days before, is under way, and pauses when it comes back', async () => {
    const host = await renewing('debit')
    await goTo(host, 11)
    expect(await statesOf(host)).toEqual(['announced'])
    expect(await lettersTo(host)).toEqual(['auto_top_up_announced'])
    await goTo(host, 9)
    await goTo(host, 8.5)
    expect(await statesOf(host)).toEqual(['under_way'])
    expect(await movementsOf(host)).toEqual([`fill_balance ${PRICE}`, `spend -${PRICE}`])
    const { id } = must((await runsOf(host))[0])
    const returned = paymentEvent(id, 'charged_back', { stops_method: true })
    for (const told of [paymentEvent(id, 'paid'), returned, returned])
      expect(await postPayment(test, told)).toBe(200)
    expect(await statesOf(host)).toEqual(['returned'])
    expect(await autoTopUpOf(host)).toMatchObject({ state: 'paused', reason: 'returned' })
    expect((await movementsOf(host)).slice(-2)).toEqual([`fill_balance ${PRICE}`, `charge_back -${PRICE}`])
  })

  it('topped up before its day, a debit that lacks nothing any more is cancelled and never charged', async () => {
    const host = await renewing('debit')
    await goTo(host, 11)
    const { id } = must((await runsOf(host))[0])
    await addMoney(test.app, host.user_id, PRICE)
    await goTo(host, 10.5)
    expect(await statesOf(host)).toEqual(['cancelled'])
    await goTo(host, 8)
    await chargeRun.run(test.app, { run: id }, 'tests')
    expect(await movementsOf(host)).toEqual([
      `fill_balance ${PRICE}`,
      `spend -${PRICE}`,
      `fill_balance ${PRICE}`,
    ])
  })

  // Seen red while a balance that had risen was looked at after six hours.
  it('topped up, an announced debit is judged at once, and nothing else is', async () => {
    const [host, other] = [await renewing('debit'), await renewing('debit')]
    const lookAt = ({ user_id }: Customer) =>
      asOwner(test, 'select look_at from auto_top_ups where user_id = $1', [user_id])
    await goOn(test)
    const before = await lookAt(other)
    await addMoney(test.app, other.user_id, 1n)
    expect(await lookAt(other)).toEqual(before)
    await goTo(host, 11)
    await addMoney(test.app, host.user_id, PRICE - 1n)
    await goOn(test)
    expect(await statesOf(host)).toEqual(['announced'])
    await addMoney(test.app, host.user_id, 1n)
    await goOn(test)
    expect(await statesOf(host)).toEqual(['cancelled'])
  })

  it('a debit above the limit of a month that is lowered before its day is cancelled and never charged', async () => {
    const host = await renewing('debit')
    await goTo(host, 11)
    expect(await statesOf(host)).toEqual(['announced'])
    const { id } = must((await runsOf(host))[0])
    const { method } = await autoTopUpOf(host)
    const lower = { month_limit: toMoney(PRICE - 1n, 'EUR') }
    bodyOf(await turnOn(host, must(method).id, lower), 200)
    await goTo(host, 9)
    await goTo(host, 8.5)
    await chargeRun.run(test.app, { run: id }, 'tests')
    expect(await statesOf(host)).toEqual(['cancelled'])
    expect(await movementsOf(host)).toEqual([`fill_balance ${PRICE}`, `spend -${PRICE}`])
  })

  it('a debit of just the limit of a month, lowered to it before its day, is charged', async () => {
    const host = await renewing('debit')
    await goTo(host, 11)
    const { method } = await autoTopUpOf(host)
    bodyOf(await turnOn(host, must(method).id, { month_limit: toMoney(PRICE, 'EUR') }), 200)
    await goTo(host, 9)
    await goTo(host, 8.5)
    expect(await statesOf(host)).toEqual(['under_way'])
  })

  it('turned off before its day, a debit is cancelled and never charged', async () => {
    const host = await renewing('debit')
    await goTo(host, 11)
    const { id } = must((await runsOf(host))[0])
    expect((await host.api.call(contract.endAutoTopUp, {})).status).toBe(204)
    expect(await statesOf(host)).toEqual(['cancelled'])
    await goTo(host, 8)
    await chargeRun.run(test.app, { run: id }, 'tests')
    expect(await statesOf(host)).toEqual(['cancelled'])
  })
})

it('a dispute pauses, of whatever charge', async () => {
  const host = await renewing('pays')
  await goTo(host, 4)
  const { id } = must((await runsOf(host))[0])
  await postPayment(test, paymentEvent(id, 'charged_back', { stops_method: true }))
  expect(await autoTopUpOf(host)).toMatchObject({ state: 'paused', reason: 'disputed' })
})
