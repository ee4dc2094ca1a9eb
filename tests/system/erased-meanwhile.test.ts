import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { findUser, lockUser } from '#foundation/server/session/session.ts'
import { createHost } from '#features/hosts/contract.ts'
import { readNotifications, subscribePush } from '#features/notifications/contract.ts'
import * as payers from '#features/payers/contract.ts'
import { eraseAccount } from '#features/profile/server/profile.ts'
import { changeMailPreferences } from '#features/profile/contract.ts'
import * as sharing from '#features/sharing/contract.ts'
import { createToken } from '#features/sharing/token-contract.ts'
import { postMessage } from '#features/support/messages/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { helperOf } from '#tests/harness/grants.ts'
import { addHost, asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { accept, decline, offered } from '#tests/harness/transfers.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '100000' } })
const other = await signedInCustomer(test)

/** Erases an account, and makes a call after the erasure has begun and before it commits. Returns the call's answer. */
async function whileErased<Answer>(user_id: string, call: () => Promise<Answer>): Promise<Answer> {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const erased = transaction(test.app, 'system', async (tx) => {
    await lockUser(tx, user_id)
    await eraseAccount(test.app, tx, user_id)
    begun.resolve()
    await end.promise
  })
  await Promise.race([begun.promise, erased])
  const answer = call()
  const waits = () => asOwner(test, 'select from pg_locks where not granted', [])
  await expect.poll(async () => (await waits()).length).toBeGreaterThan(0)
  end.resolve()
  await erased
  return answer
}

const ticket = { subject: 'Hello', message: 'Hello there', topic: 'miscellaneous' } as const
const subscription = {
  endpoint: 'https://push.example.org/one',
  keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16).toString('base64url') },
}

/** Prepares what a call needs, and returns the call of the account that is erased meanwhile. */
type Prepare = (dying: Customer) => Promise<() => Promise<{ status: number }>>

const grantTo = async ({ email }: Customer) => {
  const body = { email, role: 'technical', all_hosts: true } as const
  return { params: { grantId: bodyOf(await other.api.call(sharing.createGrant, { body }), 201).id } }
}
const agreementWith = async ({ email }: Customer) => {
  const body = { email, side: 'owner', all_hosts: false, pays: 'all' } as const
  const { id } = await addHost(other.api, {})
  const call = { headers: {}, body: { ...body, host_ids: [id] } }
  return { params: { agreementId: bodyOf(await other.api.call(payers.createAgreement, call), 201).id } }
}
const hostFor = async (dying: Customer) => offered(other, dying, (await addHost(other.api, {})).id)

const calls: Record<string, Prepare> = {
  'accepts a grant': async (dying) => {
    const grant = await grantTo(dying)
    return () => dying.api.call(sharing.acceptGrant, grant)
  },
  'declines a grant': async (dying) => {
    const grant = await grantTo(dying)
    return () => dying.api.call(sharing.declineGrant, grant)
  },
  'makes a grant': async ({ api }) => {
    const body = { email: other.email, role: 'technical', all_hosts: true } as const
    return () => api.call(sharing.createGrant, { body })
  },
  'makes a token': async ({ api }) => {
    const body = { name: 'Script', role: 'technical', ends: '30', all_hosts: true } as const
    return () => api.call(createToken, { body })
  },
  'accepts an agreement': async (dying) => {
    const agreement = await agreementWith(dying)
    return () => dying.api.call(payers.acceptAgreement, { ...agreement, body: { version: 1 } })
  },
  'declines an agreement': async (dying) => {
    const agreement = await agreementWith(dying)
    return () => dying.api.call(payers.declineAgreement, agreement)
  },
  'makes an agreement': async ({ api }) => {
    const body = { email: other.email, side: 'owner', all_hosts: true, pays: 'all' } as const
    return () => api.call(payers.createAgreement, { headers: {}, body })
  },
  'accepts a server': async (dying) => {
    const { id } = await hostFor(dying)
    return () => accept(dying, id)
  },
  'declines a server': async (dying) => {
    const { id } = await hostFor(dying)
    return () => decline(dying, id)
  },
  'opens a ticket':
    async ({ api }) =>
    () =>
      api.call(createTicket, { body: ticket }),
  'adds a server':
    async ({ api }) =>
    () =>
      api.call(createHost, { headers: {}, body: {} }),
  'asks for messages on a device':
    async ({ api }) =>
    () =>
      api.call(subscribePush, { body: subscription }),
  'asks for news':
    async ({ api }) =>
    () =>
      api.call(changeMailPreferences, { body: { news: true } }),
  'marks notifications as read':
    async ({ api }) =>
    () =>
      api.call(readNotifications, { body: {} }),
}

/** Returns the tables with the names of their columns that refer to accounts. */
const referring = async () =>
  (await asOwner(
    test,
    `select c.conrelid::regclass::text as "table", a.attname as "column" from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'users'::regclass and array_length(c.conkey, 1) = 1`,
    [],
  )) as { table: string; column: string }[]

/** Counts the rows of each table that refer to an account. */
async function rowsAbout(user_id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table, column } of await referring()) {
    const rows = await asOwner(test, `select from ${table} where ${column} = $1`, [user_id])
    if (rows.length > 0) counts[`${table}.${column}`] = rows.length
  }
  return counts
}

it.each(Object.entries(calls))(
  'an account that is erased while it %s is answered 401 and gets no row',
  async (_what, prepare) => {
    const [alone, dying] = [await signedInCustomer(test), await signedInCustomer(test)]
    const [before, call] = [await prepare(alone), await prepare(dying)]
    expect((await whileErased(dying.user_id, call)).status).toBe(401)
    const { user_id } = alone
    await transaction(test.app, 'system', async (tx) => {
      await lockUser(tx, user_id)
      await eraseAccount(test.app, tx, user_id)
    })
    expect((await before()).status).toBe(401)
    expect(await rowsAbout(dying.user_id)).toEqual(await rowsAbout(user_id))
  },
)

it('a helper whose owner is erased meanwhile is not signed out', async () => {
  const owner = await signedInCustomer(test)
  const invited = await helperOf(test, owner, { role: 'full' })
  const call = { headers: {}, query: { for: owner.user_id }, body: {} }
  const answer = await whileErased(owner.user_id, () => invited.api.call(createHost, call))
  expect(answer.status).toBe(404)
  expect((await invited.api.call(createHost, { headers: {}, body: {} })).status).toBe(201)
})

it('an answer of a member of staff whose account is erased meanwhile is not written', async () => {
  const staff = await signedInStaff(test)
  const { id } = bodyOf(await other.api.call(createTicket, { body: ticket }), 201)
  const call = { params: { chatId: id }, body: { client_id: randomUUID(), text: 'Hello' } }
  const answer = await whileErased(staff.user_id, () => staff.api.call(postMessage, call))
  expect(answer.status).toBe(401)
})

it('an erasure waits for a call that keeps its account, and begins again', async () => {
  const { user_id } = await signedInCustomer(test)
  const [began, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const call = transaction(test.app, { userId: user_id }, async (tx) => {
    await findUser(tx, user_id)
    began.resolve()
    await end.promise
  })
  await began.promise
  let tries = 0
  const erased = transaction(test.app, 'system', async (tx) => {
    tries += 1
    if (tries === 2) end.resolve()
    await lockUser(tx, user_id)
    await eraseAccount(test.app, tx, user_id)
  })
  await Promise.all([call, erased])
  expect(tries).toBeGreaterThan(1)
})
