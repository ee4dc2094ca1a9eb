import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { getFinances } from '#features/finance/contract.ts'
import { listHosts } from '#features/hosts/contract.ts'
import type { TestMethod } from '#features/finance/server/providers/test-methods.ts'
import { makeVoucher } from '#features/finance/server/finance.ts'
import { updateProfile } from '#features/profile/contract.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { payFrom } from '#tests/harness/money.ts'
import { anyAddress, buyer } from '#tests/harness/shop.ts'
import type { Installation } from '#tests/faults/installation.ts'
import { makeCodes, type Bought, type Promo } from './goods.ts'
import type { Lot } from './lots.ts'

/** The running installation on which the steps act, and a member of its staff. */
export type World = { installation: Installation; staff: Customer }

/** A host with the settings that its customer chose. */
export type KnownHost = {
  id: string
  name: string
  auto_renew: boolean
  isProgram: boolean
  /** Everything that was bought for it, oldest first. */
  bought: Bought[]
  /** False once something of it was refunded whole: the model does not know then which period is the last. */
  isSure: boolean
}
/** A transaction that spent money for a host, and the part of it that was not refunded. */
type Spending = { id: string; left: bigint; host_id: string | null }
/** A paid top-up, and the part of it that the bank took back. */
type Payment = { top_up: string; taken: bigint }

/** A customer, with the balance and the things that the model expects them to have. */
export type Person = {
  customer: Customer
  rate_bp: bigint
  balance: bigint
  hosts: KnownHost[]
  spendings: Spending[]
  payments: Payment[]
  /** The rest of all payments, in the order in which it came, also if it was given back and came again. */
  lots: Lot[]
  redeemed: Set<Voucher>
  /** The promo codes that were used, each once. */
  used: Set<Promo>
  methods: SavedMethod[]
  filling: AutoTopUpWish | undefined
  /** The runs of the automatic top-up whose money has not come, and those whose money has. */
  runs: Map<string, 'open' | 'paid'>
}

export type SavedMethod = { id: string; way: TestMethod }
/** An automatic top-up as its customer turned it on: what renewals lack, or an amount below a threshold. */
export type AutoTopUpWish = { cents: { threshold: bigint; amount: bigint } | undefined; month_limit: bigint }

export type Voucher = { code: string; amount: bigint; left: number }

/** The model: everything that this story's people should have. It begins anew with each run. */
export type Story = {
  people: Person[]
  /** Customers whose accounts are deleted; their books are kept. */
  gone: Person[]
  vouchers: Voucher[]
  codes: Promo[]
  /** The addresses of all orders, so few that several people want the same one. */
  addresses: string[]
}

export const CAP = 10_000_00n
/** The VAT in basis points: that of the seller without a country, that of France, and none outside of the EU where a card says the same. */
const rates = { '': 1900n, FR: 2000n, US: 0n } as const
type Country = keyof typeof rates

export async function beginStory({ installation }: World): Promise<Story> {
  const people: Person[] = []
  for (const country of ['', 'FR', 'US'] as const)
    people.push(await newPerson(installation, country, 300_00n))
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
  return {
    people,
    gone: [],
    vouchers,
    codes: await makeCodes(installation),
    addresses: Array.from({ length: 5 }, anyAddress),
  }
}

/** Makes a customer who has an account, this balance and nothing else. */
export async function newPerson(installation: Installation, country: Country, balance = 0n): Promise<Person> {
  const customer = await buyer(installation, country === 'US' ? 0n : balance)
  if (country === 'US') await payFrom(installation.app, customer.user_id, country, balance)
  bodyOf(await customer.api.call(updateProfile, { body: { country } }), 200)
  return {
    customer,
    rate_bp: rates[country],
    balance,
    hosts: [],
    spendings: [],
    payments: [],
    lots: balance > 0n ? [{ top_up: 'before the story', left: balance }] : [],
    redeemed: new Set(),
    used: new Set(),
    methods: [],
    filling: undefined,
    runs: new Map(),
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
