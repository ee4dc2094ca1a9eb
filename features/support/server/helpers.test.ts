import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { routes } from '#app/server/features.ts'
import { decideAnswerOfOther, getWholeMail } from '#features/support/mail/contract.ts'
import * as messages from '#features/support/messages/contract.ts'
import * as contract from '#features/support/tickets/contract.ts'
import { topicsFor, type Topic } from '#features/support/tickets/rules.ts'
import { updateGrant } from '#features/sharing/contract.ts'
import { helperRoles, type HelperRole } from '#foundation/capability.ts'
import type { Route } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { endGrant, endProgram, helperOf as makeHelper, type Terms, programOf } from '#tests/harness/grants.ts'
import { addHost, asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { messagesOf, opened, question, say, staffTicket } from '#tests/harness/tickets.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'
import { download, upload } from '#tests/harness/upload.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const helperOf = (owner: Customer, terms?: Terms, grantee?: Customer) =>
  makeHelper(test, owner, terms, grantee)

const openFor = ({ api }: Customer, account: string, body: object = {}) =>
  api.post<contract.Ticket>(`/api/tickets/?for=${account}`, { ...question, ...body })

const listFor = async ({ api }: Customer, account: string) =>
  bodyOf(await api.call(contract.listTickets, { query: { for: account } }), 200).items

describe('O-07 tickets of an owner', () => {
  it('opened by a helper belong to the owner; staff see the helper as author, and the owner they act for', async () => {
    const [owner, staff] = [await signedInCustomer(test), await signedInStaff(test)]
    const helping = await helperOf(owner)
    const { status, body } = await openFor(helping, owner.user_id)
    expect(status).toBe(201)
    expect(body).toMatchObject({ account: { id: owner.user_id, role: 'technical' } })
    expect(bodyOf(await owner.api.call(contract.listTickets, { query: {} }), 200).items).toMatchObject([
      { id: body.id, account: null, unread: 1 },
    ])
    expect(await messagesOf(owner, body.id)).toMatchObject({
      items: [{ author: { id: helping.user_id, name: helping.email, is_staff: false } }],
    })
    const author = { id: helping.user_id, name: helping.email, is_staff: false, for: owner.email }
    expect(await messagesOf(staff, body.id)).toMatchObject({ items: [{ author }] })
    expect(await staffTicket(staff, body.id)).toMatchObject({ customer: { id: owner.user_id } })
    expect((await say(owner, body.id, 'And mine.')).status).toBe(201)
    const said = (await messagesOf(staff, body.id)) as { items: { author: object }[] }
    expect(said.items.map(({ author: { for: whom } }: { author: { for?: string } }) => whom)).toEqual([
      owner.email,
      undefined,
    ])
    await helping.api.call(contract.closeTicket, { params: { chatId: body.id } })
    expect((await messagesOf(staff, body.id)) as object).toMatchObject({
      items: [{}, {}, { kind: 'event', author: { id: helping.user_id, for: owner.email } }],
    })
  })
  it('are read as far as each person has: the helper’s mark is not the owner’s, and no member’s', async () => {
    const [owner, staff] = [await signedInCustomer(test), await signedInStaff(test)]
    const helping = await helperOf(owner)
    const { id } = await opened(owner)
    expect((await say(staff, id, 'What do you see?')).status).toBe(201)
    const unreadOf = async (reader: Customer, account?: string) =>
      (await reader.api.get<{ count: number }>(`/api/tickets/unread/${account ? `?for=${account}` : ''}`))
        .body.count
    expect([await unreadOf(owner), await unreadOf(helping, owner.user_id)]).toEqual([1, 2])
    await helping.api.call(messages.markRead, { params: { chatId: id }, body: { seq: 2 } })
    expect([await unreadOf(owner), await unreadOf(helping, owner.user_id)]).toEqual([1, 0])
    expect(await unreadOf(helping)).toBe(0)
    const { reads } = (await messagesOf(staff, id)) as { reads: { user_id: string; is_staff: boolean }[] }
    expect(reads.find(({ user_id }) => user_id === helping.user_id)).toMatchObject({ is_staff: false })
  })
  it('appear in the helper’s list beside their own, each with its owner, if the grant covers topic and server', async () => {
    const [owner, other, reader] = await Promise.all([
      signedInCustomer(test),
      signedInCustomer(test),
      signedInCustomer(test),
    ])
    const host = await addHost(owner.api, {})
    await helperOf(owner, { host_ids: [host.id] }, reader)
    await helperOf(other, { role: 'billing' }, reader)
    const own = await opened(reader)
    const about = await opened(owner, { host_id: host.id })
    await opened(owner)
    const money = await opened(other, { topic: 'finances_sales' })
    await opened(other, { topic: 'review' })
    expect((await listFor(reader, 'all')).map(({ id, account }) => [id, account?.id])).toEqual([
      [money.id, other.user_id],
      [about.id, owner.user_id],
      [own.id, undefined],
    ])
    expect((await listFor(reader, owner.user_id)).map(({ id }) => id)).toEqual([about.id])
    const stranger = await signedInCustomer(test)
    const answer = await stranger.api.call(contract.listTickets, { query: { for: owner.user_id } })
    expect(answer.status).toBe(404)
  })
  it('accept a helper’s file, which then counts towards the owner’s quota; after the grant the helper cannot download it', async () => {
    const owner = await signedInCustomer(test)
    const helping = await helperOf(owner)
    const file = (await upload(helping.api, 'x'.repeat(500), 'log.txt')).body
    const { id } = (await openFor(helping, owner.user_id, { attachment_ids: [file.id] })).body
    const keptBy = ({ user_id }: Customer) =>
      asOwner(test, 'select bytes::int from kept_bytes where user_id = $1', [user_id])
    expect([await keptBy(owner), await keptBy(helping)]).toEqual([[{ bytes: 500 }], [{ bytes: 0 }]])
    expect([await download(owner.api, file.id), await download(helping.api, file.id)]).toMatchObject([
      { status: 200 },
      { status: 200 },
    ])
    const theirs = (await upload(owner.api, 'mine', 'mine.txt')).body
    const body = { client_id: randomUUID(), text: '', attachment_ids: [theirs.id] }
    const stolen = await helping.api.call(messages.postMessage, { params: { chatId: id }, body })
    expect(stolen.body).toMatchObject(refusal(400, 'unknown_attachment', 'attachment_ids'))
    await endGrant(owner, helping.grantId)
    expect((await download(helping.api, file.id)).status).toBe(404)
    await asOwner(test, 'delete from attachments where user_id = $1 and ticket_id is not null', [
      owner.user_id,
    ])
    expect(await keptBy(owner)).toEqual([{ bytes: 4 }])
  })
  it('O-11: accept a token’s file, which counts towards the owner’s quota from the upload on, and none of anybody else', async () => {
    const owner = await signedInCustomer(test)
    const [program, other, reader] = [
      await programOf(test, owner),
      await programOf(test, owner),
      await programOf(test, owner, { role: 'read' }),
    ]
    const keptBytes = () =>
      asOwner(test, 'select bytes::int from kept_bytes where user_id = $1', [owner.user_id])
    const file = (await upload(program.api, 'x'.repeat(500), 'log.txt')).body
    expect(await keptBytes()).toEqual([{ bytes: 500 }])
    expect((await upload(reader.api, 'x')).body).toMatchObject(refusal(403, 'not_allowed_for_role'))
    const open = ({ api }: Customer, id: string) =>
      api.post<contract.Ticket>('/api/tickets/', { ...question, attachment_ids: [id] })
    for (const one of [owner, other])
      expect((await open(one, file.id)).body).toMatchObject(
        refusal(400, 'unknown_attachment', 'attachment_ids'),
      )
    const theirs = (await upload(owner.api, 'mine')).body
    expect((await open(program, theirs.id)).body).toMatchObject(
      refusal(400, 'unknown_attachment', 'attachment_ids'),
    )
    expect((await open(program, file.id)).status).toBe(201)
    expect(await keptBytes()).toEqual([{ bytes: 504 }])
    for (const { api } of [program, reader, owner]) expect((await download(api, file.id)).status).toBe(200)
    const billing = await programOf(test, owner, { role: 'billing' })
    expect((await download(billing.api, file.id)).status).toBe(404)
    const late = (await upload(program.api, 'late')).body
    await endProgram(owner, program.grantId)
    expect((await upload(program.api, 'later')).status).toBe(401)
    expect((await download(program.api, file.id)).status).toBe(401)
    await asOwner(test, 'delete from attachments where public_id = $1', [late.id])
    expect(await keptBytes()).toEqual([{ bytes: 504 }])
  })
  it('are opened and continued by a helper only within the topics and servers of the grant', async () => {
    const owner = await signedInCustomer(test)
    const [given, kept] = [await addHost(owner.api, {}), await addHost(owner.api, {})]
    const some = await helperOf(owner, { host_ids: [given.id] })
    const billing = await helperOf(owner, { role: 'billing' })
    expect((await openFor(some, owner.user_id, { host_id: given.id })).status).toBe(201)
    expect((await openFor(some, owner.user_id, { host_id: kept.id })).body).toMatchObject(
      refusal(400, 'unknown_host', 'host_id'),
    )
    expect((await openFor(some, owner.user_id)).body).toMatchObject(refusal(403, 'not_allowed_for_role'))
    expect((await openFor(billing, owner.user_id)).body).toMatchObject(refusal(403, 'not_allowed_for_role'))
    const technical = await opened(owner)
    const finances = { topic: 'finances', previous_id: technical.id }
    expect((await openFor(billing, owner.user_id, finances)).body).toMatchObject(
      refusal(400, 'unknown_ticket', 'previous_id'),
    )
    expect((await openFor(billing, owner.user_id, { topic: 'finances' })).status).toBe(201)
  })
  it('are lost with the grant, its role and the topic: what was said stays with the name', async () => {
    const [owner, staff] = [await signedInCustomer(test), await signedInStaff(test)]
    const helping = await helperOf(owner)
    const { id } = (await openFor(helping, owner.user_id)).body
    const seen = () => helping.api.call(contract.getTicket, { params: { chatId: id } })
    await staff.api.patch(`/api/staff/tickets/${id}/`, { topic: 'finances' })
    expect((await seen()).status).toBe(404)
    await staff.api.patch(`/api/staff/tickets/${id}/`, { topic: 'review' })
    expect((await seen()).status).toBe(200)
    const params = { grantId: helping.grantId }
    bodyOf(await owner.api.call(updateGrant, { params, body: { role: 'billing', version: 2 } }), 200)
    expect((await seen()).status).toBe(404)
    bodyOf(await owner.api.call(updateGrant, { params, body: { role: 'full', version: 3 } }), 200)
    expect((await seen()).status).toBe(200)
    await endGrant(helping, helping.grantId)
    expect((await seen()).status).toBe(404)
    expect((await say(helping, id, 'late')).status).toBe(404)
    expect(await messagesOf(staff, id)).toMatchObject({
      items: [{ author: { name: helping.email } }, {}, {}],
    })
  })
})

// Generated from the contracts, like the matrix of all other calls in features/sharing/server/roles.test.ts.
describe('O-07 each call about a ticket', async () => {
  const owner = await signedInCustomer(test)
  const [given, kept] = [await addHost(owner.api, {}), await addHost(owner.api, {})]
  type Kind = { person: Customer; role?: HelperRole; isSome?: true }
  const agency = await helperOf(owner, { role: 'full', may_pass_on: true })
  const once = await helperOf(agency, { role: 'billing', may_pass_on: true })
  const ended = await helperOf(owner, { role: 'full' })
  await endGrant(owner, ended.grantId)
  const kinds: Record<string, Kind> = {
    ...Object.fromEntries(
      await Promise.all(
        helperRoles.map(async (role): Promise<[string, Kind]> => [
          role,
          { person: await helperOf(owner, { role }), role },
        ]),
      ),
    ),
    'technical for some': {
      person: await helperOf(owner, { host_ids: [given.id] }),
      role: 'technical',
      isSome: true,
    },
    'passed on to billing': { person: once, role: 'billing' },
    'passed on twice': { person: await helperOf(once, { role: 'full' }) },
    revoked: { person: ended },
    'a token, technical': { person: await programOf(test, owner), role: 'technical' },
    'a token, full': { person: await programOf(test, owner, { role: 'full' }), role: 'full' },
    'a token, read': { person: await programOf(test, owner, { role: 'read' }), role: 'read' },
    stranger: { person: await signedInCustomer(test) },
  }
  const tickets: { topic: Topic; host_id: string | null }[] = [
    { topic: 'technical', host_id: given.id },
    { topic: 'technical', host_id: kept.id },
    { topic: 'miscellaneous', host_id: null },
    { topic: 'finances_chargeback', host_id: given.id },
  ]
  const file = (await upload(owner.api, 'bytes', 'a.txt')).body
  const open = await Promise.all(
    tickets.map((about, place) =>
      opened(owner, { ...about, ...(place === 0 && { attachment_ids: [file.id] }) }),
    ),
  )
  const bodies: Record<string, () => object> = {
    postMessage: () => ({ client_id: randomUUID(), text: 'said' }),
    postSecret: () => ({ client_id: randomUUID(), text: 'said', secret: 'copper-raincoat' }),
    markRead: () => ({ seq: 1 }),
    rateTicket: () => ({ face: 'good' }),
  }
  const calls = routes
    .map(({ contract: one }): Route => one)
    .filter(({ access, path }) => access.who === 'customer' && /\{(?:chatId|attachmentId)\}/.test(path))
    // Calls about one message depend on the message: features/support/messages/server/secrets.test.ts and redaction.test.ts.
    .filter(({ path }) => !path.includes('{seq}'))
    // A mail belongs to the person who wrote it, or whom it answers: features/support/mail/server/mail.test.ts.
    .filter(({ id }) => id !== getWholeMail.id && id !== decideAnswerOfOther.id)
    // The file is no picture and has no preview.
    .filter(({ path }) => !path.endsWith('/preview'))
  const send = async ({ api }: Customer, { method, path, id }: Route, chatId: string, account = '') => {
    const address = path.replace('{chatId}', chatId).replace('{attachmentId}', file.id) + account
    const { status } =
      method === 'GET' ? await api.get(address) : await api.send(method, address, bodies[id]?.() ?? {}, {})
    // An open ticket cannot be rated yet, which only those learn who may rate it.
    const isIn = status < 300 || (id === 'rateTicket' && status === 409)
    return status === 404 ? 'hidden' : isIn ? 'in' : String(status)
  }

  it('may be made by helpers', () => {
    expect(calls.length).toBeGreaterThan(6)
    for (const { access, method } of calls)
      expect(access).toMatchObject({ acts: method === 'GET' ? contract.seeTickets : contract.useTickets })
  })
  for (const [name, { person, role, isSome }] of Object.entries(kinds))
    it.each(calls)(`answers ${name} as it should: $method $path`, async (call) => {
      for (const [place, { topic, host_id }] of tickets.entries()) {
        if (place > 0 && call.path.includes('{attachmentId}')) continue
        const isIn = role && topicsFor(role).includes(topic) && (!isSome || host_id === given.id)
        const wanted = !isIn ? 'hidden' : role === 'read' && call.method !== 'GET' ? '403' : 'in'
        const chatId = must(open[place]).id
        expect(await send(person, call, chatId)).toBe(wanted)
        expect(await send(person, call, chatId, `?for=${owner.user_id}`)).toBe(wanted)
        expect(await send(person, call, chatId, `?for=${agency.user_id}`)).toBe('hidden')
      }
    })
})

it('O-07: of 32 messages that a helper sends while their grant is revoked, none is stored after the revocation', async () => {
  const owner = await signedInCustomer(test)
  const helping = await helperOf(owner)
  const { id } = await opened(owner)
  const sent = Array.from({ length: 32 }, (_, place) => say(helping, id, `message ${place}`))
  expect((await untilAnswered(() => endGrant(owner, helping.grantId))).status).toBe(204)
  const { last_seq } = (await messagesOf(owner, id)) as { last_seq: number }
  const statuses = (await Promise.all(sent)).map(({ status }): number => status)
  expect(statuses.every((status) => [201, 404, 503].includes(status))).toBe(true)
  expect((await messagesOf(owner, id)) as object).toMatchObject({ last_seq })
})
