import { expect, it } from 'vitest'
import { deleteAgreement, updateAgreement } from '#features/payers/contract.ts'
import { listEvents } from '#foundation/server/account-events/contract.ts'
import { moveHost } from '#features/hosts/server/hosts.ts'
import { bulk } from '#tests/harness/bulk.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, patchHost } from '#tests/harness/hosts.ts'
import { agreed } from '#tests/harness/payers.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()

type World = { owner: Customer; payer: Customer; id: string }
type Act = (world: World) => Promise<unknown>

const agree = ({ owner, payer, id }: World) => agreed(owner, payer, { host_ids: [id] })

const acts: Record<string, { before?: Act; act: Act }> = {
  'its owner changes all of it': {
    act: ({ owner, id }) =>
      patchHost(owner.api, id, { name: 'web-9', ipv4: '198.51.100.99', auto_renew: true }),
  },
  'staff change its address': {
    act: ({ id }) =>
      moveHost(test.app, {}, id, {
        addresses: { ipv4: '198.51.100.98', ipv6: undefined },
        note: 'asked by phone',
      }),
  },
  'the renewal of many is switched': {
    act: ({ owner, id }) => bulk(owner, { act: 'auto_renew', host_ids: [id] }, { auto_renew: true }),
  },
  'an agreement for it ends': {
    act: async (world) => {
      const { id } = await agree(world)
      bodyOf(await patchHost(world.owner.api, world.id, { auto_renew: true }), 200)
      const { api } = world.payer
      return api.call(deleteAgreement, { params: { agreementId: id }, query: {} })
    },
  },
  'an agreement loses it': {
    act: async (world) => {
      const other = await addHost(world.owner.api, {})
      const { id, version } = await agreed(world.owner, world.payer, { host_ids: [world.id, other.id] })
      bodyOf(await patchHost(world.owner.api, world.id, { auto_renew: true }), 200)
      const body = { version, remove_host_ids: [world.id] }
      return world.owner.api.call(updateAgreement, { params: { agreementId: id }, body })
    },
  },
}

it.for(Object.entries(acts))('O-12 host.updated tells of a server once when %s', async ([, { act }]) => {
  const [owner, payer] = [await signedInCustomer(test), await signedInCustomer(test)]
  const { id } = await addHost(owner.api, { name: 'web-1', ipv4: '198.51.100.7' })
  const updates = async () =>
    bodyOf(await owner.api.call(listEvents, { query: { type: 'host.updated' } }), 200).items
  expect(await updates()).toEqual([])
  await act({ owner, payer, id })
  const [row] = await asOwner(test, 'select auto_renew from hosts where public_id = $1', [id])
  const items = await updates()
  const shown = items.map(({ data }) => data['auto_renew'])
  // The acts on agreements switch the renewal off that the test has switched on before.
  expect(shown.at(-1)).toEqual(Object(row).auto_renew)
  expect(new Set(items.map(({ host_id }) => host_id))).toEqual(new Set([id]))
  expect(shown).toHaveLength(Object(row).auto_renew === false && shown.includes(true) ? 2 : 1)
})
