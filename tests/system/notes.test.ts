import * as messagesContract from '#features/support/messages/contract.ts'
import * as desk from '#features/support/desk/contract.ts'
import { randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import pg from 'pg'
import { expect, it } from 'vitest'
import { routes } from '#app/server/features.ts'
import * as tickets from '#features/support/tickets/contract.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { must } from '#foundation/must.ts'

// The tests write internal notes into tickets of every status, and search for them in everything that the customer can get. Each test
// was seen to fail with its fault: customers read messages as staff do (messagesOf), all get the events of notes, unread replies count
// notes (unreadReplies), customers may use the search of the desk (listStaffTickets), or the export contains conversations as staff see
// them (conversationsOf).
const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000000' } })
const [customer, olivia, jonas] = [
  await signedInCustomer(test),
  await signedInStaff(test),
  await signedInStaff(test),
]
const secrets: string[] = []

const open = async (subject: string) => {
  const body = { subject, message: 'How does it work?', topic: 'technical' as const }
  return bodyOf(await customer.api.call(tickets.createTicket, { body }), 201).id
}
const answer = (chatId: string) =>
  olivia.api.call(messagesContract.postMessage, {
    params: { chatId },
    body: { client_id: randomUUID(), text: 'Like this.' },
  })

/** Posts a note with a word that occurs nowhere else. */
async function note(chatId: string, by = olivia): Promise<void> {
  const secret = `zugzwang-${randomUUID()}`
  secrets.push(secret)
  const body = { client_id: randomUUID(), text: `**${secret}** is what we think of it` }
  bodyOf(await by.api.call(messagesContract.postNote, { params: { chatId }, body }), 201)
}

const chats = {
  opened: await open('opened'),
  taken: await open('taken'),
  pending: await open('pending'),
  closed: await open('closed'),
}
await olivia.api.call(desk.assignTicket, { params: { chatId: chats.taken }, body: {} })
await answer(chats.pending)
await answer(chats.closed)
await olivia.api.call(tickets.closeTicket, { params: { chatId: chats.closed } })

// All staff read every chat first: customers can see who has read a chat, and the author of a note counts as a reader. Without this, a
// note would change the readers.
for (const { api } of [olivia, jonas])
  for (const chatId of Object.values(chats))
    await api.call(messagesContract.markRead, { params: { chatId }, body: { seq: 999 } })

/** Returns the answers to all GET calls that a customer may make, for every ticket; messages also from every place in a chat. */
async function everythingReadable(): Promise<Map<string, unknown>> {
  const paths = new Set<string>()
  for (const { contract } of routes) {
    if (contract.method !== 'GET' || !['anyone', 'customer'].includes(contract.access.who)) continue
    if (contract.path.startsWith('/api/events/')) continue
    for (const chatId of Object.values(chats))
      paths.add(
        contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          name === 'chatId' ? chatId : 'A'.repeat(22),
        ),
      )
  }
  for (const chatId of Object.values(chats))
    for (const query of ['before=1', 'before=999', 'after=0', 'after=1', 'after=2', 'limit=1', 'limit=100'])
      paths.add(`/api/tickets/${chatId}/messages/?${query}`)
  for (const query of ['tab=open', 'tab=closed', 'limit=1']) paths.add(`/api/tickets/?${query}`)
  const found = new Map<string, unknown>()
  for (const path of paths) {
    const { status, body } = await customer.api.get(path)
    found.set(path, { status, body })
  }
  return found
}

/** Makes all planned mails about tickets due now, and waits until the worker has sent them. */
async function allIsDue(): Promise<void> {
  const owner = new pg.Client({ connectionString: test.app.ownerUrl })
  await owner.connect()
  const left = 'from ticket_mails where due_at is not null'
  await owner.query(`begin; select set_config('app.actor', 'system', true)`)
  await owner.query('update ticket_mails set due_at = now() where due_at is not null')
  await owner.query('commit')
  await test.startWorker()
  await expect.poll(async () => (await owner.query(`select 1 ${left}`)).rowCount, { timeout: 20_000 }).toBe(0)
  await owner.end()
}

const leaked = (text: string) => secrets.filter((secret) => text.includes(secret))

it('a note changes nothing of all that its customer can read: no word, no number, no count, no time', async () => {
  const before = await everythingReadable()
  expect([...before.keys()].filter((path) => path.includes('messages')).length).toBeGreaterThan(20)
  for (const chatId of Object.values(chats)) {
    await note(chatId)
    await note(chatId, jonas)
  }
  const after = await everythingReadable()
  expect(leaked(JSON.stringify([...after]))).toEqual([])
  for (const [path, reply] of before)
    if (path.startsWith('/api/tickets/')) expect(after.get(path), path).toEqual(reply)
})

it('nor is it in what the customer’s own acts answer, before or after it', async () => {
  const answers: unknown[] = []
  for (const chatId of [chats.opened, chats.taken, chats.pending]) {
    const params = { chatId }
    await note(chatId)
    answers.push(
      await customer.api.call(messagesContract.postMessage, {
        params,
        body: { client_id: randomUUID(), text: 'And then?' },
      }),
      await customer.api.call(messagesContract.markRead, { params, body: { seq: 999 } }),
      await customer.api.call(tickets.closeTicket, { params }),
      await customer.api.call(tickets.reopenTicket, { params }),
      // Notes have no number in the customer's count, so no number that a customer asks for can be that of a note.
      await customer.api.call(messagesContract.listMessages, { params, query: { after: '0', limit: '100' } }),
    )
  }
  expect(leaked(JSON.stringify(answers))).toEqual([])
})

it('the customer’s event stream neither contains an internal note nor reveals that one exists', async () => {
  const stream = await openEvents(test.url, must(customer.api.access_token))
  await note(chats.pending)
  await note(chats.pending, jonas)
  // An event that is younger than the notes has arrived: events of the notes would have arrived before it.
  await answer(chats.pending)
  await stream.until(({ type, data }) => type === 'message.created' && data['chat_id'] === chats.pending)
  expect(stream.events.filter(({ type }) => type === 'message.created')).toHaveLength(1)
  stream.close()
  const kept = await test.app.db
    .selectFrom('live_events')
    .select('payload')
    .where('user_id', '=', customer.user_id)
    .execute()
  expect(leaked(JSON.stringify(kept))).toEqual([])
  expect(kept.filter(({ payload }) => JSON.stringify(payload).includes('note'))).toEqual([])
})

it('nor in a mail: none for it alone, and no word of it in the one about a reply', async () => {
  const owed = async () => {
    const query = test.app.db.selectFrom('mails').selectAll().where('user_id', '=', customer.user_id)
    return await query.orderBy('id').execute()
  }
  await allIsDue()
  const before = await owed()
  for (const chatId of Object.values(chats)) await note(chatId)
  await allIsDue()
  expect(await owed()).toHaveLength(before.length)
  await note(chats.taken)
  await answer(chats.taken)
  await note(chats.taken, jonas)
  await allIsDue()
  const all = await owed()
  expect(all).toHaveLength(before.length + 1)
  const mails: string[] = []
  for (const _ of all) {
    const { raw, text } = await test.mails.next(customer.email)
    mails.push(raw, text ?? '')
  }
  expect(mails.join('\n')).toContain('Like this.')
  expect(leaked(mails.join('\n') + JSON.stringify(all))).toEqual([])
})

it('the customer’s data export contains no internal note', async () => {
  const headers = { authorization: `Bearer ${customer.api.access_token}` }
  const response = await fetch(`${test.url}/api/users/export/`, { headers })
  expect(response.status).toBe(200)
  const files = Object.entries(unzipSync(new Uint8Array(await response.arrayBuffer())))
  const text = (name: string) => Buffer.from(files.find(([path]) => path === name)?.[1] ?? []).toString()
  expect(text('tickets.json')).toContain('Like this.')
  expect(leaked(files.map(([path]) => text(path)).join('\n'))).toEqual([])
})

it('staff find it by a search, and whoever is staff no more does not', async () => {
  const q = must(secrets[0])
  const find = () => jonas.api.call(desk.listStaffTickets, { query: { q } })
  expect(bodyOf(await find(), 200).items.map(({ id }) => id)).toEqual([chats.opened])
  // Customers may not use the search of the desk at all.
  const refused = await customer.api.get(`/api/staff/tickets/?q=${q}`)
  expect([refused.status, leaked(JSON.stringify(refused.body))]).toEqual([403, []])
})
