import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { getFinances } from '#features/finance/contract.ts'
import { runsOf } from '#tests/harness/auto-top-ups.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { leave as leaveForGood } from '#tests/harness/leaving.ts'
import { orderHost } from '#tests/harness/shop.ts'
import type { Reply } from './licences.ts'
import { payIn } from './lots.ts'
import { isPlain, purchaseOf, type Given } from './offers.ts'
import { beginTopUp, countRedemption, redeemWith, tellOnce } from './payments.ts'
import { ask, countOrder, expectReason } from './purchases.ts'
import { come } from './runs.ts'
import { askUntilServed, CAP, newPerson, pick, type Person, type Story, type World } from './story.ts'
import { must } from '#foundation/must.ts'

/** A customer deletes their account while an order is under way, and a new customer joins the story. */
export async function leave(story: Story, { installation }: World, who: number): Promise<string> {
  const person = must(pick(story.people, who))
  const { api } = person.customer
  const ipv4 = must(pick(story.addresses, who))
  const [ordered, left] = await Promise.all([
    orderHost(person.customer, { ipv4 }),
    leaveForGood(person.customer),
  ])
  expect(left.status).toBe(204)
  expect([201, 401, 402, 409]).toContain(ordered.status)
  if (ordered.status === 201) person.balance -= -BigInt(ordered.body.transaction.amount.amount)
  expect((await api.call(getFinances, {})).status).toBe(401)
  story.gone.push(person)
  story.people[story.people.indexOf(person)] = await newPerson(installation, '')
  return ordered.status === 201 ? 'after an order' : 'left'
}

type Wish = { ask(): Promise<Reply>; count(reply: Reply): Promise<void> }

/**
 * Kills the product a moment after everybody sent their requests, and starts it again. Then all send the same requests by the
 * same keys: requests that were answered before the kill get the same answers.
 */
export async function killAndRestart(
  story: Story,
  { installation }: World,
  after_ms: number,
): Promise<string> {
  const wishes: Wish[] = []
  for (const [place, person] of story.people.entries()) {
    // A voucher is counted before the orders, which may have spent its gift.
    wishes.push(voucherWish(person, story, place), ...orderWish(person, story, place))
    wishes.push(...renewalWish(person, story), ...(await paymentWish(person, installation)))
    wishes.push(...runWishes(person, installation))
  }
  const asked = wishes.map(async ({ ask }) => ask().catch((): undefined => undefined))
  await sleep(after_ms)
  await installation.kill()
  const before = await Promise.all(asked)
  await installation.start()
  for (const [place, { ask, count }] of wishes.entries()) {
    const again = await askUntilServed(ask)
    const first = before[place]
    if (first && done.includes(first.status))
      expect([again.status, again.body]).toEqual([first.status, first.body])
    await count(again)
  }
  const answered = before.filter((reply) => reply && done.includes(reply.status)).length
  return answered === 0
    ? 'before any answer'
    : answered < wishes.length
      ? 'between answers'
      : 'after all answers'
}

const done = [200, 201]

/** A new server with an add-on, something that is paid once, and a promo code. */
const orderWish = (person: Person, story: Story, place: number): Wish[] =>
  purchaseWish(person, story, {
    which: place,
    plan: 'rich-month',
    named: { seats: 1 + place, once: 1 },
    code: place,
    renews: false,
  })

function renewalWish(person: Person, story: Story): Wish[] {
  const which = person.hosts.filter(({ isProgram }) => !isProgram).findIndex(isPlain)
  return which < 0
    ? []
    : purchaseWish(person, story, {
        which,
        plan: 'standard-month',
        renews: true,
        named: undefined,
        code: undefined,
      })
}

function purchaseWish(person: Person, story: Story, given: Given): Wish[] {
  const key = randomUUID()
  const purchase = must(purchaseOf(person, story, given))
  const offer = must(purchase.offers[0])
  return [
    {
      ask: () => ask(person, purchase, offer, key),
      async count(reply) {
        countOrder(person, purchase, { reply, offer })
        await expectReason(person, story, purchase, { reply, offer })
      },
    },
  ]
}

/** The events of a run that waits for its money. */
const runWishes = (person: Person, installation: World['installation']): Wish[] =>
  [...person.runs]
    .filter(([, state]) => state === 'open')
    .map(([top_up]) => {
      const event = JSON.stringify({ id: randomUUID(), kind: 'paid', top_up })
      return {
        ask: async () => ({ status: await tellOnce(installation, event), body: undefined }),
        async count({ status }) {
          expect(status).toBe(200)
          const run = (await runsOf(person.customer)).find(({ id }) => id === top_up)
          come(person, must(run))
        },
      }
    })

function voucherWish(person: Person, { vouchers }: Story, place: number): Wish {
  const voucher = must(pick(vouchers, place))
  const key = randomUUID()
  return {
    ask: () => redeemWith(person, voucher, key),
    async count({ status }) {
      if (status === 201) countRedemption(person, voucher)
      // The voucher is used up or the balance would exceed the cap: the answer depends on the other wishes of this moment.
      else expect([400, 409]).toContain(status)
    },
  }
}

/** Begins a top-up. The wish is the event of the provider that the top-up was paid. */
async function paymentWish(person: Person, installation: World['installation']): Promise<Wish[]> {
  const amount = 50_00n
  const begun = await beginTopUp(person, amount)
  if (begun.status !== (201 as number)) {
    expect(person.balance + amount).toBeGreaterThan(CAP)
    return []
  }
  const { id: top_up } = bodyOf(begun, 201)
  const event = JSON.stringify({ id: randomUUID(), kind: 'paid', top_up })
  return [
    {
      ask: async () => ({ status: await tellOnce(installation, event), body: undefined }),
      async count({ status }) {
        expect(status).toBe(200)
        payIn(person, top_up, amount)
      },
    },
  ]
}
