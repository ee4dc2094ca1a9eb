import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { addMoney } from '#tests/harness/money.ts'
import { debtor } from '#tests/harness/debtor.ts'
import { doLicenceJobs, passTime, stockShop } from '#tests/harness/shop.ts'
import { spawnWorker } from '#tests/harness/spawn-worker.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

/** The number of kills; 20 by `npm run test:faults -- kills`. */
const KILLS = Number(process.env['KILLS'] ?? 2)
const DEBTORS = 3

/** The tables that a step of a debt writes. The worker is killed while it waits to write one of them, before anything is committed. */
const WRITES = ['mails', 'suspensions', 'audit', 'debts'] as const

const test = await startTestApp()
const { app } = test
await stockShop(test)
const superuser = await superuserOf(test)
const holder = new pg.Client({ connectionString: app.ownerUrl })
await holder.connect()
afterAll(() => Promise.all([superuser.end(), holder.end()]))

const counts = async (user_ids: readonly string[]) => {
  const { rows } = await superuser.query<Record<string, string[] | number>>(
    `select array(select letter from mails where user_id = u.id and letter like 'debt%' order by created_at, id) as mails,
      (select count(*)::int from suspensions where user_id = u.id) as suspensions,
      (select count(*)::int from suspensions where user_id = u.id and lifted_at is null) as in_force,
      (select count(*)::int from audit where user_id = u.id and act = 'host.suspended') as recorded,
      (select count(*)::int from debts where user_id = u.id) as debts,
      (select count(*)::int from debts where user_id = u.id and settled_at is null and done_day = 7) as done
     from unnest($1::uuid[]) as u (id)`,
    [user_ids],
  )
  return rows
}

/** True while a step of a debt, whose transaction uses the table `debts`, waits for a lock on `table`. */
const isInside = async (table: string): Promise<boolean> => {
  const { rows } = await superuser.query(
    `select from pg_locks w where not w.granted and w.relation = $1::regclass and exists (
       select from pg_locks h where h.pid = w.pid and h.granted and h.relation = 'debts'::regclass)`,
    [table],
  )
  return rows.length > 0
}

it(
  `L-22, rules 30, 31: kill -9 of the worker in the middle of the steps of debts, ${KILLS} times: each suspends, is recorded and mailed once`,
  async () => {
    const people = await Promise.all(Array.from({ length: DEBTORS }, () => debtor(test)))
    const user_ids = people.map(({ user_id }) => user_id)
    await doLicenceJobs(test)
    await passTime(test, 8)
    for (let kill = 0; kill < KILLS; kill += 1) {
      const table = WRITES[kill % WRITES.length] ?? 'mails'
      await holder.query(`begin; lock table ${table} in share mode`)
      const worker = await spawnWorker(app)
      await expect.poll(() => isInside(table), { timeout: 60_000, interval: 20 }).toBe(true)
      await worker.kill()
      await holder.query('rollback')
      const left = await counts(user_ids)
      expect(left.map(({ suspensions, recorded }) => [suspensions, recorded])).toEqual(
        Array.from({ length: DEBTORS }, () => [0, 0]),
      )
    }
    const last = await spawnWorker(app)
    const once = {
      mails: ['debt', 'debt_suspends'],
      suspensions: 2,
      in_force: 2,
      recorded: 2,
      debts: 1,
      done: 1,
    }
    const all = (row: object) => Array.from({ length: DEBTORS }, () => row)
    await expect.poll(() => counts(user_ids), { timeout: 60_000, interval: 100 }).toEqual(all(once))
    for (const { user_id } of people) await addMoney(app, user_id, 20_000n)
    expect(await counts(user_ids)).toEqual(
      all({ ...once, mails: [...once.mails, 'debt_settled'], in_force: 0, done: 0 }),
    )
    await last.kill()
  },
  120_000 + KILLS * 30_000,
)
