import { expect, it } from 'vitest'
import { deleteHost, type Host } from '#features/hosts/contract.ts'
import { validateLicence } from '#features/licences/contract.ts'
import { must } from '#foundation/must.ts'
import { readRevocations } from '#agent/judge.mjs'
import { judgeLicence } from '#agent/licence.mjs'
import { mistakesIn } from '#tests/harness/books.ts'
import { checkIn, figures, publishedKeys, tokenFor } from '#tests/harness/agents.ts'
import { Client } from '#tests/harness/client.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { addHost, bodyOf, getHost, patchHost, refusal } from '#tests/harness/hosts.ts'
import { buyer, doLicenceJobs, orderHost, orderLicence, passTime, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { signRevocations } from './revocations.ts'

const test = await startTestApp()
await stockShop(test)
const visitor = new Client(test.url)

let networks = 0
/** A /64 that no other test of this file uses, without the `::/64` at its end. */
const anyNetwork = () => `2001:db8:a:${(networks += 1).toString(16)}`

type Owned = Customer & { host: Host }
async function licensed(): Promise<Owned> {
  const customer = await buyer(test, 100_000n)
  return { ...customer, host: bodyOf(await orderHost(customer, {}), 201).host }
}
const change = ({ api, host }: Owned, body: Parameters<typeof patchHost>[2]) => patchHost(api, host.id, body)

it('L-32 a licence is ordered for an IPv4; an IPv6 may replace it later, as one of three address changes', async () => {
  const customer = await buyer(test, 100_000n)
  const network = anyNetwork()
  const host = await addHost(customer.api, { name: 'six', ipv6: `${network}::1` })
  expect(await orderLicence(customer, host.id)).toMatchObject({
    status: 400,
    body: refusal(400, 'ipv4_required', 'ipv4'),
  })
  await patchHost(customer.api, host.id, { ipv4: '10.32.0.1' })
  expect(await orderLicence(customer, host.id)).toMatchObject({ status: 201 })
  const owned = { ...customer, host }
  expect(bodyOf(await change(owned, { ipv4: null }), 200)).toMatchObject({
    ipv4: null,
    ipv6: `${network}::1`,
    ipv4_changes_left: 2,
  })
  expect(await change(owned, { ipv6: null })).toMatchObject({
    status: 400,
    body: refusal(400, 'address_required', 'ipv6'),
  })
  // A change of both addresses at once counts as one.
  expect(bodyOf(await change(owned, { ipv4: '10.32.0.2', ipv6: `${network}::2` }), 200)).toMatchObject({
    ipv4_changes_left: 1,
  })
  expect(await change(owned, { ipv4: null, ipv6: null })).toMatchObject({
    body: refusal(400, 'address_required', 'ipv4'),
  })
  await change(owned, { ipv6: null })
  expect(await change(owned, { ipv6: `${network}::3` })).toMatchObject({
    status: 409,
    body: refusal(409, 'ipv4_change_limit', 'ipv6'),
  })
  expect(await mistakesIn(test)).toEqual([])
})

it('L-32 with an IPv6 alone a licence is renewed by a person and by itself', async () => {
  const owned = await licensed()
  const network = anyNetwork()
  await change(owned, { ipv4: null, ipv6: `${network}::/64`, auto_renew: true })
  expect(await orderLicence(owned, owned.host.id)).toMatchObject({ status: 201 })
  await passTime(test, 61)
  await doLicenceJobs(test)
  const { licence } = bodyOf(await getHost(owned.api, owned.host.id), 200)
  expect(licence).toMatchObject({ status: 'active' })
  expect(Date.parse(must(licence.paid_until))).toBeGreaterThan(Date.now() + 20 * 86_400_000)
  expect(await mistakesIn(test)).toEqual([])
})

it('L-32 an address has one licence at a time, also as a part of a network', async () => {
  const [one, other] = [await licensed(), await licensed()]
  const network = anyNetwork()
  bodyOf(await change(one, { ipv6: `${network}::/64` }), 200)
  const taken = { status: 409, body: refusal(409, 'ipv6_licensed', 'ipv6') }
  for (const ipv6 of [`${network}::1`, `${network}::/64`, `${network}:ffff:ffff:ffff:ffff`])
    expect(await change(other, { ipv6 })).toMatchObject(taken)
  // The refused changes have written nothing: neither the address nor the change that counts, nor the IPv4 beside it.
  expect(await change(other, { ipv4: '10.32.1.1', ipv6: `${network}::9` })).toMatchObject(taken)
  expect(bodyOf(await getHost(other.api, other.host.id), 200)).toMatchObject({
    ipv4: other.host.ipv4,
    ipv6: null,
    ipv4_changes_left: 3,
  })
  bodyOf(await change(other, { ipv6: `${anyNetwork()}::1` }), 200)
  // The address is free after the deletion of its host, and after a change to another address.
  const query = { name: one.host.name }
  expect(await one.api.call(deleteHost, { params: { hostId: one.host.id }, query })).toMatchObject({
    status: 204,
  })
  bodyOf(await change(other, { ipv6: `${network}::1` }), 200)
  const third = await licensed()
  expect(await change(third, { ipv6: `${network}::/64` })).toMatchObject(taken)
  bodyOf(await change(third, { ipv6: `${network}::2` }), 200)
  expect(await mistakesIn(test)).toEqual([])
})

it('L-32 of 16 who claim addresses of one network at once, those who overlap lose', async () => {
  const network = anyNetwork()
  const owners = await Promise.all(Array.from({ length: 16 }, licensed))
  const wished = owners.map((_, place) =>
    place < 8 ? `${network}::/64` : `${network}::${place.toString(16)}`,
  )
  const answers = await Promise.all(
    owners.map((owned, place) => change(owned, { ipv6: must(wished[place]) })),
  )
  const won = wished.filter((_, place) => answers[place]?.status === 200)
  // Either one server has the whole /64, or each winner has a single address of it.
  expect(won.length === 1 || won.every((ipv6) => !ipv6.includes('/'))).toBe(true)
  expect(won.length).toBeGreaterThan(0)
  for (const answer of answers)
    if (answer.status !== 200) expect(answer.body).toEqual(refusal(409, 'ipv6_licensed', 'ipv6'))
  expect(await mistakesIn(test)).toEqual([])
})

it('L-32 an order whose IPv6 is taken charges nothing', async () => {
  const network = anyNetwork()
  await change(await licensed(), { ipv6: `${network}::/64` })
  const customer = await buyer(test, 100_000n)
  const host = await addHost(customer.api, { ipv4: '10.32.2.1', ipv6: `${network}::7` })
  expect(await orderLicence(customer, host.id)).toMatchObject({
    status: 409,
    body: refusal(409, 'ipv6_licensed', 'ipv6'),
  })
  expect(bodyOf(await getHost(customer.api, host.id), 200).licence.status).toBe('free')
  expect(await mistakesIn(test)).toEqual([])
})

it('L-32 document, check-in and validation name the IPv6, and judge by it', async () => {
  const owned = await licensed()
  const network = anyNetwork()
  bodyOf(await change(owned, { ipv4: null, ipv6: `${network}::/64` }), 200)
  const token = await tokenFor(owned.api, owned.host.id)
  const { licence } = bodyOf(await checkIn(test, token, figures), 200)
  const keys = await publishedKeys(test)
  const verdict = (ipv6: string) => judgeLicence(licence, { keys, ipv6: [ipv6] }).verdict
  expect(verdict(`${network}::5`)).toBe('valid')
  expect(verdict(`${network}1::5`)).toBe('not_licensed')
  expect(judgeLicence(licence, { keys, ipv4: [must(owned.host.ipv4)] }).why).toBe(
    `It is for the address ${network}::/64, not for ${must(owned.host.ipv4)}.`,
  )
  const ask = async (asked: { ipv4?: string; ipv6?: string }) => {
    const body = { licence_key: owned.host.licence_key, ...asked }
    const { code, document } = bodyOf(await visitor.call(validateLicence, { body }), 200)
    return [code, document !== null]
  }
  expect(await ask({ ipv6: `${network.toUpperCase()}:0:0:0:7` })).toEqual(['valid', true])
  expect(await ask({ ipv6: `${anyNetwork()}::7` })).toEqual(['address_mismatch', false])
  expect(await ask({ ipv4: must(owned.host.ipv4) })).toEqual(['address_mismatch', false])
  // One matching address of the machine is enough, as in the libraries.
  expect(await ask({ ipv4: '10.9.9.9', ipv6: `${network}::7` })).toEqual(['valid', true])
  expect(await ask({})).toEqual(['valid', false])
  expect(
    await visitor.post('/api/licences/validate/', { licence_key: 'x', ipv6: '::ffff:10.0.0.1' }),
  ).toMatchObject({
    body: refusal(400, 'invalid_ipv6', 'ipv6'),
  })
})

it('L-24 documents are void once their IPv6 is another, and not because one was added', async () => {
  const owned = await licensed()
  const revoked = async () => {
    const { list } = await signRevocations(test.app)
    return readRevocations(list, await publishedKeys(test)).revoked.filter(([sub]) => sub === owned.host.id)
      .length
  }
  await change(owned, { ipv6: `${anyNetwork()}::1` })
  expect(await revoked()).toBe(0)
  await change(owned, { ipv6: `${anyNetwork()}::1` })
  expect(await revoked()).toBe(1)
  await change(owned, { ipv6: null })
  expect(await revoked()).toBe(2)
})
