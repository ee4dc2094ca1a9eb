import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { buildApp } from '#app/server/build-app.ts'
import { loadConfig } from '#app/server/config.ts'
import { allJobs, startWorker } from '#app/server/worker.ts'
import * as auth from '#features/auth/contract.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { backUp } from '#foundation/server/backup/backup.ts'
import { restore } from '#foundation/server/backup/restore.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { enqueue, type Job } from '#foundation/server/jobs/jobs.ts'
import { startWorker as startJobs } from '#foundation/server/jobs/worker.ts'
import { createLog } from '#foundation/server/log.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { databaseUrl } from '#tests/harness/database-for-the-run.ts'
import { bodyOf, patchHost } from '#tests/harness/hosts.ts'
import { buyer, orderHost, passTime, stockShop } from '#tests/harness/shop.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened, say } from '#tests/harness/tickets.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-restored-'))
const test = await startTestApp()
await stockShop(test)
const superuser = await superuserOf(test)
const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  await superuser.end()
  for (const close of closing.toReversed()) await close()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns the product over a database that was restored from a backup of the test's database. */
async function restoredApp(name: string): Promise<App> {
  const file = path.join(folder, `${name}.backup`)
  await backUp({ ownerUrl: test.app.ownerUrl, file, storage: test.app.storage, isInBucket: false })
  const admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  await admin.query(`create database restored_${name} owner hostdesk`)
  const ownerUrl = databaseUrl(inject('adminUrl'), 'hostdesk', `restored_${name}`)
  await restore({ ownerUrl, file, by: {} })
  const config = loadConfig({
    PUBLIC_ORIGIN: 'http://localhost:3000',
    DATA_DIR: folder,
    DATABASE_URL: ownerUrl,
    SMTP_URL: test.mails.url,
    SECRET_KEY: 'the-key-of-the-tests-which-protects-nothing-0123456789',
    DEMO: 'off',
  })
  const app = await buildApp(config, { ownerUrl, log: createLog({ level: 'silent' }) })
  closing.push(async () => {
    await app.close()
    await admin.query(`drop database restored_${name} with (force)`)
    await admin.end()
  })
  return app
}

const queued = allJobs.filter((job) => job.every_ms === undefined && job.every_s === undefined)
const done: { name: string; place: number }[] = []
const PLACES = [3, 1, 2]

describe('rule 49: what is due is done after a restore, within a minute, in the order of due times', async () => {
  await transaction(test.app, 'system', async (tx) => {
    for (const { name, class: its } of queued)
      for (const place of PLACES)
        enqueue(
          tx,
          { name, class: must(its) },
          { place },
          { run_at: new Date(Date.now() - 60_000 + place * 1000) },
        )
  })
  // The jobs of place 1 look as if a process was doing them when the backup was made.
  await superuser.query(
    `update jobs set taken_by = gen_random_uuid(), taken_at = now() - interval '1 minute' where payload->>'place' = '1'`,
  )
  const app = await restoredApp('kinds')
  await superuser.query(`delete from jobs where payload ? 'place'`)
  const recorders = queued.map(({ name, class: its }): Job<{ place: number }> => ({
    name,
    class: its,
    run: async (_app, { place }) => void done.push({ name, place }),
  }))
  const worker = await startJobs(app, recorders)
  closing.push(() => worker.stop())

  it.each(queued.map(({ name }) => name))('%s', async (name) => {
    const places = () => done.filter((one) => one.name === name).map(({ place }) => place)
    await expect
      .poll(() => places().toSorted((one, other) => one - other), { timeout: 60_000 })
      .toEqual([1, 2, 3])
    // The job of place 1 was taken from the dead process some seconds later; the other jobs were free, and ran by their due times.
    expect(places().filter((place) => place !== 1)).toEqual([2, 3])
  })

  it('every job that runs by itself is in the queue again', async () => {
    const timed = allJobs.filter((job) => job.every_s !== undefined)
    const all = await startWorker(app)
    const client = new pg.Client({ connectionString: app.ownerUrl })
    await client.connect()
    const { rows } = await client.query<{ name: string }>(`select name from jobs where key like 'every:%'`)
    await client.end()
    await all.stop()
    expect(rows.map(({ name }) => name).toSorted()).toEqual(timed.map(({ name }) => name).toSorted())
  })
})

it('rule 49: licences, closings, warnings and unread mails go on after a restore', async () => {
  const customer = await buyer(test, 10_000n)
  const { host } = bodyOf(await orderHost(customer), 201)
  await patchHost(customer.api, host.id, { auto_renew: true, version: host.version })
  // Months have 28 to 31 days.
  await passTime(test, host.licence.remaining_s / 86_400 - 0.4)
  const staff = await signedInStaff(test)
  const answered = async (days: number) => {
    const person = await signedInCustomer(test)
    const { id } = await opened(person)
    await say(staff, id, 'Try now.')
    await superuser.query(
      `update tickets set pending_since = now() - make_interval(days => $2) where public_id = $1`,
      [id, days],
    )
    await superuser.query(
      `update jobs set run_at = run_at - make_interval(days => $2)
         where payload->>'ticket_id' = (select id::text from tickets where public_id = $1)`,
      [id, days],
    )
    return { ...person, id }
  }
  const [warned, closed, unread] = [await answered(6), await answered(7), await answered(0)]
  await superuser.query(
    `update ticket_mails set due_at = now() where ticket_id = (select id from tickets where public_id = $1)`,
    [unread.id],
  )
  await test.client().call(auth.requestReset, { body: { email: unread.email } })
  const app = await restoredApp('product')
  const worker = await startWorker(app)
  closing.push(() => worker.stop())
  const pool = new pg.Pool({ connectionString: app.ownerUrl, max: 1 })
  closing.push(() => pool.end())
  const count = async (statement: string, value: string) =>
    (await pool.query<{ count: number }>(`select count(*)::int as count ${statement}`, [value])).rows[0]
      ?.count
  const mailed = (email: string) =>
    test.mails.all.filter((mail) => mail.to_address === email).map(({ subject }) => subject)
  const wait = { timeout: 60_000 }
  await expect
    .poll(
      () => count(`from licence_orders where kind = 'auto_renewal' and user_id = $1`, customer.user_id),
      wait,
    )
    .toBe(1)
  await expect
    .poll(() => count(`from tickets where status = 'closed' and public_id = $1`, closed.id), wait)
    .toBe(1)
  await expect.poll(() => mailed(warned.email).length, wait).toBe(1)
  await expect.poll(() => mailed(unread.email).length, wait).toBe(2)
}, 120_000)
