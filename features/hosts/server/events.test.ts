import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { listEvents, type AccountEvent } from '#foundation/server/account-events/contract.ts'
import { deleteHost } from '#features/hosts/contract.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { helperOf, programOf } from '#tests/harness/grants.ts'
import { addHost, asOwner, bodyOf, getHost, giveLicence, patchHost, refusal } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened } from '#tests/harness/tickets.ts'

const test = await startTestApp()

const pull = (
  { api }: Pick<Customer, 'api'>,
  query: { after?: string; type?: string; limit?: string } = {},
) => api.call(listEvents, { query })
const read = async (reader: Pick<Customer, 'api'>, query = {}) => bodyOf(await pull(reader, query), 200)
const said = (events: readonly AccountEvent[]) => events.map(({ type, host_id }) => [type, host_id])

const priced = z.object({ licence: z.object({ price: z.unknown() }) })

describe('O-12 account events', () => {
  it('are pulled in order by number, from the first call on, with the things as their calls answer them', async () => {
    const owner = await signedInCustomer(test)
    await addHost(owner.api, { name: 'before' })
    expect(await read(owner)).toEqual({ items: [], next_after: 0, has_more: false, begins: 0, newest: 0 })
    const { id } = await addHost(owner.api, { name: 'web-1' })
    await patchHost(owner.api, id, { name: 'web-2' })
    await patchHost(owner.api, id, { name: 'web-2' })
    const shown = bodyOf(await getHost(owner.api, id), 200)
    bodyOf(await owner.api.call(deleteHost, { params: { hostId: id }, query: { name: 'web-2' } }), 204)
    const { items, ...where } = await read(owner)
    expect(where).toEqual({ next_after: 3, has_more: false, begins: 0, newest: 3 })
    expect(items.map(({ type, seq }) => [seq, type])).toEqual([
      [1, 'host.created'],
      [2, 'host.updated'],
      [3, 'host.deleted'],
    ])
    expect(items[1]).toEqual({
      id: `evt_${owner.user_id}_2`,
      seq: 2,
      type: 'host.updated',
      occurred_at: expect.stringMatching(/Z$/),
      host_id: id,
      data: shown,
    })
    expect(items[2]?.data).toEqual({ id, name: 'web-2' })
    const page = await read(owner, { limit: '1', type: 'host.deleted,host.created', after: '1' })
    expect(page).toMatchObject({ items: [{ seq: 3 }], next_after: 3, has_more: false })
    expect(await read(owner, { type: 'host.*', limit: '2' })).toMatchObject({ next_after: 2, has_more: true })
    expect(await read(owner, { type: 'host.created' })).toMatchObject({ next_after: 3, has_more: false })
    expect((await pull(owner, { type: 'host.painted' })).body).toMatchObject(
      refusal(400, 'unknown_event_type', 'type'),
    )
    expect((await pull(owner, { after: '9' })).body).toMatchObject({
      ...refusal(410, 'events_gone', 'after'),
      begins: 0,
    })
  })

  it('are for a helper and a token what the role and the servers open', async () => {
    const owner = await signedInCustomer(test)
    const [web, mail] = [
      await addHost(owner.api, { name: 'web' }),
      await addHost(owner.api, { name: 'mail' }),
    ]
    for (const { id } of [web, mail]) await giveLicence(test, owner, id, 86_400_000)
    const [reader, some, person] = [
      await programOf(test, owner, { role: 'read' }),
      await programOf(test, owner, { role: 'technical', host_ids: [mail.id] }),
      await helperOf(test, owner, { role: 'technical' }),
    ]
    expect(await read(reader)).toMatchObject({ items: [] })
    for (const { id } of [web, mail]) await patchHost(owner.api, id, { name: 'renamed' })
    const { items } = await read(reader)
    expect(said(items)).toEqual([
      ['host.updated', web.id],
      ['host.updated', mail.id],
    ])
    const theirs = await read(some)
    expect([said(theirs.items), theirs.next_after]).toEqual([[['host.updated', mail.id]], 2])
    const priceOf = ({ data }: AccountEvent) => z.parse(priced, data).licence.price
    expect(items.map(priceOf)).toEqual([expect.any(Object), expect.any(Object)])
    expect(theirs.items.map(priceOf)).toEqual([null])
    expect(await person.api.call(listEvents, { query: {} })).toMatchObject({
      status: 200,
      body: { items: [] },
    })
    const named = await person.api.get<{ items: AccountEvent[] }>(`${listEvents.path}?for=${owner.user_id}`)
    expect(said(named.body.items)).toHaveLength(2)
    const technical = await programOf(test, owner, { role: 'technical' })
    await addMoney(test.app, owner.user_id, 500n)
    await opened(owner, { topic: 'finances' })
    const typesFor = async (one: Pick<Customer, 'api'>) =>
      (await read(one, { after: '2' })).items.map(({ type }) => type)
    expect(await typesFor(reader)).toEqual([
      'transaction.created',
      'ticket.created',
      'ticket.message_created',
    ])
    for (const one of [technical, some]) expect(await typesFor(one)).toEqual([])
    const stranger = await signedInCustomer(test)
    expect((await stranger.api.get(`${listEvents.path}?for=${owner.user_id}`)).status).toBe(404)
    const lists = await asOwner(test, 'select from account_event_lists where user_id = $1', [owner.user_id])
    expect(lists).toHaveLength(1)
  })
})
