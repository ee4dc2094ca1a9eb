import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as contract from '#features/hosts/contract.ts'
import { canonicalIpv6 } from '#foundation/ipv6.ts'
import { figures } from '#tests/harness/agents.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, getHost, patchHost, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { hostOf, recordCheckIn } from './hosts.ts'

const test = await startTestApp()

it('L-32 a server has an IPv4, an IPv6 or a /64, both or none, in one spelling', async () => {
  const { api } = await signedInCustomer(test)
  const host = await addHost(api, { name: 'both', ipv4: '10.6.0.1', ipv6: '2001:0DB8:0:0::1' })
  expect(host).toMatchObject({ ipv4: '10.6.0.1', ipv6: '2001:db8::1', version: 1 })
  const moved = bodyOf(await patchHost(api, host.id, { ipv6: '2001:DB8:0:1::/64' }), 200)
  expect(moved).toMatchObject({ ipv4: '10.6.0.1', ipv6: '2001:db8:0:1::/64', version: 2 })
  // The same network in another spelling is no change.
  const same = { ipv6: '2001:db8:0:1:0:0:0:0/64', version: 2 }
  expect(bodyOf(await patchHost(api, host.id, same), 200)).toEqual(moved)
  expect(bodyOf(await patchHost(api, host.id, { ipv4: null }), 200)).toMatchObject({ ipv4: null, version: 3 })
  expect(bodyOf(await patchHost(api, host.id, { ipv4: '10.6.0.2', ipv6: null }), 200)).toMatchObject({
    ipv4: '10.6.0.2',
    ipv6: null,
    version: 4,
  })
})

it.each(['fe80::1%eth0', '::ffff:10.0.0.1', '2001:db8::1/64', '2001:db8::/48', '10.0.0.1', ''])(
  'L-32 refuses %j as an IPv6',
  async (ipv6) => {
    const { api } = await signedInCustomer(test)
    const code = ipv6 === '' ? 'required' : 'invalid_ipv6'
    expect((await api.post('/api/hosts/', { ipv6 })).body).toEqual(refusal(400, code, 'ipv6'))
    const { id } = await addHost(api, {})
    expect((await api.patch(`/api/hosts/${id}/`, { ipv6 })).body).toEqual(refusal(400, code, 'ipv6'))
  },
)

it('L-32 the database takes and writes what the API does, and nothing else (property)', async () => {
  const parts = fc.array(fc.constantFrom(0, 0, 0, 1, 0xc0, 0xff_ff), { minLength: 8, maxLength: 8 })
  const typed = fc
    .tuple(parts, fc.constantFrom('', '/64', '/128', '/63'))
    .map(([groups, bits]) => groups.map((group) => group.toString(16)).join(':') + bits)
  const all = fc.sample(typed, 2000)
  const rows = await asOwner(
    test,
    `select is_licensable_ipv6(address) as fits, abbrev(address) as text
     from unnest($1::inet[]) with ordinality as given (address, place) order by place`,
    [all],
  )
  expect(rows).toHaveLength(all.length)
  for (const [place, row] of rows.entries()) {
    const { fits, text } = row as { fits: boolean; text: string }
    expect(fits ? text : undefined, all[place]).toBe(canonicalIpv6(String(all[place])))
  }
})

it('L-32 the list finds a server by a piece of its IPv6, and by an address in its network however it is spelt', async () => {
  const { api } = await signedInCustomer(test)
  await addHost(api, { name: 'network', ipv6: '2001:db8:7:1::/64' })
  await addHost(api, { name: 'address', ipv6: '2001:db8:7:2::1' })
  const found = async (q: string) =>
    bodyOf(await api.call(contract.listHosts, { query: { q, sort: 'name' } }), 200).items.map(
      ({ name }) => name,
    )
  expect(await found('DB8:7:')).toEqual(['address', 'network'])
  expect(await found('2001:db8:7:1:0:0:0:5')).toEqual(['network'])
  expect(await found('2001:0db8:0007:0002::0001')).toEqual(['address'])
  expect(await found('2001:db8:7:3::1')).toEqual([])
})

it('L-32 an agent by IPv6 is compared with the IPv6, and by IPv4 with the IPv4', async () => {
  const { api, user_id } = await signedInCustomer(test)
  const host = await addHost(api, { name: 'seen', ipv4: '10.6.0.9' })
  await api.call(contract.makeAgentToken, { params: { hostId: host.id } })
  const { id: host_id } = await hostOf(test.app.db, user_id, host.id)
  const seenFrom = async (address: string) => {
    await recordCheckIn(test.app, { host_id, address, figures })
    const { address_mismatch, agent } = bodyOf(await getHost(api, host.id), 200)
    return [address_mismatch, agent?.address]
  }
  // The host has no IPv6 to compare with.
  expect(await seenFrom('2001:db8:9::1')).toEqual([false, '2001:db8:9::1'])
  await patchHost(api, host.id, { ipv6: '2001:db8:9::/64' })
  expect(await seenFrom('2001:DB8:9:0::77')).toEqual([false, '2001:db8:9::77'])
  expect(await seenFrom('2001:db8:9:1::1')).toEqual([true, '2001:db8:9:1::1'])
  expect(await seenFrom('10.6.0.8')).toEqual([true, '10.6.0.8'])
  expect(await seenFrom('10.6.0.9')).toEqual([false, '10.6.0.9'])
  await patchHost(api, host.id, { ipv4: null })
  expect(await seenFrom('10.6.0.8')).toEqual([false, '10.6.0.8'])
})
