import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { listTransactions } from '#features/finance/contract.ts'
import { cancelCheckout, createCheckout, type Checkout } from '#features/sales/checkouts.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { checkoutState } from '#tests/harness/payments.ts'
import type { Offer } from './goods.ts'
import { addressOf, isHeld, isSuspended, type Reply } from './licences.ts'
import { payIn } from './lots.ts'
import { countBought, isRefused, purchaseOf, type Given, type Purchase } from './offers.ts'
import { tell, topUp } from './payments.ts'
import { fieldsOf, isOfCode, isOfName, isOtherPrice, known, NAMELESS } from './purchases.ts'
import { CAP, hostsOf, pick, type Person, type SavedMethod, type Story, type World } from './story.ts'

/** The smallest payment, in minor units. */
const LEAST = 500n

export type Wanted = Given & {
  /** The number of events that tell of the payment. */
  told: number
  /** True to charge a saved method, if there is one. */
  saved: boolean
  meanwhile: 'nothing' | 'cancels' | 'topsUp'
}

/** An order or a renewal that pays itself: begun, perhaps overtaken by something, and paid. */
export async function checkOut(
  person: Person,
  story: Story,
  world: World,
  { told, saved, meanwhile, ...given }: Wanted,
): Promise<string> {
  const purchase = purchaseOf(person, story, given)
  if (!purchase) return 'nothing'
  const method = saved ? pick(person.methods, given.which) : undefined
  const { reply, offer } = await begin(person, purchase, method)
  const missing = offer.total - person.balance
  if (method?.way === 'lost' || method?.way === 'declines')
    if (isDeclined(reply, method)) return 'the saved card is declined'
  if (reply.status !== 201) return refused(person, story, purchase, { reply, offer, missing })
  expect(missing).toBeGreaterThan(0n)
  const due = missing > LEAST ? missing : LEAST
  const { id, top_up, state } = reply.body as Checkout
  expect(top_up.amount).toEqual(toMoney(due, 'EUR'))
  const wasCharged = method !== undefined && ['pays', 'paypal'].includes(method.way)
  expect(state).toBe(wasCharged ? 'done' : 'open')
  if (meanwhile === 'cancels' && !wasCharged)
    bodyOf(await person.customer.api.call(cancelCheckout, { params: { id } }), 200)
  if (meanwhile === 'topsUp' && !wasCharged) await topUp(person, world, { amount: LEAST, told: 1 })
  // The provider tells of a charged card, too, and perhaps once more.
  await tell(world, { kind: 'paid', top_up: id }, told)
  payIn(person, id, due)
  return count(person, story, await checkoutState(person.customer, id), { purchase, offer })
}

/** Begins at each price that there may be, until it is the right one. */
async function begin(
  { customer }: Person,
  purchase: Purchase,
  method: SavedMethod | undefined,
): Promise<{ reply: Reply; offer: Offer }> {
  const { host, offers } = purchase
  for (const offer of offers) {
    const reply = await customer.api.call(createCheckout, {
      headers: { 'idempotency-key': randomUUID() },
      body: {
        ...fieldsOf(purchase, offer),
        ...(method ? { method: method.id } : { provider: 'test' as const }),
        ...(host ? { for: 'renewal' as const, host_id: host.id } : { for: 'order' as const, name: '' }),
      },
    })
    if (!isOtherPrice(reply)) return { reply, offer }
  }
  throw new Error(`none of the prices ${offers.map(({ total }) => total).join(', ')} is the product's`)
}

/** True if a charge was declined; a card that was declined for good is out of use from then on. */
function isDeclined({ status, body }: Reply, method: SavedMethod): boolean {
  const code = (body as { errors?: { code: string }[] }).errors?.[0]?.code ?? ''
  if (status === 402 && code === 'charge_declined') return true
  return method.way === 'lost' && code === 'method_not_usable'
}

/** Counts an order that was done, and expects of any other that its money alone has come. */
async function count(
  person: Person,
  story: Story,
  { state, refusal: code }: Checkout,
  { purchase, offer }: { purchase: Purchase; offer: Offer },
): Promise<string> {
  const { wish, host, ipv4 } = purchase
  if (state !== 'done') {
    const wanted = host ? await addressOf(person, host.id) : ipv4
    if (code === 'ipv4_licensed') expect(await isHeld(story, wanted ?? '')).toBe(true)
    else expect([state, code]).toEqual(['cancelled', null])
    return `${state}, the money is there`
  }
  const { items } = bodyOf(
    await person.customer.api.call(listTransactions, { query: { type: 'spend', limit: '100' } }),
    200,
  )
  const charges = items.filter(({ id }) => !person.spendings.some((spending) => spending.id === id))
  expect(charges.map(({ amount }) => -BigInt(amount.amount))).toEqual([offer.total])
  const { id, host_id } = must(charges[0])
  person.balance -= offer.total
  person.spendings.push({ id, left: offer.total, host_id })
  const bought = (await hostsOf(person)).find((one) => one.id === host_id)
  countBought(person, known(person, must(bought), wish), wish, offer.bought)
  return 'paid itself'
}

/** Expects that a checkout is refused for what refuses its order, or since nothing lacks. */
async function refused(
  person: Person,
  story: Story,
  { wish, host, ipv4: ordered }: Purchase,
  { reply: { status, body }, offer, missing }: { reply: Reply; offer: Offer; missing: bigint },
): Promise<string> {
  if (await isSuspended(person, host?.id ?? '', body)) return 'refused, the server is suspended'
  if (isOfCode(body)) {
    expect(isRefused(person, wish.promo, wish.plan), `the code ${wish.promo?.code} is used`).toBe(true)
    return 'refused, the code is used'
  }
  if (isOfName(body)) {
    expect(offer.total).toBeGreaterThan(NAMELESS)
    return 'refused, the invoice must name its buyer'
  }
  const ipv4 = host ? await addressOf(person, host.id) : (ordered ?? '')
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
  expect({ status, body }, JSON.stringify(body)).toMatchObject({
    status: 409,
    body: refusal(409, 'ipv4_licensed', 'ipv4'),
  })
  expect(await isHeld(story, ipv4), `${ipv4} is held`).toBe(true)
  return 'refused, the address is held'
}
