import { expect } from 'vitest'
import { listTransactions } from '#features/finance/contract.ts'
import { cancelCheckout, type Checkout } from '#features/sales/checkouts.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { beginCheckout, checkoutState } from '#tests/harness/payments.ts'
import type { Slug } from '#tests/harness/shop.ts'
import { addressOf, isHeld, isSuspended } from './licences.ts'
import { payIn } from './lots.ts'
import { tell, topUp } from './payments.ts'
import { CAP, hostsOf, pick, type Person, type Story, type World } from './story.ts'

/** The smallest payment, in minor units. */
const LEAST = 500n

export type Wanted = {
  which: number
  plan: Slug
  /** True to renew a server that is there. */
  renews: boolean
  /** The number of events that tell of the payment. */
  told: number
  meanwhile: 'nothing' | 'cancels' | 'topsUp'
}

/** An order or a renewal that pays itself: begun, perhaps overtaken by something, and paid. */
export async function checkOut(
  person: Person,
  story: Story,
  world: World,
  { which, plan, renews, told, meanwhile }: Wanted,
): Promise<string> {
  const host = renews ? pick(person.hosts, which) : undefined
  if (renews && !host) return 'nothing'
  const ipv4 = must(pick(story.addresses, which))
  const price = person.prices[plan]
  const ofServer = host ? { for: 'renewal' as const, host_id: host.id } : { ipv4, name: '' }
  const order = { plan, expected_total: toMoney(price, 'EUR'), ...ofServer }
  const begun = await beginCheckout(person.customer, order)
  const missing = price - person.balance
  const wanted = host ? await addressOf(person, host.id) : ipv4
  if (begun.status !== 201) return refused(person, story, begun, { missing, ipv4: wanted })
  expect(missing).toBeGreaterThan(0n)
  const due = missing > LEAST ? missing : LEAST
  const { id, top_up } = begun.body
  expect(top_up.amount).toEqual(toMoney(due, 'EUR'))
  if (meanwhile === 'cancels') bodyOf(await person.customer.api.call(cancelCheckout, { params: { id } }), 200)
  if (meanwhile === 'topsUp') await topUp(person, world, { amount: LEAST, told: 1 })
  await tell(world, { kind: 'paid', top_up: id }, told)
  payIn(person, id, due)
  return count(person, story, await checkoutState(person.customer, id), { price, ipv4: wanted })
}

/** Counts an order that was done, and expects of any other that its money alone has come. */
async function count(
  person: Person,
  story: Story,
  { state, refusal: code }: Checkout,
  { price, ipv4 }: { price: bigint; ipv4: string },
): Promise<string> {
  if (state !== 'done') {
    if (code === 'ipv4_licensed') expect(await isHeld(story, ipv4)).toBe(true)
    else expect([state, code]).toEqual(['cancelled', null])
    return `${state}, the money is there`
  }
  const { items } = bodyOf(
    await person.customer.api.call(listTransactions, { query: { type: 'spend', limit: '100' } }),
    200,
  )
  const charges = items.filter(({ id }) => !person.spendings.some((spending) => spending.id === id))
  expect(charges.map(({ amount }) => -BigInt(amount.amount))).toEqual([price])
  person.balance -= price
  person.spendings.push({ id: must(charges[0]).id, left: price })
  for (const host of await hostsOf(person))
    if (!person.hosts.some(({ id }) => id === host.id)) person.hosts.push(host)
  return 'paid itself'
}

/** Expects that a checkout is refused for what refuses its order, or since nothing lacks. */
async function refused(
  person: Person,
  story: Story,
  { status, body }: { status: number; body: unknown },
  { missing, ipv4 }: { missing: bigint; ipv4: string },
): Promise<string> {
  if (await isSuspended(person, ipv4, body)) return 'refused, the server is suspended'
  if (missing <= 0n) {
    const held = [refusal(409, 'balance_suffices'), refusal(409, 'ipv4_licensed', 'ipv4')]
    expect(held).toContainEqual(body)
    return 'the balance suffices'
  }
  if (status === 400) {
    expect(body).toEqual(refusal(400, 'balance_cap', 'amount'))
    expect(missing).toBeLessThanOrEqual(CAP)
    return 'refused above the cap'
  }
  expect({ status, body }).toMatchObject({ status: 409, body: refusal(409, 'ipv4_licensed', 'ipv4') })
  expect(await isHeld(story, ipv4), `${ipv4} is held`).toBe(true)
  return 'refused, the address is held'
}
