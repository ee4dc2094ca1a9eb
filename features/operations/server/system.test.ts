import * as contract from '#features/operations/contract.ts'
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { addPlan } from '#features/licences/server/licences.ts'
import type { Role } from '#foundation/roles.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { failedJobs } from '#foundation/server/jobs/queries.ts'
import { deadMails } from '#foundation/server/mail/dead-mails.ts'
import { tokenFor } from '#tests/harness/agents.ts'
import { announceTransfer } from '#tests/harness/announced-transfer.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { listStaffTickets } from '#features/support/desk/contract.ts'
import { opened } from '#tests/harness/tickets.ts'
import { ownerOf } from '#tests/harness/owner-rows.ts'
import { addHost, asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { buyer, orderHost } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app } = test
const { owner: database } = await ownerOf(test)

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })
const [admin, support] = [await memberWith('admin'), await memberWith('support')]

/** Inserts a job in the state in which a worker leaves it. Returns its id. */
async function jobWith(attempts: number, taken = false): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `insert into jobs (name, payload, run_at, attempts, max_attempts, class, last_error, taken_by, taken_at)
     values ('book_exact_lines', '{"key": "secret-4711"}', now() + interval '1 hour', $1, 3, 'rest', 'no way', $2, now())
     returning id::text`,
    [attempts, taken ? randomUUID() : null],
  )
  return rows[0]?.id ?? ''
}
async function mailIn(state: 'dead' | 'owed' | 'sent', content: string | null = 'sealed'): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `insert into mails (to_address, letter, class, locale, content, state, attempts, last_error)
     values ('anna@example.com', 'password_reset', 'security', 'en', $1, $2, 8, '550 no such person') returning id`,
    [content, state],
  )
  return rows[0]?.id ?? ''
}
const auditOf = async (name: string) => {
  const { rows } = await database.query<{ act: string; by: string }>(
    `select act, detail->>'by' as by from audit where act = $1 order by id`,
    [name],
  )
  return rows
}

it('S-02 shows versions, the queue by kind, mails, storage and what to look at', async () => {
  const job = await jobWith(3)
  const mail = await mailIn('dead')
  await database.query(
    `update mails set created_at = now() - interval '10 minutes', next_at = now() + interval '1 hour' where id = $1`,
    [await mailIn('owed')],
  )
  const { status, body } = await admin.api.call(contract.readSystem, {})
  expect(status).toBe(200)
  expect(body).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    node: process.version,
    schema: expect.stringMatching(/^\d{4}_\w+\.sql$/) as string,
    mails: { dead: 1 },
    streams: 0,
    stored_bytes: 0,
  })
  await database.query("insert into migrations (name, hash) values ('9998_a.sql', 'x'), ('9999_b.sql', 'x')")
  expect((await admin.api.call(contract.readSystem, {})).body).toMatchObject({ schema: '9999_b.sql' })
  if (!('queue' in body)) throw new Error('no answer')
  const { queue, warnings } = body
  expect(queue.find(({ name }) => name === 'book_exact_lines')).toMatchObject({ failed: 1 })
  expect(warnings).toEqual(expect.arrayContaining(['jobs_failed', 'mails_dead', 'mails_waiting']))
  await admin.api.call(contract.dropJob, { params: { jobId: job } })
  await admin.api.call(contract.retryDeadMail, { params: { mailId: mail } })
})

it('S-02 says apart what customers lack: the settings of doctor, and a plan, until one is for sale', async () => {
  const read = async () => {
    const { body } = await admin.api.call(contract.readSystem, {})
    if (!('missing' in body)) throw new Error('no answer')
    return { missing: body.missing, settings: body.settings, noPlan: body.warnings.includes('no_plan') }
  }
  expect(await read()).toEqual({ missing: [], settings: [], noPlan: false })
  const { production, missing, warnings } = app.config
  Object.assign(app.config, {
    production: true,
    missing: ['PAYMENTS: nobody'],
    warnings: ['PAYMENTS: nobody', 'loose'],
  })
  expect(await read()).toEqual({
    missing: ['PAYMENTS: nobody'],
    settings: ['PAYMENTS: nobody', 'loose'],
    noPlan: true,
  })
  const name = { en: 'One', de: 'Eins', ru: 'Один' }
  await transaction(app, 'system', (tx) => addPlan(tx, { slug: 'one', name, term: 'P1M', price_net: 700n }))
  expect(await read()).toMatchObject({ noPlan: false })
  Object.assign(app.config, { production, missing, warnings })
})

it('S-02 a failed job is run again or deleted, once; others are not touched, and its payload is not shown', async () => {
  const [failed, other, running, waiting] = [
    await jobWith(3),
    await jobWith(3),
    await jobWith(3, true),
    await jobWith(1),
  ]
  const listed = await admin.api.call(contract.listFailedJobs, {})
  expect(JSON.stringify(listed.body)).not.toContain('4711')
  const ids = 'items' in listed.body ? listed.body.items.map(({ id }) => id) : []
  expect([failed, other, running, waiting].map((id) => ids.includes(id))).toEqual([true, true, false, false])

  const retry = (jobId: string) => admin.api.call(contract.retryJob, { params: { jobId } })
  const twice = await Promise.all([retry(failed), retry(failed)])
  expect(twice.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([204, 404])
  const { rows } = await database.query(
    'select attempts, run_at <= now() as is_due from jobs where id = $1',
    [failed],
  )
  expect(rows).toEqual([{ attempts: 0, is_due: true }])
  for (const id of [running, waiting, '999999999999']) {
    expect((await retry(id)).status).toBe(404)
    expect((await admin.api.call(contract.dropJob, { params: { jobId: id } })).status).toBe(404)
  }
  expect((await admin.api.call(contract.dropJob, { params: { jobId: other } })).status).toBe(204)
  expect((await failedJobs(app.db)).map(({ id }) => String(id))).not.toContain(other)
  expect(await auditOf('job.retried')).toEqual([{ act: 'job.retried', by: admin.user_id }])
  expect(await auditOf('job.dropped')).toHaveLength(2)
})

it('S-02 a mail that was given up is sent again, once, and its text is shown nowhere', async () => {
  const [dead, owed, swept] = [
    await mailIn('dead', 'link-0815'),
    await mailIn('owed'),
    await mailIn('dead', null),
  ]
  const listed = await admin.api.call(contract.listDeadMails, { query: {} })
  expect(JSON.stringify(listed.body)).not.toContain('0815')
  expect('items' in listed.body && listed.body.items).toMatchObject([
    { id: dead, to: 'anna@example.com', template: 'password_reset', last_error: '550 no such person' },
  ])
  const resend = (mailId: string) => admin.api.call(contract.retryDeadMail, { params: { mailId } })
  const twice = await Promise.all([resend(dead), resend(dead)])
  expect(twice.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([204, 404])
  for (const id of [owed, swept, randomUUID()]) expect((await resend(id)).status).toBe(404)
  expect(await deadMails(app.db)).toEqual([])
  const { rows } = await database.query('select state, attempts from mails where id = $1', [dead])
  expect(rows).toEqual([{ state: 'owed', attempts: 0 }])
  const queued = await database.query(`select from jobs where key = $1`, [`mail:${dead}`])
  expect(queued.rowCount).toBe(1)
})

it('S-02 only admins and owners may read the system page and handle jobs and dead mails; support is refused', async () => {
  const job = await jobWith(3)
  expect((await support.api.call(contract.readSystem, {})).status).toBe(403)
  expect((await support.api.call(contract.retryJob, { params: { jobId: job } })).status).toBe(403)
  expect((await support.api.call(contract.dropJob, { params: { jobId: job } })).status).toBe(403)
  expect((await support.api.call(contract.listDeadMails, { query: {} })).status).toBe(403)
})

it('S-02 lists what is to be set up, what is done, and what this installation does without', async () => {
  const states = async () => {
    const { setup } = bodyOf(await admin.api.call(contract.readSystem, {}), 200)
    return Object.fromEntries(setup.map(({ name, state }) => [name, state]))
  }
  const waive = (waived: boolean, by = admin) =>
    by.api.call(contract.waiveSetup, { params: { name: 'backup' }, body: { waived } })
  const before = await states()
  expect(before).toMatchObject({
    seller: 'open',
    vat: 'open',
    backup: 'open',
    second_member: 'done',
    first_sale: 'open',
  })
  expect((await waive(true, support)).status).toBe(403)
  expect([(await waive(true)).status, (await waive(true)).status]).toEqual([204, 204])
  expect(await states()).toEqual({ ...before, backup: 'waived' })
  await waive(false)
  expect(await states()).toEqual(before)
  expect(await auditOf('setup.waived')).toHaveLength(2)
  bodyOf(await orderHost(await buyer(test, 5000n), { plan: 'one', total: 833n }), 201)
  expect(await states()).toEqual({ ...before, first_sale: 'done' })
})

it('S-02 Today tells what waits, each figure to those alone who may read its list', async () => {
  const [customer, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  const late = await opened(customer)
  await opened(other)
  // The database expects the answer anew when the time changes from which it counts, by the hours of the desk: so `due_at` is set after it.
  for (const change of [`waiting_since = now() - interval '25 hours'`, `due_at = now() - interval '1 hour'`])
    await asOwner(test, `update tickets set ${change} where public_id = $1`, [late.id])
  await announceTransfer(customer)
  await issuedInvoice(app, customer.user_id)
  for (const ago of ['0 s', '2 hours', '3 days']) {
    const { id } = await addHost(customer.api, {})
    await tokenFor(customer.api, id)
    await asOwner(
      test,
      `update host_agents set last_seen_at = now() - $2::interval where host_id = (select id from hosts where public_id = $1)`,
      [id, ago],
    )
  }
  // The order of the test before is of this month, too.
  const income = { amount: '2690', currency: 'EUR' }
  const shared = {
    tickets: { incoming: 2, late: 1, overdue: 1, poor: 0 },
    approvals: 0,
    servers: { offline: 2, since_today: 1 },
    month: expect.stringMatching(/^\d{4}-\d\d$/) as string,
  }
  const read = async ({ api }: typeof admin) => (await api.call(contract.readToday, {})).body
  expect(await read(admin)).toEqual({ ...shared, transfers: 1, income })
  // The list to which the figure of late answers leads.
  const list = await support.api.call(listStaffTickets, { query: { late: 'yes' } })
  expect(bodyOf(list, 200).items.map(({ id }) => id)).toEqual([late.id])
  expect(await read(support)).toEqual({ ...shared, transfers: null, income: null })
  expect(await read(await memberWith('billing'))).toMatchObject({ transfers: 1, income })
})
