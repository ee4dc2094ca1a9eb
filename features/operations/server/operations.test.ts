import { expect, it } from 'vitest'
import { sql } from 'kysely'
import * as contract from '#features/operations/contract.ts'
import { jobs } from '#app/server/features.ts'
import { deactivate } from '#features/profile/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import type { InputOf } from '#foundation/contract.ts'
import type { Role } from '#foundation/roles.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { forgetOrigins } from '#foundation/server/audit/jobs.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInStaff, signedInCustomer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { upload } from '#tests/harness/upload.ts'
import { ownerOf } from '#tests/harness/owner-rows.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { auditTail, type AuditLine } from './audit-tail.ts'
import { beginHold, endHold } from './operations.ts'

const test = await startTestApp()
const { app } = test
const { owner: database } = await ownerOf(test)

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })
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

it('S-01 is filtered by person, actor, act and time, and by whatever finds a person', async () => {
  expect(await actsOf({ actor: colleague.user_id })).toEqual([
    'password.changed',
    'finance.credit_given',
    'session.started',
  ])
  expect(await actsOf({ actor: colleague.user_id, person: anna.user_id })).toEqual(['finance.credit_given'])
  expect(await actsOf({ act: 'password.changed' })).toHaveLength(2)
  expect(await actsOf({ act: 'password.changed', q: boris.email })).toHaveLength(1)
  expect(await actsOf({ q: 'nobody@example.org' })).toEqual([])
  expect(await actsOf({ ip: '203.0.113.9' })).toHaveLength(4)
  expect(await actsOf({ ip: '203.0.113.9', act: 'login.refused' })).toEqual(['login.refused'])
  expect(await actsOf({ ip: '2001:db8::1' })).toEqual([])
  const before = new Date(Date.now() - 3_600_000).toISOString()
  const later = new Date(Date.now() + 3_600_000).toISOString()
  expect(await actsOf({ person: boris.user_id, from: before, to: later })).toHaveLength(2)
  expect(await actsOf({ person: boris.user_id, to: before })).toEqual([])
  expect(await actsOf({ person: boris.user_id, from: later })).toEqual([])
})

it('S-03 names who acted, also when the address is forgotten: the account, staff, another customer, a program, or nobody known', async () => {
  const ann = await signedInCustomer(test)
  const { user_id } = ann
  const by = (id: string) => ({ by: id })
  await transaction(app, 'system', async (tx) => {
    await recordAction(tx, { user_id, act: 'totp.activated', ...origin, detail: by(user_id) })
    await recordAction(tx, { user_id, act: 'host.deleted', ...origin, detail: by(boris.user_id) })
    await recordAction(tx, { user_id, act: 'code.refused', ...origin })
    await recordAction(tx, { user_id, act: 'finance.confirmed', ...origin, detail: by(colleague.user_id) })
    await recordAction(tx, { user_id, act: 'finance.refunded', ...origin, detail: by('command line') })
    await recordAction(tx, { user_id, act: 'address.claim_ended' })
  })
  // A member who helps a customer in private does not act for the operator.
  await transaction(app, 'system', async (tx) => {
    await sql`select set_config('app.person', ${colleague.user_id}, true)`.execute(tx)
    await recordAction(tx, { user_id, act: 'licence.upgraded', ...origin })
    await sql`insert into audit (user_id, act, ip) values (${user_id}, 'host.changed', '192.0.2.7')`.execute(
      tx,
    )
  })
  await database.query(
    `insert into audit (at, user_id, act, ip, user_agent) values (now() - interval '500 days', $1, 'password.changed', '192.0.2.7', 'old')`,
    [user_id],
  )
  await forgetOrigins(app)
  const { body } = await read({ person: user_id })
  const named =
    'items' in body ? body.items.map(({ act, actor: { kind, person } }) => [act, kind, person?.id]) : []
  expect(new Set(named)).toEqual(
    new Set([
      ['licence.upgraded', 'customer', colleague.user_id],
      ['host.changed', 'customer', colleague.user_id],
      ['address.claim_ended', 'system', undefined],
      ['finance.refunded', 'cli', undefined],
      ['finance.confirmed', 'staff', colleague.user_id],
      ['code.refused', 'stranger', undefined],
      ['host.deleted', 'customer', boris.user_id],
      ['totp.activated', 'self', user_id],
      ['session.started', 'self', user_id],
      ['password.changed', 'self', user_id],
    ]),
  )
  expect(await actsOf({ actor: user_id }), 'what strangers tried is not theirs').toEqual([
    'totp.activated',
    'session.started',
    'password.changed',
  ])
  expect(await actsOf({ actor: boris.user_id, person: user_id })).toEqual(['host.deleted'])
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

it('the audit is refused to support staff with 403, and an invalid filter is refused at its field with 400', async () => {
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
  expect(await wrong('ip=localhost')).toEqual([400, 'ip'])
  expect(await wrong('ip=fe80::1%25eth0')).toEqual([400, 'ip'])
  expect(await wrong('cursor=abc')).toEqual([400, 'cursor'])
})

it('S-01 addresses and browsers are forgotten after 400 days, and nothing else of an entry ever changes', async () => {
  const added = await database.query<{ id: string }>(
    `insert into audit (at, user_id, act, ip, user_agent, request_id, detail)
     select now() - make_interval(days => age), $1, 'password.changed', '192.0.2.77', 'old browser', 'r-' || age, '{"a": 1}'
     from unnest('{399,401,800}'::int[]) as age returning id`,
    [anna.user_id],
  )
  await forgetOrigins(app)
  const { rows } = await database.query(
    `select ip is null and user_agent is null as forgotten, request_id, detail from audit where id = any($1) order by at desc`,
    [added.rows.map(({ id }) => id)],
  )
  expect(rows).toEqual([
    { forgotten: false, request_id: 'r-399', detail: { a: 1 } },
    { forgotten: true, request_id: 'r-401', detail: { a: 1 } },
    { forgotten: true, request_id: 'r-800', detail: { a: 1 } },
  ])
  const old = added.rows[2]?.id
  for (const change of [`act = 'x'`, `detail = '{}'`, `ip = '192.0.2.1'`, `ip = null, at = now()`])
    await expect(database.query(`update audit set ${change} where id = $1`, [old])).rejects.toThrow(
      'append-only',
    )
  await expect(
    database.query('update audit set ip = null, user_agent = null where id = $1', [added.rows[0]?.id]),
  ).rejects.toThrow('append-only')
  await expect(database.query('delete from audit where id = $1', [old])).rejects.toThrow('append-only')
})

it('follows the audit: the newest first, then each new entry once', async () => {
  const { user_id } = boris
  const add = (reason: string) =>
    transaction(app, 'system', (tx) =>
      recordAction(tx, { user_id, act: 'finance.credit_given', detail: { by: 'command line', reason } }),
    )
  const reasonsIn = ({ value }: IteratorResult<AuditLine[], undefined>) =>
    value?.map(({ detail }) => detail['reason'])
  await add('one')
  const following = auditTail(
    app,
    { act: 'finance.credit_given', people: [user_id] },
    { follow: true, pause_ms: 5 },
  )
  expect(reasonsIn(await following.next())).toEqual(['one'])
  await add('two')
  expect(reasonsIn(await following.next())).toEqual(['two'])
  await add('three')
  const third = await following.next()
  expect(reasonsIn(third)).toEqual(['three'])
  expect(third.value).toMatchObject([{ by: 'cli', account: user_id }])
  await following.return(undefined)
})

it('rule 62: while an audit holds a period nothing of it is erased, nor by the deletion of an account; then it goes', async () => {
  const customer = await signedInCustomer(test)
  const bought = await issuedInvoice(app, customer.user_id, { issued_at: new Date('2010-06-01T12:00:00Z') })
  const { id: file } = (await upload(customer.api, 'bill')).body
  const open = async (attachment_ids: string[] = []) => {
    const body = { subject: 'x', message: 'x', topic: 'technical' as const, attachment_ids }
    return bodyOf(await customer.api.call(createTicket, { body }), 201).id
  }
  const [held, other] = [await open([file]), await open()]
  await asOwner(
    test,
    `update tickets set created_at = '2010-01-01T00:00:00Z', last_message_at = '2010-06-30T12:00:00Z' where public_id = $1`,
    [held],
  )
  await asOwner(test, `update attachments set created_at = '2010-06-30T12:00:00Z' where public_id = $1`, [
    file,
  ])
  const left = async () => {
    const { rows } = await database.query<{ what: string }>(
      `select public_id as what from tickets where user_id = $1 union all select public_id from attachments where user_id = $1
       union all select i.public_id from invoices i join invoice_snapshots s on s.invoice_id = i.id where i.user_id = $1`,
      [customer.user_id],
    )
    return rows.map(({ what }) => what).toSorted()
  }
  const kept = [held, file, bought.public_id].toSorted()
  const hold = await beginHold(app, {
    first_day: '2010-06-01',
    last_day: '2010-06-30',
    reason: 'Audit of June',
  })
  const another = await beginHold(app, { first_day: '2009-01-01', last_day: '2010-05-31', reason: 'Another' })
  const { status, body } = await admin.api.call(contract.readSystem, {})
  expect([status, body]).toMatchObject([
    200,
    {
      holds: [{ id: hold.id, first_day: '2010-06-01', last_day: '2010-06-30', reason: 'Audit of June' }, {}],
    },
  ])
  expect((await customer.api.call(deactivate, { body: {} })).status).toBe(204)
  const erase = async () => {
    await runJob('erase_outdated_invoices')
    await runJob('erase_released_tickets')
  }
  await erase()
  expect(await left(), `without ${other}`).toEqual(kept)
  // The wall stands for the owner of the tables, too.
  await expect(
    asOwner(test, 'delete from invoice_snapshots where invoice_id = $1', [bought.id]),
  ).rejects.toThrow('belongs to an issued invoice')
  expect(await endHold(app, another.id)).toMatchObject({ reason: 'Another' })
  await erase()
  expect(await left()).toEqual(kept)
  expect(await endHold(app, hold.id)).toBeDefined()
  expect(await endHold(app, hold.id)).toBeUndefined()
  await erase()
  expect(await left()).toEqual([])
  expect(await actsOf({ act: 'hold.begun' })).toHaveLength(2)
  expect(await actsOf({ act: 'hold.ended' })).toHaveLength(2)
})

/** Runs a job once, as the worker does. */
const runJob = (name: string) => must(jobs.find((job) => job.name === name)).run(app, undefined, '')
