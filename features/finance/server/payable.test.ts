import { expect, it } from 'vitest'
import { giftOfRefund } from '#features/finance/gifts.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { MoneyLots } from '#tests/harness/money-lots.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { checkLedger } from './check.ts'
import { lockBalances, spendingOf, spentBy } from './ledger-queries.ts'
import { post, type Movement } from './ledger.ts'
import { payableOf } from './payable.ts'
import { must } from '#foundation/must.ts'

const test = await startTestApp()

// As many histories as HISTORIES says, side by side, of STEPS steps each: the long tests set 100,000.
const histories = Number(process.env['PAYABLE_HISTORIES'] ?? 120)
const ABREAST = 120
const STEPS = 24
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)

type Life = { user_id: string; lots: MoneyLots; payments: string[]; sales: string[]; outs: Out[] }
/** Money that left by a payout or a chargeback: the transaction, the payment that it reversed, and what may come back. */
type Out = { id: string; payment: string; left: bigint }

const random = ((state: number) => () => {
  // The generator of Park and Miller, so that a seed that failed can be run again.
  state = (state * 48_271) % 2_147_483_647
  return state / 2_147_483_647
})(seed + 1)
const upTo = (most: bigint): bigint => 1n + BigInt(Math.floor(random() * Number(most)))
const oneOf = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]

const code = (name: 'top_up' | 'voucher' | 'licence_order' | 'charge_back' | 'payout' | 'written_off') => ({
  code: name,
  params: { provider: 'test', reason: '' },
})

/** Does one random step of one history, on the ledger and on the lots beside it. */
async function step(app: App, tx: Tx, { user_id, lots, payments, sales, outs }: Life): Promise<void> {
  const book = async (movement: Omit<Movement, 'user_id'>) =>
    (await post(app, tx, { user_id, provider: 'test', ...movement })).transaction_id
  const takeOut = async (payment: string, amount: bigint, name: 'charge_back' | 'payout') => {
    const id = await book({ type: 'charge_back', amount, description: code(name), reverses: payment })
    outs.push({ id, payment, left: amount })
    lots.chargeBack(payment, amount)
  }
  const acts = {
    async pay() {
      const amount = upTo(30n)
      const id = await book({ type: 'fill_balance', amount, description: code('top_up') })
      payments.push(id)
      lots.pay(id, amount)
    },
    async give() {
      const amount = upTo(20n)
      await book({ type: 'fill_balance_voucher', amount, description: code('voucher'), provider: '' })
      lots.give(amount)
    },
    async spend() {
      if (lots.balance <= 0n) return
      const amount = upTo(lots.balance)
      const gift = lots.gift < amount ? lots.gift : amount
      const sale = { type: 'spend', amount, gift, description: code('licence_order'), provider: '' } as const
      const id = await book(sale)
      sales.push(id)
      lots.spend(id, amount)
    },
    async refund() {
      const id = oneOf(sales)
      const spending = id === undefined ? undefined : lots.spendings.get(id)
      if (id === undefined || !spending || spending.back === spending.total) return
      const amount = upTo(spending.total - spending.back)
      const gift = giftOfRefund(spendingOf(must(await spentBy(tx, user_id, id))), amount)
      const back = { type: 'return_on_balance', amount, gift, reverses: id, provider: '' } as const
      await book({ ...back, description: { code: 'refund', params: { reason: '' } } })
      lots.refund(id, amount)
    },
    async chargeBack() {
      const payment = oneOf(payments)
      const left = payment === undefined ? 0n : must(lots.payments.get(payment))
      if (payment !== undefined && left > 0n) await takeOut(payment, upTo(left), 'charge_back')
    },
    async payOut() {
      let rest = lots.payable
      for (const payment of payments) {
        const left = must(lots.payments.get(payment))
        const part = left < rest ? left : rest
        rest -= part
        if (part > 0n) await takeOut(payment, part, 'payout')
      }
      expect(rest).toBe(0n)
    },
    async comeBack() {
      const out = oneOf(outs.filter(({ left }) => left > 0n))
      if (!out) return
      const amount = upTo(out.left)
      await book({ type: 'fill_balance', amount, reverses: out.id, description: code('top_up') }).then(
        (id) => {
          payments.push(id)
          // The ledger books it as a payment of its own, from which it may leave again.
          lots.pay(id, amount)
        },
      )
      out.left -= amount
    },
    async writeOff() {
      if (lots.balance >= 0n) return
      const amount = upTo(-lots.balance)
      const written = { type: 'fill_balance_voucher', amount, description: code('written_off') } as const
      await book({ ...written, provider: '' })
      lots.writeOff(amount)
    },
  }
  await must(
    oneOf([
      acts.pay,
      acts.pay,
      acts.give,
      acts.spend,
      acts.spend,
      acts.refund,
      acts.chargeBack,
      acts.payOut,
      acts.comeBack,
      acts.writeOff,
    ]),
  )()
}

it(`rule 61: what may leave is what lots of money say, to the cent, after each step of ${histories} histories`, async () => {
  const { app } = test
  const { currency } = app.config
  for (let begun = 0; begun < histories; begun += ABREAST) {
    const made = `insert into users (email) select 'lots-' || $1 || '-' || n || '@example.org' from generate_series(1, ${ABREAST}) n returning id`
    const people = await (asOwner(test, made, [String(begun)]) as Promise<{ id: string }[]>)
    const lives = people
      .map(({ id }): Life => ({ user_id: id, lots: new MoneyLots(), payments: [], sales: [], outs: [] }))
      .toSorted((one, other) => (one.user_id < other.user_id ? -1 : 1))
    for (let at = 0; at < STEPS; at += 1) {
      await transaction(app, 'system', async (tx) => {
        const ids = lives.map(({ user_id }) => user_id)
        await lockBalances(tx, ids, currency)
        await Promise.all(lives.map((life) => step(app, tx, life)))
      })
      const found = await Promise.all(lives.map(({ user_id }) => payableOf(app.db, { user_id, currency })))
      expect(
        found.map(({ balance, gift, payable }) => [balance, gift, payable]),
        `seed ${seed}`,
      ).toEqual(lives.map(({ lots }) => [lots.balance, lots.gift, lots.payable]))
    }
  }
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
}, 36_000_000)
