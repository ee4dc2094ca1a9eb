import { expect } from 'vitest'
import { listTransactions } from '#features/finance/contract.ts'
import { deleteHost, updateHost } from '#features/hosts/contract.ts'
import type { Ordered } from '#features/sales/contract.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { doLicenceJobs, orderHost, orderLicence, passTime, type Slug } from '#tests/harness/shop.ts'
import { balanceOf, hostsOf, pick, type Person, type Story, type World } from './story.ts'
import { must } from '#foundation/must.ts'

export type Reply = { status: number; body: unknown }
export type Wanted = { which: number; plan: Slug; atOnce: number }

/** Orders new hosts, several at once, each for another address. */
export async function order(person: Person, story: Story, { which, plan, atOnce }: Wanted): Promise<string> {
  const addresses = Array.from({ length: atOnce }, (_, place) => must(pick(story.addresses, which + place)))
  const replies = await Promise.all(
    addresses.map((ipv4) => orderHost(person.customer, { plan, ipv4, total: person.prices[plan] })),
  )
  for (const reply of replies) countOrder(person, reply)
  for (const [place, reply] of replies.entries())
    await expectReason(person, story, reply, { plan, ipv4: must(addresses[place]) })
  return tell(replies)
}

/** Renews one host, several times at once. */
export async function renew(person: Person, story: Story, { which, plan, atOnce }: Wanted): Promise<string> {
  const host = pick(person.hosts, which)
  if (!host) return 'nothing'
  const replies = await Promise.all(
    Array.from({ length: atOnce }, () =>
      orderLicence(person.customer, host.id, { plan, total: person.prices[plan] }),
    ),
  )
  const ipv4 = await addressOf(person, host.id)
  for (const reply of replies) countOrder(person, reply)
  for (const reply of replies) await expectReason(person, story, reply, { plan, ipv4 })
  return tell(replies)
}

/** Counts an order that succeeded: it was paid, by the amount of its invoice and the gift that lowered it. */
export function countOrder(person: Person, { status, body }: Reply): void {
  if (status !== 201) return
  const { host, invoice, transaction } = body as Ordered
  const total = -BigInt(transaction.amount.amount)
  const gift = total - BigInt(invoice.total.amount)
  // The model does not know the order of orders at once, and so which of them had the gift.
  const given = [...person.redeemed].reduce((sum, { amount }) => sum + amount, 0n)
  expect([gift >= 0n && gift <= given, invoice.status]).toEqual([true, 'paid'])
  expect(transaction.invoice_id).toBe(invoice.id)
  person.balance -= total
  person.spendings.push({ id: transaction.id, left: total })
  if (!person.hosts.some(({ id }) => id === host.id)) person.hosts.push(host)
}

/** Expects that an order is refused only if there is not enough money, or if somebody holds the address. */
export async function expectReason(
  person: Person,
  story: Story,
  { status, body }: Reply,
  { plan, ipv4 }: { plan: Slug; ipv4: string },
): Promise<void> {
  if (status === 201) return
  if (status === 402) {
    expect(body).toEqual(refusal(402, 'insufficient_balance'))
    expect(await balanceOf(person)).toBeLessThan(person.prices[plan])
    return
  }
  if (await isSuspended(person, ipv4, body)) return
  expect({ status, body }).toMatchObject({ status: 409, body: refusal(409, 'ipv4_licensed', 'ipv4') })
  expect(await isHeld(story, ipv4), `${ipv4} is held`).toBe(true)
}

/** True if a server is refused since it is suspended, which a debt does. */
export async function isSuspended(person: Person, ipv4: string, body: unknown): Promise<boolean> {
  const [code] = (body as { errors: { code: string }[] }).errors.map((error) => error.code)
  if (code !== 'host_suspended') return false
  const suspended = (await hostsOf(person)).filter((host) => host.licence.suspended !== null)
  expect(suspended.map((host) => host.ipv4)).toContain(ipv4)
  return true
}

export async function addressOf(person: Person, id: string): Promise<string> {
  return (await hostsOf(person)).find((host) => host.id === id)?.ipv4 ?? ''
}

export async function isHeld({ people }: Story, ipv4: string): Promise<boolean> {
  const hosts = (await Promise.all(people.map(hostsOf))).flat()
  return hosts.some((host) => host.ipv4 === ipv4 && host.licence.status === 'active')
}

export async function setAutoRenew(person: Person, which: number, auto_renew: boolean): Promise<string> {
  const host = pick(person.hosts, which)
  if (!host) return 'nothing'
  const params = { hostId: host.id }
  const reply = await person.customer.api.call(updateHost, { params, body: { auto_renew } })
  expect(bodyOf(reply, 200).auto_renew).toBe(auto_renew)
  host.auto_renew = auto_renew
  return auto_renew ? 'on' : 'off'
}

/** Changes the address of a host. */
export async function move(person: Person, story: Story, which: number): Promise<string> {
  const host = pick(person.hosts, which)
  if (!host) return 'nothing'
  const ipv4 = must(pick(story.addresses, which))
  const reply = await person.customer.api.call(updateHost, { params: { hostId: host.id }, body: { ipv4 } })
  if (reply.status === 200) return 'moved'
  const codes = [refusal(409, 'ipv4_change_limit', 'ipv4'), refusal(409, 'ipv4_licensed', 'ipv4')]
  expect(codes).toContainEqual(reply.body)
  return 'refused'
}

/** Lets days pass and does the due jobs: hosts with automatic renewal are renewed once a term, as far as the money goes. */
export async function wait(story: Story, { installation }: World, days: number): Promise<string> {
  await passTime(installation, days)
  await doLicenceJobs(installation)
  let renewed = 0
  for (const person of story.people) renewed += await countRenewals(person)
  return renewed > 0 ? 'renewed on' : 'passed'
}

/** Counts the automatic charges: each is for a host with automatic renewal, and the balance was large enough. */
async function countRenewals(person: Person): Promise<number> {
  const { items } = bodyOf(
    await person.customer.api.call(listTransactions, { query: { type: 'inner_spending', limit: '100' } }),
    200,
  )
  const unknown = items.filter(({ id }) => !person.spendings.some((spending) => spending.id === id))
  const prices = Object.values(person.prices)
  for (const { id, amount, host_id } of unknown) {
    expect(person.hosts.find((host) => host.id === host_id)).toMatchObject({ auto_renew: true })
    expect(prices).toContain(-BigInt(amount.amount))
    person.balance += BigInt(amount.amount)
    person.spendings.push({ id, left: -BigInt(amount.amount) })
  }
  if (unknown.length > 0) expect(person.balance).toBeGreaterThanOrEqual(0n)
  // Auto-renewal that was refused for days switches itself off.
  for (const { id, auto_renew } of await hostsOf(person)) {
    const host = person.hosts.find((one) => one.id === id)
    if (host) host.auto_renew &&= auto_renew
  }
  return unknown.length
}

export async function removeHost(person: Person, which: number): Promise<string> {
  const host = pick(person.hosts, which)
  if (!host) return 'nothing'
  const { id, name } = host
  const reply = await person.customer.api.call(deleteHost, { params: { hostId: id }, query: { name } })
  expect(reply.status).toBe(204)
  person.hosts = person.hosts.filter((one) => one !== host)
  return 'deleted'
}

const words: Record<number, string> = { 201: 'paid', 402: 'no money', 409: 'address held' }

function tell(replies: readonly Reply[]): string {
  const statuses = [...new Set(replies.map(({ status }) => status))]
  return statuses
    .toSorted((one, other) => one - other)
    .map((status) => words[status])
    .join(', ')
}
