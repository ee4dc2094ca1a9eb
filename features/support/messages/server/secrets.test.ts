import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { listTickets, closeTicket, mergeTicket } from '#features/support/tickets/contract.ts'
import * as contract from '#features/support/messages/contract.ts'
import { sealed } from '#features/support/tickets/server/secrets.ts'
import { wipeExpired } from '#features/support/tickets/server/secret-queries.ts'
import { deriveKeys } from '#foundation/server/keys.ts'
import { Secret } from '#foundation/server/secret.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { becomeReader } from '#foundation/server/account-events/account-events.ts'
import { eventsOf } from '#tests/harness/account-events.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { placesOf } from '#tests/harness/every-trace.ts'
import { helperOf } from '#tests/harness/grants.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { messagesOf, opened, say } from '#tests/harness/tickets.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
const root = await superuserOf(test)
afterAll(() => root.end())
const [anna, olivia] = [await signedInCustomer(test), await signedInStaff(test)]

const PASSWORD = 'wooden-lantern-4711'

const sendSecret = (who: Customer, chatId: string, secret = PASSWORD, client_id = randomUUID()) =>
  who.api.call(contract.postSecret, { params: { chatId }, body: { client_id, text: 'For SSH:', secret } })

const open = (who: Customer, chatId: string, seq: number) =>
  who.api.call(contract.openSecret, { params: { chatId, seq: String(seq) } })

const secretIn = async (who: Customer, chatId: string, seq: number) => {
  const { items } = (await messagesOf(who, chatId)) as {
    items: { seq: number; secret?: { state: string } }[]
  }
  return items.find((message) => message.seq === seq)?.secret?.state
}

it('a secret is opened once, by the other side alone, and both see that', async () => {
  const { id } = await opened(anna)
  expect(await sendSecret(anna, id)).toMatchObject({
    status: 201,
    body: { seq: 2, text: 'For SSH:', secret: { state: 'waiting' } },
  })
  expect((await open(anna, id, 2)).body).toEqual(refusal(409, 'own_secret'))
  expect(await secretIn(olivia, id, 2)).toBe('waiting')
  const both = await Promise.all([open(olivia, id, 2), open(olivia, id, 2)])
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  expect(both.find(({ status }) => status === 200)?.body).toEqual({ secret: PASSWORD })
  expect((await open(olivia, id, 2)).body).toEqual(refusal(409, 'secret_gone'))
  expect([await secretIn(anna, id, 2), await secretIn(olivia, id, 2)]).toEqual(['opened', 'opened'])
  expect((await open(olivia, id, 1)).status).toBe(404)
})

it('a secret of staff is opened by the customer or a helper who may write, and by no stranger and no reader', async () => {
  const { id } = await opened(anna)
  await say(olivia, id, 'Here it is.')
  await sendSecret(olivia, id)
  const stranger = await signedInCustomer(test)
  expect((await open(stranger, id, 3)).status).toBe(404)
  const reader = await helperOf(test, anna, { role: 'read' })
  expect([403, 404]).toContain((await open(reader, id, 3)).status)
  const billing = await helperOf(test, anna, { role: 'billing' })
  expect((await open(billing, id, 3)).status).toBe(404)
  expect(await secretIn(anna, id, 3)).toBe('waiting')
  const helping = await helperOf(test, anna, { role: 'technical' })
  expect(bodyOf(await open(helping, id, 3), 200)).toEqual({ secret: PASSWORD })
})

it('the same client_id is the same message, and keeps one secret', async () => {
  const { id } = await opened(anna)
  const client_id = randomUUID()
  expect((await sendSecret(anna, id, 'one-key-1234', client_id)).status).toBe(201)
  expect((await sendSecret(anna, id, 'two-key-1234', client_id)).status).toBe(200)
  expect(bodyOf(await open(olivia, id, 2), 200)).toEqual({ secret: 'one-key-1234' })
})

it('a secret is wiped when its ticket closes, and after 30 days', async () => {
  const [closed, old] = [await opened(anna), await opened(anna)]
  await sendSecret(anna, closed.id)
  await sendSecret(anna, old.id)
  await anna.api.call(closeTicket, { params: { chatId: closed.id } })
  expect((await open(olivia, closed.id, 2)).body).toEqual(refusal(409, 'secret_gone'))
  expect(await secretIn(anna, closed.id, 2)).toBe('wiped')
  await root.query(
    `update ticket_secrets set expires_at = now() where ticket_id = (select id from tickets where public_id = $1)`,
    [old.id],
  )
  expect((await open(olivia, old.id, 2)).body).toEqual(refusal(409, 'secret_gone'))
  await transaction(app, 'system', wipeExpired)
  const left = await root.query('select from ticket_secrets where sealed is not null and expires_at <= now()')
  expect(left.rowCount).toBe(0)
})

it('the end of a ticket wipes the secrets of all that were merged into it, one after the other, and of no other', async () => {
  const tickets = [await opened(anna), await opened(anna), await opened(anna), await opened(anna)] as const
  const [first, second, last, other] = tickets
  for (const { id } of tickets) await sendSecret(anna, id)
  for (const [gone, on] of [
    [first, second],
    [second, last],
  ] as const)
    bodyOf(
      await olivia.api.call(mergeTicket, { params: { chatId: gone.id }, body: { number: on.number } }),
      200,
    )
  expect(await secretIn(anna, first.id, 2)).toBe('waiting')
  bodyOf(await olivia.api.call(closeTicket, { params: { chatId: last.id } }), 200)
  for (const { id } of [first, second, last]) {
    expect((await open(olivia, id, 2)).body).toEqual(refusal(409, 'secret_gone'))
    expect(await secretIn(anna, id, 2)).toBe('wiped')
  }
  expect(bodyOf(await open(olivia, other.id, 2), 200)).toEqual({ secret: PASSWORD })
})

it('a secret is sealed anew when the key changes', async () => {
  const { id } = await opened(anna)
  await sendSecret(anna, id)
  const old = new Secret('the-key-of-the-tests-which-protects-nothing-0123456789')
  const keys = deriveKeys(new Secret('another-key-which-protects-nothing-0123456789-0123'), old)
  const changed = { ...app, keys }
  await transaction(app, 'system', async (tx) => {
    expect(await sealed.reseal(changed, tx, 100)).toBeGreaterThan(0)
    expect(await sealed.reseal(changed, tx, 100)).toBe(0)
    // Back again, because this installation goes on with its own key.
    const back = {
      ...app,
      keys: deriveKeys(old, new Secret('another-key-which-protects-nothing-0123456789-0123')),
    }
    await sealed.reseal(back, tx, 100)
  })
  expect(bodyOf(await open(olivia, id, 2), 200)).toEqual({ secret: PASSWORD })
})

it('a secret stands in no row, mail, file, log, event, search, export or backup, before and after it was opened', async () => {
  await test.startWorker()
  await becomeReader(app, anna.user_id)
  const secret = 'copper-raincoat-1138'
  const { id } = await opened(anna)
  await sendSecret(olivia, id, secret)
  await sendSecret(anna, id, secret)
  expect(JSON.stringify(await eventsOf(test, anna.user_id))).not.toContain(secret)
  expect(bodyOf(await anna.api.call(listTickets, { query: { q: secret } }), 200).items).toEqual([])
  expect(await placesOf(test, secret)).toEqual([])
  expect(await placesOf(test, 'For SSH:')).toEqual(expect.arrayContaining(['rows', 'backup']))
  await open(anna, id, 2)
  await open(olivia, id, 3)
  expect(await placesOf(test, secret)).toEqual([])
})
