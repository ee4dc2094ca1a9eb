import * as contract from '#features/support/messages/contract.ts'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { expect, it } from 'vitest'
import { deactivate } from '#features/profile/contract.ts'
import { changeStorage, getStorage } from '#features/support/files/contract.ts'
import * as tickets from '#features/support/tickets/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { upload, type Refused } from '#tests/harness/upload.ts'
import { keptAndExtra } from '#features/support/tickets/server/tickets.ts'
import { removeLeftovers, sweepAttachments } from './sweeping.ts'
import { leastFree } from './files.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000', STORAGE_PER_CUSTOMER: '1 MB' } })
const { app } = test
const TENTH = new Uint8Array(100_000)

const opened = async ({ api }: Customer, attachment_ids: string[] = []): Promise<tickets.Ticket> => {
  const body = { subject: 'Help', message: 'Look', topic: 'technical' as const, attachment_ids }
  const reply = await api.call(tickets.createTicket, { body })
  expect(reply.status).toBe(201)
  return reply.body
}
const codeOf = (body: unknown) => (body as Refused).errors[0]?.code
const kept = async ({ user_id }: Customer) => (await keptAndExtra(app.db, user_id)).kept
const uploadedBy = async ({ api }: Customer, bytes = TENTH) => (await upload(api, bytes)).body.id
const filesIn = () =>
  readdirSync(app.config.dataDir, { recursive: true }).filter((name) => /[0-9a-f]{32}/.test(String(name)))

const bytesComingIn = () =>
  readdirSync(app.storage.incoming).reduce(
    (sum, name) =>
      sum + (statSync(path.join(app.storage.incoming, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

/**
 * Sends this many bytes of a file without its end, and keeps the connection open. `answer` resolves with the reply that may come before the
 * end.
 */
async function sendHalf({ api }: Customer, bytes: number) {
  const socket = net.connect(Number(new URL(test.url).port), '127.0.0.1')
  socket.on('error', () => {})
  const answer = once(socket, 'data').then(
    ([data]) => String(data),
    () => '',
  )
  const head = [
    'POST /api/attachments/ HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${api.access_token}`,
    'Content-Type: multipart/form-data; boundary=x',
    'Transfer-Encoding: chunked',
  ]
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
  const body = part + 'a'.repeat(bytes)
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`)
  return { socket, answer }
}

// Tests the check after the insert: the check before the upload sees none of the other uploads.
it('rule 42: of 20 uploads at once, the 10 within the quota are stored, and the others get 413 and leave no file behind', async () => {
  const customer = await signedInCustomer(test)
  const before = filesIn().length
  const answers = await Promise.all(Array.from({ length: 20 }, () => upload(customer.api, TENTH)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  const refused = answers.filter(({ status }) => status !== 201)
  for (const { status, body } of refused) expect([status, codeOf(body)]).toEqual([413, 'quota_exceeded'])
  expect(await kept(customer)).toBe(1_000_000)
  expect(filesIn()).toHaveLength(before + 10)
})

it('rule 42: unfinished uploads count: slow ones cannot exceed the quota together', async () => {
  const customer = await signedInCustomer(test)
  const slow = await Promise.all(Array.from({ length: 3 }, () => sendHalf(customer, 300_000)))
  // The bytes of these uploads are on the disk, and no row counts them.
  await expect.poll(bytesComingIn).toBeGreaterThanOrEqual(900_000)
  expect(await kept(customer)).toBe(0)
  const more = await upload<Refused>(customer.api, new Uint8Array(200_000))
  expect([more.status, codeOf(more.body)]).toEqual([413, 'quota_exceeded'])
  expect((await upload((await signedInCustomer(test)).api, new Uint8Array(200_000))).status).toBe(201)
  const grown = await sendHalf(customer, 200_000)
  expect(await grown.answer, 'also without a length').toContain('"quota_exceeded"')
  for (const { socket } of slow) socket.destroy()
  await expect.poll(bytesComingIn).toBe(0)
  expect((await upload(customer.api, TENTH)).status).toBe(201)
})

it('rule 42: files used by messages count too, for good; a refusal comes before the file is read', async () => {
  const customer = await signedInCustomer(test)
  const ids = await Promise.all(Array.from({ length: 10 }, () => uploadedBy(customer)))
  const ticket = await opened(customer, ids)
  expect(await kept(customer)).toBe(1_000_000)
  const one = await upload<Refused>(customer.api, 'x')
  expect([one.status, codeOf(one.body)]).toEqual([413, 'quota_exceeded'])
  // Messages still go through, and no other user is affected.
  const said = { client_id: randomUUID(), text: 'Please make room' }
  expect(
    (await customer.api.call(contract.postMessage, { params: { chatId: ticket.id }, body: said })).status,
  ).toBe(201)
  expect((await upload((await signedInCustomer(test)).api, TENTH)).status).toBe(201)
})

it('rule 42: files attached by staff count to no customer’s quota', async () => {
  const [customer, staff] = [await signedInCustomer(test), await signedInStaff(test)]
  const ticket = await opened(customer)
  for (let count = 0; count < 2; count += 1) {
    const attachment_ids = await Promise.all(Array.from({ length: 8 }, () => uploadedBy(staff)))
    expect(await kept(staff)).toBe(800_000)
    const body = { client_id: randomUUID(), text: '', attachment_ids }
    const { status } = await staff.api.call(contract.postMessage, {
      params: { chatId: ticket.id },
      body,
    })
    expect(status).toBe(201)
  }
  expect([await kept(staff), await kept(customer)]).toEqual([0, 0])
})

it('rule 42: swept or erased files free the quota again', async () => {
  const [customer, gone] = [await signedInCustomer(test), await signedInCustomer(test)]
  await uploadedBy(customer)
  await transaction(app, 'system', (tx) =>
    tx
      .updateTable('attachments')
      .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('user_id', '=', customer.user_id)
      .execute(),
  )
  await sweepAttachments(app)
  expect(await kept(customer)).toBe(0)
  await opened(gone, [await uploadedBy(gone)])
  expect((await gone.api.call(deactivate, { body: {} })).status).toBe(204)
  await removeLeftovers(app)
  expect(await kept(gone)).toBe(0)
})

it('rule 42: a disk keeps 5 % of itself, and a gigabyte at least', () => {
  expect(leastFree(8e9)).toBe(1e9)
  expect(leastFree(1e12)).toBe(5e10)
})

// Seen red: the text of a full storage said that we make room, and nobody could.
it('rule 42: staff make room for one account, by the call that the text of a full storage promises', async () => {
  const [customer, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  const staff = await signedInStaff(test)
  const fill = async (person: Customer) => {
    for (let file = 0; file < 10; file += 1) await uploadedBy(person)
    return (await upload(person.api, TENTH)).status
  }
  expect([await fill(customer), await fill(other)]).toEqual([413, 413])
  const params = { userId: customer.user_id }
  const change = (extra_mb: number, from: number, { api } = staff) =>
    api.call(changeStorage, { params, body: { extra_mb, from, note: 'Many pictures' } })
  expect((await change(1, 0, customer)).status).toBe(403)
  expect((await change(1, 5)).body).toMatchObject({ errors: [{ code: 'changed' }] })
  expect((await change(-1, 0)).status).toBe(400)
  const answer = await change(1, 0)
  expect(answer).toMatchObject({ status: 200, body: { most_bytes: 2_000_000, extra_mb: 1 } })
  const read = await staff.api.call(getStorage, { params })
  expect(read.body).toEqual(answer.body)
  expect([(await upload(customer.api, TENTH)).status, (await upload(other.api, TENTH)).status]).toEqual([
    201, 413,
  ])
  expect((await change(0, 1)).status).toBe(200)
  expect((await upload(customer.api, TENTH)).status).toBe(413)
  const own = { params: { userId: staff.user_id }, body: { extra_mb: 1, from: 0, note: 'Mine' } }
  expect((await staff.api.call(changeStorage, own)).status).toBe(403)
  const acts = await asOwner(
    test,
    `select detail->>'by' as by, detail->>'reason' as reason, detail->>'extra_mb' as extra from audit
      where user_id = $1 and act = 'customer.storage_changed' order by id`,
    [customer.user_id],
  )
  const said = { by: staff.user_id, reason: 'Many pictures' }
  expect(acts).toEqual([
    { ...said, extra: '1' },
    { ...said, extra: '0' },
  ])
})
