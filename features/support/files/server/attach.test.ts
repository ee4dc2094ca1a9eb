import * as contract from '#features/support/messages/contract.ts'
import { randomUUID } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import * as profile from '#features/profile/contract.ts'
import * as tickets from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { download, upload } from '#tests/harness/upload.ts'
import { keepAttachment } from '#features/support/files/server/files.ts'
import { removeLeftovers } from './sweeping.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
const nobodys = 'A'.repeat(22)

async function uploaded({ api }: Pick<Customer, 'api'>, name = 'log.txt'): Promise<string> {
  const { status, body } = await upload(api, `what ${name} holds`, name)
  expect(status).toBe(201)
  return body.id
}

const opened = async ({ api }: Customer, attachment_ids: string[] = []): Promise<tickets.Ticket> => {
  const body = { subject: 'Help', message: 'Look', topic: 'technical' as const, attachment_ids }
  const reply = await api.call(tickets.createTicket, { body })
  expect(reply.status).toBe(201)
  return reply.body
}

const say = ({ api }: Customer, chatId: string, attachment_ids: string[], client_id = randomUUID()) =>
  api.call(contract.postMessage, {
    params: { chatId },
    body: { client_id, text: '', attachment_ids },
  })

const note = ({ api }: Customer, chatId: string, attachment_ids: string[]) =>
  api.call(contract.postNote, {
    params: { chatId },
    body: { client_id: randomUUID(), text: 'x', attachment_ids },
  })

const statusFor = async ({ api }: Pick<Customer, 'api'>, id: string) => (await download(api, id)).status
const filesIn = () =>
  readdirSync(path.join(app.config.dataDir, 'files'), { recursive: true }).filter((name) =>
    /[0-9a-f]{32}/.test(String(name)),
  )

describe('files of a message', () => {
  it('are listed in its order, with the type of their bytes', async () => {
    const customer = await signedInCustomer(test)
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const photo = (await upload(customer.api, picture, 'a.png')).body
    const [first, second] = [await uploaded(customer, '1.txt'), await uploaded(customer, '2.txt')]
    const ticket = await opened(customer, [second, photo.id, first])
    const listed = await customer.api.call(contract.listMessages, {
      params: { chatId: ticket.id },
      query: {},
    })
    const [message] = (listed.body as { items: tickets.Message[] }).items
    expect(message?.attachments.map(({ name }) => name)).toEqual(['2.txt', 'a.png', '1.txt'])
    expect(message?.attachments[1]).toEqual(photo)
  })

  // Tests the uploader's id in `bind`: without it staff could send a customer's unsent file, in their own name.
  it('of a customer that no message names cannot be attached by staff, to their ticket nor to a note', async () => {
    const [customer, staff] = [await signedInCustomer(test), await signedInStaff(test)]
    const ticket = await opened(customer)
    const id = await uploaded(customer)
    for (const attempt of [say, note]) {
      const { status, body } = await attempt(staff, ticket.id, [id])
      expect([status, body]).toMatchObject([400, { errors: [{ code: 'unknown_attachment' }] }])
    }
    expect(await statusFor(staff, id)).toBe(404)
    expect((await say(customer, ticket.id, [id])).status).toBe(201)
  })

  it('alone are a message; the same client_id sent again is the same message', async () => {
    const customer = await signedInCustomer(test)
    const ticket = await opened(customer)
    const [id, client_id] = [await uploaded(customer), randomUUID()]
    const sent = await say(customer, ticket.id, [id], client_id)
    expect(sent.status).toBe(201)
    const again = await say(customer, ticket.id, [id], client_id)
    expect([again.status, again.body]).toEqual([200, sent.body])
  })

  it.each([
    ['unknown', async () => [nobodys]],
    ["another's", async () => [await uploaded(await signedInCustomer(test))]],
    [
      'used',
      async (customer: Customer) => {
        const id = await uploaded(customer)
        await opened(customer, [id])
        return [id]
      },
    ],
    [
      'named twice',
      async (customer: Customer) => {
        const id = await uploaded(customer)
        return [id, id]
      },
    ],
    [
      'older than a day',
      async (customer: Customer) => {
        const id = await uploaded(customer)
        await age(id, 25)
        return [id]
      },
    ],
    ['beside a good one', async (customer: Customer) => [await uploaded(customer), nobodys]],
  ])('that are %s are refused, and nothing is sent', async (_what, ids) => {
    const customer = await signedInCustomer(test)
    const ticket = await opened(customer)
    const refused = await say(customer, ticket.id, await ids(customer))
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ code: 'unknown_attachment' }] } })
    const { body } = await customer.api.call(tickets.getTicket, { params: { chatId: ticket.id } })
    expect(body).toMatchObject({ last_seq: 1 })
  })

  // Seen red while the rows were looked up first and written afterwards: more than one message got the file.
  it('go with one message only: of 21 messages at once that name the same file, 20 are refused', async () => {
    const customer = await signedInCustomer(test)
    const places = await Promise.all([opened(customer), opened(customer), opened(customer)])
    const id = await uploaded(customer)
    const replies = await Promise.all(
      Array.from({ length: 21 }, (_, turn) => say(customer, must(places[turn % 3]).id, [id])),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => (status as number) === 400)).toHaveLength(20)
  })
})

describe('rules 4 and 25: access to a file', () => {
  it('before a message names it, its uploader alone, staff neither', async () => {
    const [customer, stranger, olivia] = [
      await signedInCustomer(test),
      await signedInCustomer(test),
      await signedInStaff(test),
    ]
    const id = await uploaded(customer)
    expect(await statusFor(customer, id)).toBe(200)
    for (const other of [stranger, olivia]) await sameAsMissing(other, id)
    expect(await statusFor({ api: test.client() }, id)).toBe(401)
  })

  it('afterwards the customer of the ticket and staff', async () => {
    const [customer, stranger, olivia, bob] = [
      await signedInCustomer(test),
      await signedInCustomer(test),
      await signedInStaff(test),
      await signedInStaff(test),
    ]
    const theirs = await uploaded(customer)
    const ticket = await opened(customer, [theirs])
    const answer = await uploaded(olivia)
    expect((await say(olivia, ticket.id, [answer])).status).toBe(201)
    for (const id of [theirs, answer]) {
      for (const reader of [customer, olivia, bob]) expect(await statusFor(reader, id)).toBe(200)
      await sameAsMissing(stranger, id)
    }
  })

  it('of a note is for staff only, except for a member of staff who is the customer of that ticket', async () => {
    const [customer, olivia, bob] = [
      await signedInCustomer(test),
      await signedInStaff(test),
      await signedInStaff(test),
    ]
    const ticket = await opened(customer)
    const hidden = await uploaded(olivia)
    expect((await note(olivia, ticket.id, [hidden])).status).toBe(201)
    expect(await statusFor(bob, hidden)).toBe(200)
    await sameAsMissing(customer, hidden)
    const own = await opened(bob)
    const about = await uploaded(olivia)
    expect((await note(olivia, own.id, [about])).status).toBe(201)
    await sameAsMissing(bob, about)
  })

  it('ends with the right of its reader', async () => {
    const [customer, olivia] = [await signedInCustomer(test), await signedInStaff(test)]
    const id = await uploaded(customer)
    await opened(customer, [id])
    expect(await statusFor(olivia, id)).toBe(200)
    await transaction(app, 'system', (tx) =>
      tx
        .updateTable('users')
        .set({ is_staff: false, staff_roles: [] })
        .where('id', '=', olivia.user_id)
        .execute(),
    )
    await sameAsMissing(olivia, id)
  })
})

describe('an account that ends', () => {
  it('takes the files of its tickets along, those of staff there too, rows at once and bytes soon', async () => {
    const [customer, other, olivia] = [
      await signedInCustomer(test),
      await signedInCustomer(test),
      await signedInStaff(test),
    ]
    const [attached, waiting, foreign] = [
      await uploaded(customer),
      await uploaded(customer),
      await uploaded(other),
    ]
    const ticket = await opened(customer, [attached])
    const answer = await uploaded(olivia)
    await say(olivia, ticket.id, [answer])
    const before = filesIn().length
    expect((await customer.api.call(profile.deactivate, { body: {} })).status).toBe(204)
    for (const id of [attached, answer]) expect(await statusFor(olivia, id)).toBe(404)
    await removeLeftovers(app)
    expect(filesIn()).toHaveLength(before - 3)
    expect(await statusFor(other, foreign)).toBe(200)
    expect(waiting).toMatch(/^[\w-]{22}$/)
  })
})

describe('the server API', () => {
  it('stores a file that another feature provides', async () => {
    const customer = await signedInCustomer(test)
    const at = path.join(app.storage.incoming, randomUUID())
    writeFileSync(at, 'seeded')
    const file = {
      path: at,
      name: '../seed.txt',
      size: 6,
      sha256: Buffer.alloc(32),
      head: Buffer.from('seeded'),
      is_text: true,
    }
    const kept = await keepAttachment(app, { user_id: customer.user_id, uploader_id: customer.user_id }, file)
    expect(kept).toMatchObject({ name: 'seed.txt', type: 'text/plain', size: 6 })
    expect((await download(customer.api, kept.id)).bytes.toString()).toBe('seeded')
  })
})

async function sameAsMissing({ api }: Customer, id: string): Promise<void> {
  const [foreign, missing] = [await download(api, id), await download(api, nobodys)]
  expect([foreign.status, foreign.bytes.toString()]).toEqual([404, missing.bytes.toString()])
  expect((await download(api, id, 'preview')).status).toBe(404)
}

const age = (id: string, hours: number) =>
  transaction(app, 'system', (tx) =>
    tx
      .updateTable('attachments')
      .set({ created_at: new Date(Date.now() - hours * 3_600_000) })
      .where('public_id', '=', id)
      .execute(),
  )
