import { expect, it } from 'vitest'
import * as contract from '#features/operations/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import type { Role } from '#foundation/roles.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app } = test

async function memberWith(...roles: Role[]) {
  const member = await signedInCustomer(test)
  await transaction(app, 'system', (tx) => setStaffRoles(tx, member.user_id, roles))
  return member
}
const [admin, colleague, anna, boris] = await Promise.all([
  memberWith('admin'),
  memberWith('support'),
  signedInCustomer(test),
  signedInCustomer(test),
])

const origin = { ip: '203.0.113.9', user_agent: 'tests', request_id: 'r-1' }
await transaction(app, 'system', async (tx) => {
  const { user_id } = anna
  await recordAction(tx, {
    user_id,
    act: 'finance.credit_given',
    ...origin,
    detail: { by: colleague.user_id, reason: 'gift' },
  })
  await recordAction(tx, { user_id, act: 'finance.refunded', detail: { by: 'command line' } })
  await recordAction(tx, { user_id, act: 'address.claim_ended' })
  await recordAction(tx, { user_id, act: 'login.refused', ...origin })
  await recordAction(tx, { user_id: boris.user_id, act: 'password.changed', ...origin })
  await recordAction(tx, { user_id: colleague.user_id, act: 'password.changed', ...origin })
})

type Query = InputOf<typeof contract.listAudit>['query']
const read = (query: Query) => admin.api.call(contract.listAudit, { query })
async function actsOf(query: Query): Promise<string[]> {
  const { body } = await read(query)
  return 'items' in body ? body.items.map(({ act }) => act) : []
}

it('shows who did what, newest first, with the request and the detail', async () => {
  const { body } = await read({ person: anna.user_id })
  const [refused, ended, refunded, credit, started] = 'items' in body ? body.items : []
  expect(credit).toEqual({
    id: expect.any(String) as string,
    at: expect.any(String) as string,
    act: 'finance.credit_given',
    person: { id: anna.user_id, name: anna.email },
    actor: { kind: 'staff', person: { id: colleague.user_id, name: colleague.email } },
    ip: '203.0.113.9',
    user_agent: 'tests',
    request_id: 'r-1',
    detail: { by: colleague.user_id, reason: 'gift' },
  })
  expect([refused, ended, refunded, started].map((entry) => entry?.actor.kind)).toEqual([
    'stranger',
    'system',
    'cli',
    'self',
  ])
})

it('is filtered by person, actor, act and time, and by whatever finds a person', async () => {
  expect(await actsOf({ actor: colleague.user_id })).toEqual([
    'password.changed',
    'finance.credit_given',
    'session.started',
  ])
  expect(await actsOf({ actor: colleague.user_id, person: anna.user_id })).toEqual(['finance.credit_given'])
  expect(await actsOf({ act: 'password.changed' })).toHaveLength(2)
  expect(await actsOf({ act: 'password.changed', q: boris.email })).toHaveLength(1)
  expect(await actsOf({ q: 'nobody@example.org' })).toEqual([])
  const before = new Date(Date.now() - 3_600_000).toISOString()
  const later = new Date(Date.now() + 3_600_000).toISOString()
  expect(await actsOf({ person: boris.user_id, from: before, to: later })).toHaveLength(2)
  expect(await actsOf({ person: boris.user_id, to: before })).toEqual([])
  expect(await actsOf({ person: boris.user_id, from: later })).toEqual([])
})

it('pages through rows of one moment without gap or double', async () => {
  const all = await actsOf({ person: anna.user_id })
  for (const filter of [{ person: anna.user_id }, { actor: colleague.user_id }]) {
    const whole = await actsOf(filter)
    const found: string[] = []
    for (let cursor: string | undefined; ;) {
      const { body } = await read({ ...filter, limit: '1', ...(cursor && { cursor }) })
      if (!('items' in body)) throw new Error('no page')
      found.push(...body.items.map(({ act }) => act))
      if (body.next_cursor === null) break
      cursor = body.next_cursor
    }
    expect(found).toEqual(whole)
  }
  expect(all).toHaveLength(5)
})

it('is for admins, and refuses nonsense at its field', async () => {
  expect((await colleague.api.call(contract.listAudit, { query: {} })).status).toBe(403)
  const wrong = async (query: string) => {
    const { status, body } = await admin.api.get<{ errors?: { param?: string }[] }>(
      `/api/staff/audit/?${query}`,
    )
    return [status, body.errors?.[0]?.param]
  }
  expect(await wrong('from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z')).toEqual([400, 'to'])
  expect(await wrong('from=yesterday')).toEqual([400, 'from'])
  expect(await wrong('actor=olivia')).toEqual([400, 'actor'])
  expect(await wrong('cursor=abc')).toEqual([400, 'cursor'])
})
