import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { login } from '#features/auth/contract.ts'
import {
  createCustomerNote,
  deleteCustomerNote,
  listCustomerActivity,
  setBlock,
} from '#features/customers/contract.ts'
import { giveCredit } from '#features/finance/contract.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { listActivity } from '#features/security/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { must } from '#foundation/must.ts'
import { makeAccount, password, signIn } from '#tests/contract/accounts.ts'
import { openEvents } from '#tests/harness/events.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { signedInStaff } from '#tests/harness/customer.ts'
import { ownerOf } from '#tests/harness/owner-rows.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000', TRUSTED_PROXIES: '1' } })
const staff = await signedInStaff(test)
const { owner: database } = await ownerOf(test)
await staff.api.call(updateProfile, { body: { name: 'Olivia', surname: 'Grant' } })

async function customer() {
  const account = await makeAccount(test.app)
  const client = test.client()
  await signIn(client, account)
  const list = async (query: InputOf<typeof listActivity>['query'] = {}) =>
    bodyOf(await client.call(listActivity, { query }), 200)
  return { ...account, client, list }
}

// Seen red: only staff saw it, and the customer waited for a mail that no server took.
it('rule 30: shows to the customer and to staff that a mail was refused for good', async () => {
  const { user_id, list } = await customer()
  const detail = { mail_id: 'x', letter: 'note', attempts: 1, reason: '501 bad address' }
  await transaction(test.app, 'system', (tx) => recordAction(tx, { user_id, act: 'mail.dead', detail }))
  expect((await list()).items[0]).toMatchObject({ act: 'mail.dead', message: null })
  const params = { userId: user_id }
  const all = bodyOf(await staff.api.call(listCustomerActivity, { params, query: {} }), 200).items
  expect(all[0]).toMatchObject({ act: 'mail.dead', detail })
})

it('shows what staff did to the account, by whom and why, and nothing that is for staff', async () => {
  const { user_id, list } = await customer()
  const params = { userId: user_id }
  const from = { headers: { 'x-forwarded-for': '203.0.113.77' } }
  const note = bodyOf(
    await staff.api.call(createCustomerNote, { params, headers: {}, body: { text: 'Rude' } }),
    201,
  )
  await staff.api.call(deleteCustomerNote, { params: { ...params, noteId: note.id } })
  const message = 'Please call us.'
  const body = { level: 'blocked', cause: 'terms', reason: 'for staff alone', message } as const
  expect((await staff.api.call(setBlock, { params, body }, from)).status).toBe(200)
  const { items } = await list()
  expect(items).toMatchObject([
    { act: 'customer.blocked', by: 'support', by_name: 'Olivia', message, ip: null, user_agent: null },
    { act: 'session.started', by: 'you', by_name: null, message: null, times: 1 },
  ])
  expect(items[1]?.ip).not.toBeNull()
  // Staff see all acts, with their origin.
  const all = bodyOf(await staff.api.call(listCustomerActivity, { params, query: {} }), 200).items
  expect(all.map(({ act }) => act)).toEqual(['customer.blocked', 'customer.note_deleted', 'session.started'])
  expect(all[0]).toMatchObject({ actor: { kind: 'staff', name: 'Olivia Grant' }, ip: '203.0.113.77' })
  expect(JSON.stringify(items)).not.toMatch(/for staff alone|203\.0\.113\.77|Grant|Rude/)
})

it('shows a customer why staff gave them credit, and shows other customers nothing of it', async () => {
  const [one, other] = [await customer(), await customer()]
  const headers = { 'idempotency-key': crypto.randomUUID() }
  await staff.api.call(giveCredit, {
    params: { userId: one.user_id },
    headers,
    body: { amount: '500', reason: 'Outage on Monday' },
  })
  expect((await one.list()).items[0]).toMatchObject({ by: 'support', message: 'Outage on Monday' })
  expect((await other.list()).items.map(({ act }) => act)).toEqual(['session.started'])
})

it('sums failed sign-ins of an hour, and pages without gap or double', async () => {
  const { email, list } = await customer()
  const from = { headers: { 'x-forwarded-for': '198.51.100.9' } }
  for (let n = 0; n < 3; n += 1)
    await test.client().call(login, { body: { email, password: 'wrong-lantern-1' } }, from)
  await signIn(test.client(), { email, user_id: '' })
  const { items } = await list()
  expect(items.map(({ act, by, times }) => [act, by, times])).toEqual([
    ['session.started', 'you', 1],
    ['login.refused', 'unknown', 3],
    ['session.started', 'you', 1],
  ])
  expect(items[1]).toMatchObject({ ip: '198.51.100.9' })
  await Promise.all(Array.from({ length: 6 }, () => test.client().call(login, { body: { email, password } })))
  const seen: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = await list({ limit: '2', ...(cursor === undefined ? {} : { cursor }) })
    seen.push(...page.items.filter(({ act }) => act === 'session.started').map(({ id }) => id))
    if (page.next_cursor === null) break
    cursor = page.next_cursor
  }
  expect(seen).toHaveLength(8)
  expect(new Set(seen).size).toBe(8)
})

it('S-04 sums a thousand failed tries of one hour into one line for each kind, and still shows an act between them', async () => {
  const { user_id, list } = await customer()
  await database.query(
    `insert into audit (at, user_id, act, ip) select now() - interval '2 hours' + n * interval '0.1 seconds', $1,
       case when n = 500 then 'password.changed' when n % 2 = 0 then 'login.refused' else 'password.locked' end, '198.51.100.9'
     from generate_series(0, 1000) n`,
    [user_id],
  )
  const seen: { act: string; times: number }[] = []
  for (let cursor: string | undefined; ;) {
    const page = await list({ limit: '1', ...(cursor === undefined ? {} : { cursor }) })
    seen.push(...page.items.map(({ act, times }) => ({ act, times })))
    if (page.next_cursor === null) break
    cursor = page.next_cursor
  }
  const triesOf = (act: string) => seen.filter((line) => line.act === act).map(({ times }) => times)
  const sum = (all: number[]) => all.reduce((one, other) => one + other, 0)
  expect([sum(triesOf('login.refused')), sum(triesOf('password.locked'))]).toEqual([500, 500])
  // If an hour ends during the tries, each kind has a line for each hour.
  expect(seen.length).toBeLessThanOrEqual(6)
  expect(triesOf('password.changed')).toEqual([1])
})

it('S-04 what a helper did is not laid to the support', async () => {
  const [owner, helping] = [await customer(), await customer()]
  await transaction(test.app, { userId: owner.user_id }, async (tx) => {
    await sql`select set_config('app.person', ${helping.user_id}, true)`.execute(tx)
    await recordAction(tx, { user_id: owner.user_id, act: 'host.deleted', ip: '198.51.100.9' })
  })
  const [line] = (await owner.list()).items
  expect(line).toMatchObject({ act: 'host.deleted', by: 'helper', by_name: helping.email, ip: null })
})

it('sends the customer’s open pages an event for an act of staff and for a sign-in, without cause, reason or message', async () => {
  const { user_id, email, client } = await customer()
  const stream = await openEvents(test.url, must(client.access_token))
  const body = { level: 'blocked', cause: 'terms', reason: 'for staff alone', message: 'Call us' } as const
  await staff.api.call(setBlock, { params: { userId: user_id }, body })
  const { data } = await stream.until(({ type }) => type === 'activity.added')
  expect(JSON.stringify(data)).not.toMatch(/staff|terms|Call/)
  const heard = stream.events.filter(({ type }) => type === 'activity.added').length
  await test.client().call(login, { body: { email, password } })
  await stream.until(() => stream.events.filter(({ type }) => type === 'activity.added').length > heard)
  stream.close()
})
