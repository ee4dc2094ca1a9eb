import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { orderHost, orderLicence, type Ordered } from '#features/sales/contract.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { refusal } from '#tests/harness/hosts.ts'
import { extrasIn, plans, type Offer, type Wish } from './goods.ts'
import { addressOf, isHeld, isSuspended, type Reply } from './licences.ts'
import { countBought, isPlain, isRefused, purchaseOf, type Given, type Purchase } from './offers.ts'
import { balanceOf, type KnownHost, type Person, type Story } from './story.ts'

export type Answered = { reply: Reply; offer: Offer }

/** Orders new hosts, several at once, each for another address; or renews one, several times at once. */
export async function buy(
  person: Person,
  story: Story,
  { atOnce, ...given }: Given & { atOnce: number },
): Promise<string> {
  const first = purchaseOf(person, story, given)
  if (!first) return 'nothing'
  const { host } = first
  // Only a plain host has the same price behind each of several renewals.
  const count = !host || (isPlain(host) && plans[given.plan].edition === 'standard') ? atOnce : 1
  const purchases = Array.from({ length: given.code === undefined || !host ? count : 1 }, (_, place) =>
    host ? first : must(purchaseOf(person, story, { ...given, which: given.which + place })),
  )
  const answers = await Promise.all(purchases.map((purchase) => askUntilPriced(person, purchase)))
  for (const [place, answer] of answers.entries()) countOrder(person, must(purchases[place]), answer)
  for (const [place, answer] of answers.entries())
    await expectReason(person, story, must(purchases[place]), answer)
  return tell(answers.map(({ reply }) => reply))
}

/** Orders at each price that there may be, until it is the right one. */
async function askUntilPriced(person: Person, purchase: Purchase): Promise<Answered> {
  for (const offer of purchase.offers) {
    const reply = await ask(person, purchase, offer)
    if (!isOtherPrice(reply)) return { reply, offer }
  }
  throw new Error(
    `none of the prices ${purchase.offers.map(({ total }) => total).join(', ')} is the product's`,
  )
}

export const isOtherPrice = ({ status, body }: Reply): boolean =>
  status === 409 && codeOf(body) === 'price_changed'

/** The fields by which an order, and a checkout of it, says what it wants. */
export const fieldsOf = ({ wish, host, ipv4 }: Purchase, { total }: Offer) => ({
  plan: wish.plan,
  expected_total: toMoney(total, 'EUR'),
  ...extrasIn(wish),
  ...(wish.promo && { promo: wish.promo.code }),
  ...(host ? {} : { name: 'shop' }),
  ...(ipv4 !== undefined && { ipv4 }),
})

export function ask(
  { customer }: Person,
  purchase: Purchase,
  offer: Offer,
  key: string = randomUUID(),
): Promise<Reply> {
  const headers = { 'idempotency-key': key }
  const body = fieldsOf(purchase, offer)
  const { host } = purchase
  if (host) return customer.api.call(orderLicence, { params: { hostId: host.id }, headers, body })
  return customer.api.call(orderHost, { headers, body: { name: 'shop', ...body } })
}

/** Counts an order that succeeded: it was paid, by the amount of its invoice and the gift that lowered it. */
export function countOrder(
  person: Person,
  { wish }: Pick<Purchase, 'wish'>,
  { reply, offer }: Answered,
): void {
  if (reply.status !== 201) return
  const { host, invoice, transaction } = reply.body as Ordered
  const total = -BigInt(transaction.amount.amount)
  const gift = total - BigInt(invoice.total.amount)
  // The model does not know the order of orders at once, and so which of them had the gift.
  const given = [...person.redeemed].reduce((sum, { amount }) => sum + amount, 0n)
  expect([gift >= 0n && gift <= given, invoice.status]).toEqual([true, 'paid'])
  expect([total, transaction.invoice_id]).toEqual([offer.total, invoice.id])
  person.balance -= total
  person.spendings.push({ id: transaction.id, left: total, host_id: host.id })
  countBought(person, known(person, host, wish), wish, offer.bought)
}

/** Returns a host of the model, which a first order adds to it. */
export function known(
  person: Person,
  host: Pick<KnownHost, 'id' | 'name' | 'auto_renew'>,
  { plan }: Wish,
): KnownHost {
  const found = person.hosts.find(({ id }) => id === host.id)
  if (found) return found
  const { id, name, auto_renew } = host
  const added = { id, name, auto_renew, isProgram: plans[plan].isProgram, bought: [], isSure: true }
  person.hosts.push(added)
  return added
}

/** Expects that an order is refused only for want of money, for its code, or since somebody holds the address. */
export async function expectReason(
  person: Person,
  story: Story,
  { wish, host, ipv4: ordered }: Purchase,
  { reply: { status, body }, offer }: Answered,
): Promise<void> {
  if (status === 201) return
  if (status === 402) {
    expect(body).toEqual(refusal(402, 'insufficient_balance'))
    expect(await balanceOf(person)).toBeLessThan(offer.total)
    return
  }
  if (isOfCode(body)) {
    expect(isRefused(person, wish.promo, wish.plan), `the code ${wish.promo?.code} is used`).toBe(true)
    return
  }
  if (isOfName(body)) {
    expect(offer.total).toBeGreaterThan(NAMELESS)
    return
  }
  const ipv4 = host ? await addressOf(person, host.id) : (ordered ?? '')
  if (await isSuspended(person, host?.id ?? '', body)) return
  expect({ status, body }, JSON.stringify(body)).toMatchObject({
    status: 409,
    body: refusal(409, 'ipv4_licensed', 'ipv4'),
  })
  expect(await isHeld(story, ipv4), `${ipv4} is held`).toBe(true)
}

/** The most that an invoice without the name of its buyer may be over (§ 33 UStDV); nobody in the stories has one. */
export const NAMELESS = 250_00n

const codeOf = (body: unknown): string => (body as { errors: { code: string }[] }).errors[0]?.code ?? ''

/** True if an order was refused since its invoice must name its buyer. */
export const isOfName = (body: unknown): boolean => codeOf(body) === 'billing_address_required'

/** True if an order was refused for its promo code. */
export const isOfCode = (body: unknown): boolean => codeOf(body).startsWith('promo_')

const words: Record<number, string> = { 201: 'paid', 402: 'no money', 409: 'refused' }

function tell(replies: readonly Reply[]): string {
  const statuses = [...new Set(replies.map(({ status }) => status))]
  return statuses
    .toSorted((one, other) => one - other)
    .map((status) => words[status])
    .join(', ')
}
