import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { getFinances } from '#features/finance/contract.ts'
import { listHosts } from '#features/hosts/contract.ts'
import { listPlans } from '#features/licences/contract.ts'
import { makeVoucher } from '#features/finance/server/finance.ts'
import { updateProfile } from '#features/profile/contract.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { anyAddress, buyer, type Slug } from '#tests/harness/shop.ts'
import type { Installation } from '#tests/faults/installation.ts'
import type { Lot } from './lots.ts'

/** The running installation on which the steps act, and a member of its staff. */
export type World = { installation: Installation; staff: Customer }

/** A host with the settings that its customer chose. */
type KnownHost = { id: string; name: string; auto_renew: boolean }
/** A transaction that spent money, and the part of it that was not refunded. */
type Spending = { id: string; left: bigint }
/** A paid top-up, and the part of it that the bank took back. */
type Payment = { top_up: string; taken: bigint }

/** A customer, with the balance and the things that the model expects them to have. */
export type Person = {
  customer: Customer
  prices: Record<Slug, bigint>
  balance: bigint
  hosts: KnownHost[]
  spendings: Spending[]
  payments: Payment[]
  /** The rest of all payments, in the order in which it came, also if it was given back and came again. */
  lots: Lot[]
  redeemed: Set<Voucher>
}

export type Voucher = { code: string; amount: bigint; left: number }

/** The model: everything that this story's people should have. It begins anew with each run. */
export type Story = {
  people: Person[]
  /** Customers whose accounts are deleted; their books are kept. */
  gone: Person[]
  vouchers: Voucher[]
  /** The addresses of all orders, so few that several people want the same one. */
  addresses: string[]
}

export const CAP = 10_000_00n
// The VAT is 19 % without a country, 20 % in France, and none outside of the EU.
const countries = ['', 'FR', 'US']

export async function beginStory({ installation }: World): Promise<Story> {
  const people: Person[] = []
  for (const country of countries) people.push(await newPerson(installation, country, 300_00n))
  const vouchers = []
  for (const [amount, uses] of [
    [25_00n, 1],
    [40_00n, 2],
    [9_000_00n, 5],
  ] as const)
    vouchers.push({
      code: await makeVoucher(installation.app, { amount, uses, days: null }),
      amount,
      left: uses,
    })
  return { people, gone: [], vouchers, addresses: Array.from({ length: 5 }, anyAddress) }
}

/** Makes a customer who has an account, this balance and nothing else. */
export async function newPerson(installation: Installation, country: string, balance = 0n): Promise<Person> {
  const customer = await buyer(installation, balance)
  bodyOf(await customer.api.call(updateProfile, { body: { country } }), 200)
  const { items } = bodyOf(await customer.api.call(listPlans, { query: {} }), 200)
  const prices = Object.fromEntries(items.map(({ slug, price_total }) => [slug, BigInt(price_total.amount)]))
  return {
    customer,
    prices: prices as Person['prices'],
    balance,
    hosts: [],
    spendings: [],
    payments: [],
    lots: balance > 0n ? [{ top_up: 'before the story', left: balance }] : [],
    redeemed: new Set(),
  }
}

/** Asks again while the answer is 503, as every client and every provider does: a process on a busy machine may be behind. */
export async function askUntilServed<Reply extends { status: number }>(
  ask: () => Promise<Reply>,
): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    const reply = await ask()
    if (reply.status !== 503 || tries === 20) return reply
    await sleep(500)
  }
}

/** Returns the item at the index `which`, modulo the length of the list; undefined if the list is empty. */
export const pick = <T>(these: readonly T[], which: number): T | undefined => these[which % these.length]

export async function balanceOf({ customer }: Person): Promise<bigint> {
  return BigInt(bodyOf(await customer.api.call(getFinances, {}), 200).balance.amount)
}

/** Expects that everybody has the balance in the installation that the model has for them. */
export async function expectBalances({ people, gone }: Story, { installation }: World): Promise<void> {
  const everybody = [...people, ...gone]
  const { rows } = await installation.app.pool.query<{ user_id: string; balance: bigint }>(
    'select user_id, balance from balances where user_id = any ($1)',
    [everybody.map(({ customer }) => customer.user_id)],
  )
  const kept = new Map(rows.map(({ user_id, balance }) => [user_id, balance]))
  expect(everybody.map(({ customer }) => kept.get(customer.user_id) ?? 0n)).toEqual(
    everybody.map(({ balance }) => balance),
  )
}

export async function hostsOf({ customer }: Person) {
  return bodyOf(await customer.api.call(listHosts, { query: { limit: '100' } }), 200).items
}
