import { expect, it } from 'vitest'
import { deleteHost } from '#features/hosts/contract.ts'
import { listEvents } from '#foundation/server/account-events/contract.ts'
import { must } from '#foundation/must.ts'
import { figures, tokenFor } from '#tests/harness/agents.ts'
import { pass, watchedHost } from '#tests/harness/alerts.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, patchHost } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { transferred } from '#tests/harness/transfers.ts'
import { findByAgentToken, recordCheckIn } from './agents.ts'
import { moveHost } from './staff.ts'

const test = await startTestApp()
const { app } = test

const eventsOf = async ({ api }: Pick<Customer, 'api'>, type: string) =>
  bodyOf(await api.call(listEvents, { query: { type } }), 200).items

it.for(['is deleted', 'goes to another account'])(
  'O-12 an alert that is open closes for its owner when its server %s',
  async (how) => {
    await asOwner(test, 'update alert_watch set beat_at = now(), hold_until = now()')
    const owner = await watchedHost(test)
    const { api, host } = owner
    await eventsOf(owner, 'alert.*')
    await host.checkIn(95)
    await pass(test, 601)
    await host.checkIn(96)
    if (how === 'is deleted')
      bodyOf(await api.call(deleteHost, { params: { hostId: host.id }, query: { name: 'web-1' } }), 204)
    else await transferred(owner, await signedInCustomer(test), host.id)
    const all = (await eventsOf(owner, 'alert.*,host.deleted,host.transferred')).map(({ type }) => type)
    const last = how === 'is deleted' ? 'host.deleted' : 'host.transferred'
    expect(all).toEqual(['alert.opened', 'alert.closed', last])
    const [opened, closed] = await eventsOf(owner, 'alert.*')
    expect(closed?.data).toEqual({ ...opened?.data, closed_at: expect.stringMatching(/Z$/) })
  },
)

it('O-12 an address of an agent is said to differ once when that begins: by its report, or by a change of the address', async () => {
  const owner = await signedInCustomer(test)
  const { id } = await addHost(owner.api, { ipv4: '10.0.0.7' })
  const { id: host_id } = must(await findByAgentToken(app, await tokenFor(owner.api, id)))
  const { fingerprint: _fingerprint, boot: _boot, ...usual } = figures
  const checkIn = (address: string) => recordCheckIn(app, { host_id, address, figures: usual })
  const count = async () => (await eventsOf(owner, 'host.address_mismatched')).length
  await count()
  await checkIn('10.0.0.8')
  expect(await count()).toBe(1)
  await asOwner(
    test,
    `update host_agents set last_seen_at = now() - interval '1 hour', look_at = null where host_id = $1`,
    [String(host_id)],
  )
  await checkIn('10.0.0.8')
  expect((await eventsOf(owner, 'host.connected')).length).toBe(2)
  expect(await count(), 'it came back under the same address').toBe(1)
  bodyOf(await patchHost(owner.api, id, { ipv4: '10.0.0.8' }), 200)
  expect(await count()).toBe(1)
  bodyOf(await patchHost(owner.api, id, { ipv4: '10.0.0.9' }), 200)
  expect(await count()).toBe(2)
  await moveHost(app, {}, id, { addresses: { ipv4: '10.0.0.10', ipv6: undefined }, note: 'asked by phone' })
  expect(await count(), 'it differed before').toBe(2)
  expect((await eventsOf(owner, 'host.updated')).length).toBe(3)
})
