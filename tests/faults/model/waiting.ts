import { expect } from 'vitest'
import { listTransactions } from '#features/finance/contract.ts'
import { must } from '#foundation/must.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { doLicenceJobs, passTime } from '#tests/harness/shop.ts'
import { countBought, renewalsOf } from './offers.ts'
import { beginRuns, countRuns, tellOfRuns } from './runs.ts'
import { hostsOf, type Person, type Story, type World } from './story.ts'

/**
 * Lets days pass and does the due jobs: balances that fill themselves are looked at and charged, and hosts with automatic renewal are renewed
 * once a term, as far as the money goes; then again, with the money that has come.
 */
export async function wait(
  story: Story,
  world: World,
  { days, told }: { days: number; told: number },
): Promise<string> {
  const { installation } = world
  await passTime(installation, days)
  let [renewed, begun] = [0, 0]
  for (let round = 0; round < 2; round += 1) {
    begun += await beginRuns(story.people, world, round === 0)
    await doLicenceJobs(installation)
    for (const person of story.people) {
      await countRuns(person)
      renewed += await countRenewals(person)
    }
    for (const person of story.people) await tellOfRuns(person, world, told)
  }
  return begun > 0 ? 'filled' : renewed > 0 ? 'renewed on' : 'passed'
}

/** Counts the automatic charges: each is for a host with automatic renewal, at its price, and the balance was large enough. */
async function countRenewals(person: Person): Promise<number> {
  const { items } = bodyOf(
    await person.customer.api.call(listTransactions, { query: { type: 'inner_spending', limit: '100' } }),
    200,
  )
  const unknown = items.filter(({ id }) => !person.spendings.some((spending) => spending.id === id))
  for (const { id, amount, host_id } of unknown.toReversed()) {
    const host = person.hosts.find((one) => one.id === host_id)
    expect(host).toMatchObject({ auto_renew: true })
    const paid = -BigInt(amount.amount)
    const offers = renewalsOf(person, must(host))
    expect(offers.map(({ total }) => total)).toContain(paid)
    person.balance -= paid
    person.spendings.push({ id, left: paid, host_id })
    const { bought } = must(offers.find(({ total }) => total === paid))
    countBought(person, must(host), { plan: bought.plan }, bought)
  }
  if (unknown.length > 0) expect(person.balance).toBeGreaterThanOrEqual(0n)
  // Auto-renewal that was refused for days switches itself off.
  for (const { id, auto_renew } of await hostsOf(person)) {
    const host = person.hosts.find((one) => one.id === id)
    if (host) host.auto_renew &&= auto_renew
  }
  return unknown.length
}
