import { afterAll, expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { bankStatement } from '#tests/harness/bank-statement.ts'
import { signedInStaff } from '#tests/harness/customer.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { lockFiles } from './queries.ts'

// The product's own limits: it waits 2 s for a lock.
const test = await startTestApp({ isHurried: true })
const { app } = test
const staff = await signedInStaff(test)
const superuser = await superuserOf(test)
afterAll(() => superuser.end())

const locksAskedFor = async () => {
  const { rows } = await superuser.query<{ since: string }>(
    `select query_start::text as since from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%pg_advisory_xact_lock%'`,
  )
  return rows
}

// Seen red with the refusal of the lock as the answer: 503.
it('B-01 a statement waits for another import that takes longer than PostgreSQL waits for a lock', async () => {
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const other = transaction(app, 'system', async (tx) => {
    await lockFiles(tx)
    hold()
    await over
  })
  await held
  const body = new FormData()
  body.append('file', new Blob([bankStatement([{ amount: 100 }])]), 'statement.xml')
  const headers = { authorization: `Bearer ${staff.api.access_token}` }
  const sent = fetch(`${staff.api.url}/api/staff/bank-files/`, { method: 'POST', headers, body })
  const asked = new Set<string>()
  const countQuestion = async () => {
    for (const { since } of await locksAskedFor()) asked.add(since)
    return asked.size
  }
  // The lock is asked for again when the first wait is over.
  await expect.poll(countQuestion, { timeout: 20_000 }).toBe(2).finally(end)
  await other
  expect((await sent).status).toBe(201)
})
