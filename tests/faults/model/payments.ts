import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import * as finance from '#features/finance/contract.ts'
import * as sales from '#features/sales/contract.ts'
import {
  SIGNATURE_HEADER,
  signTestEvent,
  type TestEvent,
} from '#features/finance/server/providers/test-events.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { takeBack, keptOf, payIn } from './lots.ts'
import { askUntilServed, CAP, pick, type Person, type Story, type Voucher, type World } from './story.ts'
import { must } from '#foundation/must.ts'

type Told = Omit<TestEvent, 'id'>

/** Money comes by the test provider, which sends its event several times at once. */
export async function topUp(
  person: Person,
  world: World,
  wanted: { amount: bigint; told: number },
): Promise<string> {
  const { amount, told } = wanted
  const reply = await beginTopUp(person, amount)
  if (person.balance + amount > CAP) {
    expect(reply).toMatchObject({ status: 400, body: refusal(400, 'balance_cap', 'amount') })
    return 'refused above the cap'
  }
  const { id: top_up } = bodyOf(reply, 201)
  await tell(world, { kind: 'paid', top_up }, told)
  payIn(person, top_up, amount)
  return 'paid'
}

export const beginTopUp = ({ customer }: Person, amount: bigint, key: string = randomUUID()) =>
  customer.api.call(finance.startTopUp, {
    headers: { 'idempotency-key': key },
    body: { amount: String(amount), provider: 'test' },
  })

/** The bank charges back `amount` of a payment, or all of it; a larger amount takes what is left of the payment. */
export async function chargeBack(
  person: Person,
  world: World,
  { which, amount }: { which: number; amount: bigint | undefined },
): Promise<string> {
  const payment = pick(person.payments, which)
  if (!payment) return 'nothing'
  const { top_up } = payment
  const kept = keptOf(person.lots, top_up)
  const more = amount === undefined ? {} : { amount: String(amount) }
  await tell(world, { kind: 'charged_back', top_up, ...more }, 2)
  const taken = amount === undefined || amount > kept ? kept : amount
  takeBack(person.lots, taken, top_up)
  payment.taken += taken
  person.balance -= taken
  return person.balance < 0n ? 'into debt' : 'taken'
}

/** The bank returns all that it has charged back of a payment. */
export async function reinstate(person: Person, world: World, which: number): Promise<string> {
  const payment = pick(
    person.payments.filter(({ taken }) => taken > 0n),
    which,
  )
  if (!payment) return 'nothing'
  await tell(world, { kind: 'reinstated', top_up: payment.top_up }, 2)
  person.balance += payment.taken
  person.lots.push({ top_up: payment.top_up, left: payment.taken })
  payment.taken = 0n
  return 'given again'
}

export async function tell({ installation }: World, told: Told, times: number): Promise<void> {
  const event = JSON.stringify({ id: randomUUID(), ...told })
  const tellUntilHeard = () => askUntilServed(async () => ({ status: await tellOnce(installation, event) }))
  const answers = await Promise.all(Array.from({ length: times }, tellUntilHeard))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
}

export async function tellOnce({ app, client }: World['installation'], event: string): Promise<number> {
  const headers = { [SIGNATURE_HEADER]: signTestEvent(app, event) }
  return (await client().post('/api/payments/test/events/', event, { headers })).status
}

export const redeemWith = ({ customer }: Person, { code }: Voucher, key: string = randomUUID()) =>
  customer.api.call(finance.redeemVoucher, { headers: { 'idempotency-key': key }, body: { code } })

/** Somebody redeems one of the story's vouchers. */
export async function redeem(person: Person, { vouchers }: Story, which: number): Promise<string> {
  const voucher = must(pick(vouchers, which))
  const reply = await redeemWith(person, voucher)
  if (person.redeemed.has(voucher) || voucher.left === 0) {
    expect(reply).toMatchObject({ status: 409, body: refusal(409, 'voucher_used') })
    return 'used already'
  }
  if (person.balance + voucher.amount > CAP) {
    expect(reply).toMatchObject({ status: 400, body: refusal(400, 'balance_cap', 'code') })
    return 'refused above the cap'
  }
  bodyOf(reply, 201)
  countRedemption(person, voucher)
  return 'redeemed'
}

export function countRedemption(person: Person, voucher: Voucher): void {
  person.balance += voucher.amount
  person.redeemed.add(voucher)
  voucher.left -= 1
}

/** Staff refund a charge or a part of it, also to a person whose account is deleted. */
export async function refund(
  { people, gone }: Story,
  { staff }: World,
  { who, which, amount }: { who: number; which: number; amount: bigint | undefined },
): Promise<string> {
  const person = must(pick([...people, ...gone], who))
  const spending = pick(person.spendings, which)
  if (!spending) return 'nothing'
  const reply = await staff.api.call(sales.refundTransaction, {
    params: { userId: person.customer.user_id, id: spending.id },
    headers: { 'idempotency-key': randomUUID() },
    body: { reason: 'as was agreed', ...(amount === undefined ? {} : { amount: String(amount) }) },
  })
  const given = amount ?? spending.left
  if (given > spending.left || given === 0n) {
    expect(reply).toMatchObject({ status: 409, body: refusal(409, 'not_refundable') })
    return 'refused'
  }
  bodyOf(reply, 201)
  spending.left -= given
  person.balance += given
  const host = person.hosts.find(({ id }) => id === spending.host_id)
  if (host && spending.left === 0n) host.isSure = false
  return gone.includes(person) ? 'to who has left' : spending.left === 0n ? 'whole' : 'in part'
}
