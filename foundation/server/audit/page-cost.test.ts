import { afterAll, expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { touchedRows } from '#tests/harness/scans.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { auditBefore, type AuditFilter } from './audit.ts'

const ENTRIES = 6000
const LIMIT = 26

const test = await startTestApp()
const [anna, boris] = [(await signedInCustomer(test)).user_id, (await signedInCustomer(test)).user_id]
const admin = await superuserOf(test)
afterAll(() => admin.end())

// Half of the entries are Anna's, few are Boris's, and many have the same time; their order by time is not their order by id.
await admin.query('begin')
await admin.query('set local session_replication_role = replica')
await admin.query(
  `insert into audit (at, user_id, act, actor_kind)
   select timestamptz '2030-01-01' - (n * 7 % 1009) * interval '1 minute', case when n % 2 = 0 then $1::uuid when n % 500 = 1 then $2::uuid end,
     case when n % 3 = 0 then 'session.ended' else 'session.started' end, 'self'
   from generate_series(1, ${ENTRIES}) n`,
  [anna, boris],
)
await admin.query('commit')
await admin.query('vacuum analyze audit')

const nobody = '00000000-0000-4000-8000-000000000000'

it.each<[string, AuditFilter & { people: string[] }]>([
  ['one', { people: [anna] }],
  ['one of one act', { people: [anna], act: 'session.ended' }],
  ['two, one of them named twice', { people: [anna, boris, boris] }],
  ['few', { people: [boris, nobody] }],
  ['up to a time', { people: [anna, boris], to: '2029-12-31T20:00:00Z' }],
  ['nobody', { people: [] }],
])('the audit of accounts, page by page: %s', async (_name, filter) => {
  const { rows } = await admin.query<{ id: string }>(
    `select id::text from audit where user_id = any($1) and ($2::text is null or act = $2) and ($3::timestamptz is null or at < $3)
     order by audit.at desc, audit.id desc limit 2 * ${LIMIT}`,
    [filter.people, filter.act ?? null, filter.to ?? null],
  )
  const first = await auditBefore(test.app.db, filter, { limit: LIMIT })
  const last = first.at(-1)
  const before = last && ([last.at_us, String(last.id)] as const)
  const second = before ? await auditBefore(test.app.db, filter, { before, limit: LIMIT }) : []
  expect([...first, ...second].map(({ id }) => String(id))).toEqual(rows.map(({ id }) => id))
})

// The query once read and sorted all entries of an account for one page.
it('a page of 26 audit entries of one account reads at most 52 rows of the audit', async () => {
  const read = await transaction(test.app, 'system', async (tx) => {
    const before = await touchedRows(tx, 'audit')
    expect(await auditBefore(tx, { people: [anna] }, { limit: LIMIT })).toHaveLength(LIMIT)
    return (await touchedRows(tx, 'audit')) - before
  })
  expect(read).toBeLessThanOrEqual(2 * LIMIT)
})
