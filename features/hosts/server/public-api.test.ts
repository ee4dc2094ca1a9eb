// The public API of hosts, as other features call it inside their own transactions.
import { expect, it } from 'vitest'
import * as profile from '#features/profile/contract.ts'
import { createHost as createHostByCall, addressesChanged, hostDeleted } from '#features/hosts/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { on } from '#foundation/server/events.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { addHost, asOwner, bodyOf, getHost, patchHost, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { announceHost, createHost, lockHost, lockHostById, setAutoRenew } from './hosts.ts'

const test = await startTestApp()
const { app } = test

it('locks a host by public id for its owner only, and by row id for jobs, which do not find a deleted host', async () => {
  const [owner, stranger] = [await signedInCustomer(test), await signedInCustomer(test)]
  const { id: host_id } = await addHost(owner.api, { name: 'locked' })
  const locked = await transaction(app, { userId: owner.user_id }, async (tx) => {
    const { id } = await lockHost(tx, owner.user_id, host_id)
    expect(await lockHostById(tx, id)).toMatchObject({ id, public_id: host_id, name: 'locked' })
    return id
  })
  const steal = transaction(app, { userId: stranger.user_id }, (tx) =>
    lockHost(tx, stranger.user_id, host_id),
  )
  await expect(steal).rejects.toMatchObject({ status: 404 })
  await owner.api.delete(`/api/hosts/${host_id}/?name=locked`)
  const seen = transaction(app, 'system', (tx) => lockHostById(tx, locked))
  expect(await seen).toBeUndefined()
})

it('rule 2: cannot write a host for another customer, even if the code tries to', async () => {
  const [owner, stranger] = [await signedInCustomer(test), await signedInCustomer(test)]
  const host = await transaction(app, { userId: owner.user_id }, (tx) =>
    createHost(tx, { user_id: owner.user_id, name: 'mine' }),
  )
  const make = transaction(app, { userId: stranger.user_id }, (tx) => createHost(tx, owner))
  await expect(make).rejects.toThrow('row-level security')
  await transaction(app, { userId: stranger.user_id }, (tx) => setAutoRenew(tx, host, true))
  expect(await transaction(app, 'system', (tx) => lockHostById(tx, host.id))).toMatchObject({
    auto_renew: false,
  })
})

it('rule 3: no agent of one customer can belong to a host of another', async () => {
  const [owner, stranger] = [await signedInCustomer(test), await signedInCustomer(test)]
  const { id } = await addHost(owner.api, { name: 'mine' })
  const insert = asOwner(
    test,
    `insert into host_agents (host_id, user_id, token_hash) select id, $1, '\\x00' from hosts where public_id = $2`,
    [stranger.user_id, id],
  )
  await expect(insert).rejects.toThrow('foreign key')
})

it('rule 29: announces a change by a job, for acts that move money', async () => {
  await test.startWorker()
  const { api, user_id } = await signedInCustomer(test)
  const { id: public_id } = await addHost(api, { name: 'announced' })
  const stream = await openEvents(test.url, String(api.access_token))
  await transaction(app, 'system', (tx) => announceHost(tx, { user_id, public_id }))
  expect(await stream.until(({ type }) => type === 'host.changed')).toMatchObject({
    data: { host_id: public_id },
  })
  stream.close()
})

it('lets other features refuse a new address, which then changes nothing, and notifies them of each deleted host', async () => {
  const refusing = await startTestApp()
  const deleted: string[] = []
  Object.assign(refusing.app, {
    reactions: [
      on(addressesChanged, async (_app, _tx, { ipv4 }) => {
        if (ipv4 === '10.0.0.2') throw new HttpError(409, [{ code: 'ipv4_licensed', param: 'ipv4' }])
      }),
      on(hostDeleted, async (_app, _tx, { host_id }) => void deleted.push(host_id)),
      ...refusing.app.reactions,
    ],
  })
  const { api, user_id } = await signedInCustomer(refusing)
  const { id } = await addHost(api, { name: 'moving', ipv4: '10.0.0.1', ipv6: '2001:db8::77' })
  expect(await patchHost(api, id, { ipv4: '10.0.0.2', name: 'moved' })).toMatchObject({
    status: 409,
    body: refusal(409, 'ipv4_licensed', 'ipv4'),
  })
  expect(bodyOf(await getHost(api, id), 200)).toMatchObject({ name: 'moving', ipv4: '10.0.0.1' })
  const other = await addHost(api, { name: 'other' })
  await api.call(profile.deactivate, { body: {} })
  expect(deleted).toEqual([id, other.id])
  const rows = await asOwner(
    refusing,
    'select name, ipv4, ipv6, deleted_at is null as stays from hosts where user_id = $1',
    [user_id],
  )
  expect(rows).toEqual([
    { name: 'deleted', ipv4: null, ipv6: null, stays: false },
    { name: 'deleted', ipv4: null, ipv6: null, stays: false },
  ])
})

it('deletes the answers stored for Idempotency-Keys of an account when the account is deleted', async () => {
  const { api, user_id } = await signedInCustomer(test)
  await api.call(createHostByCall, { headers: { 'idempotency-key': 'once' }, body: { name: 'name-of-mine' } })
  const kept = () => asOwner(test, 'select body from idempotency_keys where user_id = $1', [user_id])
  expect(JSON.stringify(await kept())).toContain('name-of-mine')
  await api.call(profile.deactivate, { body: {} })
  expect(await kept()).toEqual([])
})
