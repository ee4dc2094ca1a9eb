import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as messages from '#features/support/messages/contract.ts'
import { HOST_CHANGED } from '#features/hosts/contract.ts'
import { BALANCE_CHANGED } from '#features/finance/contract.ts'
import { MESSAGE_CREATED } from '#features/support/tickets/contract.ts'
import * as payers from '#features/payers/contract.ts'
import { createGrant, deleteGrant, SHARING_CHANGED, updateGrant } from '#features/sharing/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { updateUser } from '#foundation/server/session/session.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { openEvents, type OpenEvents } from '#tests/harness/events.ts'
import { endGrant, endProgram, helperOf as makeHelper, programOf, type Terms } from '#tests/harness/grants.ts'
import { addHost, asOwner, bodyOf, patchHost } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { ownClock } from '#tests/harness/own-clock.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened, say } from '#tests/harness/tickets.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const helperOf = (owner: Customer, terms?: Terms, grantee?: Customer) =>
  makeHelper(test, owner, terms, grantee)

const listen = ({ api }: Customer, last_id?: string) =>
  openEvents(test.url, api.access_token ?? '', last_id === undefined ? {} : { 'last-event-id': last_id })

const isOf = (type: string, host_id?: string) => (event: { type: string; data: Record<string, unknown> }) =>
  event.type === type && (host_id === undefined || event.data['host_id'] === host_id)

/** Publishes one more event to the customer and waits for it: all earlier events have arrived by that time. */
async function untilQuiet(stream: OpenEvents, { user_id }: Customer): Promise<void> {
  const before = stream.events.filter(isOf(SHARING_CHANGED)).length
  await transaction(test.app, 'system', (tx) => publish(tx, user_id, { type: SHARING_CHANGED }))
  await stream.until(() => stream.events.filter(isOf(SHARING_CHANGED)).length > before)
}

// Seen red while an offer was published to the accounts that it named, and not to the one that has proven its address.
it('whoever is asked hears of an invitation and of an offer to pay, and of their withdrawal', async () => {
  const [owner, asked] = await Promise.all([signedInCustomer(test), signedInCustomer(test)])
  const stream = await listen(asked)
  const heard = (type: string, count: number) =>
    stream.until(() => stream.events.filter(isOf(type)).length === count)
  const invited = { email: asked.email, role: 'technical', all_hosts: true } as const
  const grant = bodyOf(await owner.api.call(createGrant, { body: invited }), 201)
  await heard(SHARING_CHANGED, 1)
  await owner.api.call(deleteGrant, { params: { grantId: grant.id } })
  await heard(SHARING_CHANGED, 2)
  const body = { email: asked.email, side: 'owner', all_hosts: true, pays: 'renewals' } as const
  const headers = { 'idempotency-key': randomUUID() }
  const offer = bodyOf(await owner.api.call(payers.createAgreement, { headers, body }), 201)
  await heard(payers.AGREEMENT_CHANGED, 1)
  await owner.api.call(payers.deleteAgreement, { params: { agreementId: offer.id }, query: {} })
  await heard(payers.AGREEMENT_CHANGED, 2)
  stream.close()
})

describe('O-08 helpers hear', () => {
  it('of the servers of their grant, with the account, and of nothing beyond their role', async () => {
    const owner = await signedInCustomer(test)
    const [given, kept] = [await addHost(owner.api, {}), await addHost(owner.api, {})]
    const agency = await helperOf(owner, { role: 'full', may_pass_on: true })
    const people = {
      some: await helperOf(owner, { host_ids: [given.id] }),
      all: await helperOf(owner),
      billing: await helperOf(owner, { role: 'billing' }),
      'passed on': await helperOf(agency, { role: 'technical' }),
      stranger: await signedInCustomer(test),
    }
    const heard: Record<string, string[]> = {}
    const streams = Object.fromEntries(
      await Promise.all(
        Object.entries(people).map(async ([name, person]) => [name, await listen(person)] as const),
      ),
    )
    for (const { id } of [given, kept]) await patchHost(owner.api, id, { name: `new-${id}`.slice(0, 30) })
    await addMoney(test.app, owner.user_id, 100n)
    await transaction(test.app, 'system', (tx) =>
      publish(tx, owner.user_id, { type: BALANCE_CHANGED }, { roles: ['billing', 'full'] }),
    )
    for (const [name, person] of Object.entries(people)) {
      const stream = streams[name] as OpenEvents
      await untilQuiet(stream, person)
      heard[name] = [
        ...new Set(
          stream.events
            .filter(({ data }) => data['account'] === owner.user_id)
            .map(({ type, data }) =>
              `${type} ${data['host_id'] === given.id ? 'given' : data['host_id'] === kept.id ? 'kept' : ''}`.trim(),
            ),
        ),
      ].toSorted()
      expect(JSON.stringify(stream.events)).not.toContain('held')
      stream.close()
    }
    const servers = [`${HOST_CHANGED} given`, `${HOST_CHANGED} kept`]
    expect(heard).toEqual({
      some: [servers[0]],
      all: servers,
      billing: [BALANCE_CHANGED, ...servers],
      'passed on': servers,
      stranger: [],
    })
  })
  it('of messages with their text, so that their pages need not ask, and those of their topics alone', async () => {
    const owner = await signedInCustomer(test)
    const [technical, billing] = [await helperOf(owner), await helperOf(owner, { role: 'billing' })]
    const { id } = await opened(owner)
    const [hears, never] = [await listen(technical), await listen(billing)]
    await say(owner, id, 'It is down again.')
    const { data } = await hears.until(isOf(MESSAGE_CREATED))
    expect(data).toMatchObject({
      account: owner.user_id,
      chat_id: id,
      body: { message: { text: 'It is down again.', author: { name: owner.email } } },
    })
    await untilQuiet(never, billing)
    expect(never.events.filter(isOf(MESSAGE_CREATED))).toEqual([])
    for (const stream of [hears, never]) stream.close()
  })
  it('nothing more after the end of the grant, within two seconds, and nothing of before that they missed', async () => {
    const [owner, staff] = [await signedInCustomer(test), await signedInStaff(test)]
    const helping = await helperOf(owner)
    const { id } = await opened(owner)
    const away = await listen(helping)
    away.close()
    const stream = await listen(helping)
    await say(staff, id, 'Read this now.')
    await stream.until(isOf(MESSAGE_CREATED))
    const took = ownClock()
    await endGrant(owner, helping.grantId)
    await stream.until(isOf(SHARING_CHANGED))
    expect(took()).toBeLessThan(2_000)
    const before = stream.events.length
    await say(owner, id, 'They may not read this.')
    await addHost(owner.api, {})
    await untilQuiet(stream, helping)
    expect(stream.events.slice(before).map(({ type }) => type)).toEqual([SHARING_CHANGED])
    const back = await listen(helping, away.last_id)
    await back.until(isOf(SHARING_CHANGED))
    expect(JSON.stringify(back.events)).not.toContain('Read this now.')
    expect(back.events.filter(isOf(MESSAGE_CREATED))).toEqual([])
    for (const one of [stream, back]) one.close()
  })
  it('as programs by their tokens, until the token ends: their stream does within two seconds', async () => {
    const owner = await signedInCustomer(test)
    const [given, kept] = [await addHost(owner.api, {}), await addHost(owner.api, {})]
    const program = await programOf(test, owner, { host_ids: [given.id] })
    await patchHost(owner.api, given.id, { name: 'unheard' })
    const stream = await listen(program)
    for (const { id } of [kept, given]) await patchHost(owner.api, id, { name: `new-${id}`.slice(0, 30) })
    const { data } = await stream.until(isOf(HOST_CHANGED, given.id))
    expect(data).toMatchObject({ account: owner.user_id })
    expect(stream.events.filter(isOf(HOST_CHANGED, kept.id))).toEqual([])
    const took = ownClock()
    expect((await endProgram(owner, program.grantId)).status).toBe(204)
    await stream.ended()
    expect(took()).toBeLessThan(2_000)
  })
  it('no event published under earlier terms of the grant, and none while they lack the second factor it requires', async () => {
    const owner = await signedInCustomer(test)
    const host = await addHost(owner.api, {})
    const helping = await helperOf(owner)
    const strict = await helperOf(owner, { needs_second_factor: true })
    const [away, closed] = [await listen(helping), await listen(strict)]
    away.close()
    await patchHost(owner.api, host.id, { name: 'before' })
    await untilQuiet(closed, strict)
    expect(closed.events.filter(isOf(HOST_CHANGED))).toEqual([])
    await transaction(test.app, 'system', (tx) => updateUser(tx, strict.user_id, { factors: ['totp'] }))
    await patchHost(owner.api, host.id, { name: 'between' })
    await closed.until(isOf(HOST_CHANGED, host.id))
    const params = { grantId: helping.grantId }
    const body = { all_hosts: false, host_ids: [host.id], version: 2 }
    bodyOf(await owner.api.call(updateGrant, { params, body }), 200)
    await patchHost(owner.api, host.id, { name: 'after' })
    const back = await listen(helping, away.last_id)
    await back.until(isOf(HOST_CHANGED, host.id))
    expect(back.events.filter(isOf(HOST_CHANGED))).toHaveLength(1)
    for (const stream of [closed, back]) stream.close()
  })
  it('of a message by one event row per helper, for 100 helpers at most, besides the two rows of every message', async () => {
    const [owner, staff] = [await signedInCustomer(test), await signedInStaff(test)]
    const { id } = await opened(owner)
    const rowsOf = async () => {
      const [row] = await asOwner(
        test,
        `select count(*)::int as count from live_events where type = $1 and payload->>'chat_id' = $2`,
        [MESSAGE_CREATED, id],
      )
      return (row as { count: number }).count
    }
    const before = await rowsOf()
    await say(owner, id, 'Nobody helps.')
    expect((await rowsOf()) - before).toBe(2)
    await helperOf(owner)
    await asOwner(
      test,
      `with made as (insert into users (email) select 'crowd-' || n || '-' || $1::text || '@example.org' from generate_series(1, 120) n returning id)
       insert into account_grants (owner_id, email, grantee_id, role, all_hosts, state, accepted_at)
       select $1::uuid, id || '@example.org', id, 'technical', true, 'active', now() from made`,
      [owner.user_id],
    )
    const crowded = await rowsOf()
    const params = { chatId: id }
    await staff.api.call(messages.markRead, { params, body: { seq: 1 } })
    await say(staff, id, 'To all of you.')
    expect((await rowsOf()) - crowded).toBe(102)
  })
})
