import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { decideApproval } from '#features/approvals/contract.ts'
import { bookExactLines } from '#features/banking/contract.ts'
import { askForExport } from '#features/books/contract.ts'
import { eraseCustomer, requestFactorReset } from '#features/customers/contract.ts'
import { mergeAccount } from '#features/customers/merge-contract.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import { checkLedger } from '#features/finance/server/check.ts'
import { dayIn } from '#features/invoices/rules.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import { announceTransfer } from '#tests/harness/announced-transfer.ts'
import { makeAccount, signIn, switchOnTotp } from '#tests/contract/accounts.ts'
import { bankStatement } from '#tests/harness/bank-statement.ts'
import type { Client } from '#tests/harness/client.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { addHost, bodyOf } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { plantReaders, publishIncident } from '#tests/harness/readers.ts'
import { sendStatement } from '#tests/harness/send-statement.ts'
import { spawnWorker } from '#tests/harness/spawn-worker.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { makeDataDir, startProduct } from '#tests/system/product-process.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'

/** The number of kills; 20 by `npm run test:faults -- kills`. */
const KILLS = Number(process.env['KILLS'] ?? 1)
const TIME_ms = 120_000 + KILLS * 30_000

const test = await startTestApp()
const { app } = test
const superuser = await superuserOf(test)
const holder = new pg.Client({ connectionString: app.ownerUrl })
await holder.connect()
await holder.query(`select set_config('app.actor', 'system', false)`)
afterAll(() => Promise.all([superuser.end(), holder.end()]))

const numberOf = async (query: string, values: unknown[] = []) => {
  const { rows } = await superuser.query<{ found: number }>(`select (${query})::int as found`, values)
  return must(rows[0]).found
}

/** True while another connection waits for a lock that `holder` has. */
const isHeldUp = async (): Promise<boolean> =>
  (await numberOf(`select count(*) from pg_stat_activity a where $1 = any (pg_blocking_pids(a.pid))`, [
    await pidOfHolder,
  ])) > 0
const pidOfHolder = holder
  .query<{ pid: number }>('select pg_backend_pid() as pid')
  .then(({ rows }) => must(rows[0]).pid)

/** Kills a worker, or another process, while it waits for a lock that `hold` took: its open transaction is rolled back. */
async function killInside(
  hold: () => Promise<unknown>,
  begin: () => Promise<{ kill(): Promise<void> }> = () => spawnWorker(app),
): Promise<void> {
  await holder.query('begin')
  try {
    await hold()
    const killed = await begin()
    await expect.poll(isHeldUp, { timeout: 60_000, interval: 20 }).toBe(true)
    await killed.kill()
  } finally {
    await holder.query('rollback')
  }
  // A job waits longer after each attempt, since a job that ended its process may do so again. Here all jobs become due at once instead.
  await superuser.query('update jobs set attempts = 0, run_at = least(run_at, now())')
}

/** Starts a worker that finishes the rest, and waits until the query returns `wanted`. */
async function finished(query: string, values: unknown[], wanted: number): Promise<void> {
  const worker = await spawnWorker(app)
  await expect.poll(() => numberOf(query, values), { timeout: 60_000, interval: 100 }).toBe(wanted)
  await worker.kill()
}

it(
  `N-03, rule 30: kill -9 of the worker that queues the mails of an announcement, ${KILLS} times: each reader gets one`,
  async () => {
    const READERS = 2_200
    await plantReaders(superuser, READERS)
    const id = await publishIncident(app, superuser)
    const readers = await superuser.query<{ id: string }>(
      'select user_id as id from announcement_readers where is_proven order by user_id',
    )
    for (let kill = 0; kill < KILLS; kill += 1) {
      // The lock is on a reader of the second thousand, later of the third: the thousands before are committed, this thousand is not.
      const place = kill === 0 ? 1_500 : 2_100
      await killInside(() =>
        holder.query(
          'insert into announcement_mails (announcement_id, revision, user_id) values ($1, 1, $2)',
          [id, must(readers.rows[place]).id],
        ),
      )
      const queued = await numberOf(`select count(*) from mails where letter = 'announcement'`)
      expect(queued).toBe(await numberOf('select count(*) from announcement_mails'))
      expect(queued % 1_000, 'a thousand is whole, or not there').toBe(0)
      expect(queued).toBeLessThan(READERS)
    }
    await finished(`select count(*) from mails where letter = 'announcement'`, [], readers.rows.length)
    expect(await numberOf(`select count(distinct user_id) from mails where letter = 'announcement'`)).toBe(
      readers.rows.length,
    )
  },
  TIME_ms,
)

it(
  `B-10, rule 30: kill -9 of the worker that makes an export, ${KILLS} times: one whole file is named, whatever was written before`,
  async () => {
    const billing = await signedInStaff(test, { roles: ['billing'] })
    const { user_id } = await signedInCustomer(test)
    const ROWS = 30
    for (let row = 0; row < ROWS; row += 1) await addMoney(app, user_id, 100n)
    // The books count days in their own time zone, where it may be tomorrow by now.
    const today = dayIn(new Date(), app.config.timeZone)
    const asked = await billing.api.call(askForExport, {
      body: { kind: 'transactions', from: dayBefore(today), to: today },
    })
    const { id } = bodyOf(asked, 202)
    for (let kill = 0; kill < KILLS; kill += 1) {
      // By turns, the worker waits before it reads the content, and after it has written the file, before it records the name of the file.
      const held = ['lock table entries in access exclusive mode', 'lock table book_exports in share mode'][
        kill % 2
      ]
      await killInside(() => holder.query(must(held)))
      expect(
        await numberOf(`select count(*) from book_exports where id = $1 and state = 'waiting'`, [id]),
      ).toBe(1)
    }
    await finished(`select count(*) from book_exports where id = $1 and state = 'ready'`, [id], 1)
    const file = await fetch(`${test.url}/api/staff/books/exports/${id}/file`, {
      headers: { authorization: `Bearer ${billing.api.access_token}` },
    })
    expect(file.status).toBe(200)
    const bytes = Buffer.from(await file.arrayBuffer())
    const { rows } = await superuser.query<{ sha256: string; rows: number }>(
      `select encode(sha256, 'hex') as sha256, rows::int as rows from book_exports where id = $1`,
      [id],
    )
    expect(must(rows[0])).toEqual({ sha256: createHash('sha256').update(bytes).digest('hex'), rows: ROWS })
    expect(bytes.toString('utf8').trimEnd().split('\r\n')).toHaveLength(ROWS + 1)
  },
  TIME_ms,
)

it(
  `B-02, rule 14: kill -9 of the worker that books a statement, ${KILLS} times: each payment is booked once`,
  async () => {
    const billing = await signedInStaff(test, { roles: ['billing'] })
    const payers = await Promise.all(Array.from({ length: 6 }, () => signedInCustomer(test)))
    const transfers = await Promise.all(payers.map((payer) => announceTransfer(payer)))
    await importStatement(
      billing,
      transfers.map(({ reference: text }) => ({ amount: 2500, text })),
    )
    expect((await billing.api.call(bookExactLines, {})).status).toBe(202)
    for (let kill = 0; kill < KILLS; kill += 1) {
      const open = await superuser.query<{ id: string }>(
        `select id from bank_lines where state = 'open' order by id`,
      )
      const { id } = must(open.rows[Math.floor(open.rows.length / 2)])
      await killInside(() => holder.query('select from bank_lines where id = $1 for update', [id]))
    }
    await finished(`select count(*) from bank_lines where state = 'booked'`, [], payers.length)
    for (const { user_id } of payers) expect(await balanceOf(app, app.db, user_id)).toBe(2500n)
    expect(await numberOf(`select count(*) from audit where act = 'bank.booked'`)).toBe(payers.length)
    expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  },
  TIME_ms,
)

it(
  `C-03, rule 30: kill -9 of the worker that resets a lost factor, ${KILLS} times: all of it, mailed once, or nothing`,
  async () => {
    const support = await signedInStaff(test)
    const { user_id, email } = await makeAccount(app)
    const client = test.client()
    await signIn(client, { user_id, email })
    await switchOnTotp(client)
    const params = { userId: user_id }
    bodyOf(await support.api.call(requestFactorReset, { params, body: { reason: 'Lost the phone' } }), 201)
    await superuser.query('update factor_resets set due_at = now() where user_id = $1', [user_id])
    await superuser.query(`update jobs set run_at = now() where key like 'factor_reset:%'`)
    const state = async () => {
      const { rows } = await superuser.query<object>(
        `select (select count(*)::int from totp_authenticators where user_id = $1) as factors,
           (select count(*)::int from passwords where user_id = $1) as passwords,
           (select count(*)::int from sessions where user_id = $1) as sessions,
           (select count(*)::int from audit where user_id = $1 and act = 'factor_reset.done') as audited,
           (select count(*)::int from mails where to_address = $2 and letter = 'factor_reset_done') as mailed`,
        [user_id, email],
      )
      return rows[0]
    }
    for (let kill = 0; kill < KILLS; kill += 1) {
      // By turns, the factor is deleted and the worker waits at the password, or everything but the sessions is deleted.
      const table = ['sessions', 'passwords'][kill % 2]
      await killInside(() => holder.query(`select from ${table} where user_id = $1 for update`, [user_id]))
      expect(await state()).toEqual({ factors: 1, passwords: 1, sessions: 1, audited: 0, mailed: 0 })
      expect((await client.get('/api/users/detail/')).status).toBe(200)
    }
    await finished(`select count(*) from factor_resets where user_id = $1 and status = 'done'`, [user_id], 1)
    expect(await state()).toEqual({ factors: 0, passwords: 0, sessions: 0, audited: 1, mailed: 1 })
    expect((await client.get('/api/users/detail/')).status).toBe(401)
  },
  TIME_ms,
)

it(
  `C-03, rules 30, 61: kill -9 of the worker that merges two accounts, ${KILLS} times: all that one has goes over once, or nothing`,
  async () => {
    const support = await signedInStaff(test)
    const office = await signedInStaff(test, { roles: ['admin'] })
    const [from, into] = [await signedInCustomer(test), await signedInCustomer(test)]
    const ids = [from.user_id, into.user_id]
    await addMoney(app, from.user_id, 4_200n)
    await addMoney(app, into.user_id, 800n)
    await addHost(from.api, { ipv4: '198.51.100.61' })
    await from.api.call(createTicket, { body: { subject: 'x', message: 'x', topic: 'technical' } })
    const asked = await support.api.call(mergeAccount, {
      params: { userId: from.user_id },
      body: { email: into.email, identity: 'Called back', reason: 'Two accounts by mistake' },
    })
    const { id } = (bodyOf(asked, 202) as { approval: { id: string } }).approval
    const decision = { params: { id }, body: { decision: 'approve' as const } }
    expect(bodyOf(await office.api.call(decideApproval, decision), 200).status).toBe('approved')
    await superuser.query('update factor_resets set due_at = now() where user_id = $1', [from.user_id])
    await superuser.query(`update jobs set run_at = now() where key like 'factor_reset:%'`)
    const state = async () => {
      const { rows } = await superuser.query<object>(
        `select access::text,
           (select coalesce(sum(balance), 0)::int from balances where user_id = u.id) as balance,
           (select count(*)::int from hosts where user_id = u.id) as servers,
           (select count(*)::int from tickets where user_id = u.id) as tickets,
           (select count(*)::int from sessions where user_id = u.id) as sessions,
           (select count(*)::int from audit where user_id = u.id and act = 'customer.merged') as audited,
           (select count(*)::int from mails where user_id = u.id and letter = 'accounts_merged') as mailed
         from users u where id = any($1::uuid[]) order by array_position($1::uuid[], id)`,
        [ids],
      )
      return rows
    }
    const still = { access: 'open', sessions: 1, audited: 0, mailed: 0 }
    for (let kill = 0; kill < KILLS; kill += 1) {
      // The mails are written last: everything has gone over, and nothing is committed.
      await killInside(() => holder.query('lock table mails in share mode'))
      expect(await state()).toEqual([
        { ...still, balance: 4_200, servers: 1, tickets: 1 },
        { ...still, balance: 800, servers: 0, tickets: 0 },
      ])
      expect((await from.api.get('/api/users/detail/')).status).toBe(200)
    }
    await finished(
      `select count(*) from factor_resets where user_id = $1 and status = 'done'`,
      [from.user_id],
      1,
    )
    const done = { audited: 1, mailed: 1 }
    expect(await state()).toEqual([
      { ...done, access: 'locked', sessions: 0, balance: 0, servers: 0, tickets: 0 },
      { ...done, access: 'open', sessions: 1, balance: 5_000, servers: 1, tickets: 1 },
    ])
    expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  },
  TIME_ms,
)

it(
  `C-05, rule 34: kill -9 during the deletion of an account, ${KILLS} times: the account stays whole until all of it is deleted`,
  async () => {
    const [admin, owner] = [
      await signedInStaff(test, { roles: ['admin'] }),
      await signedInStaff(test, { roles: ['owner'] }),
    ]
    const { user_id, email, api } = await signedInCustomer(test)
    const asked = await admin.api.call(eraseCustomer, {
      params: { userId: user_id },
      body: { email, reason: 'Asked by phone' },
    })
    const { id } = (bodyOf(asked, 202) as { approval: { id: string } }).approval
    const approve = (through: Client) =>
      through.call(decideApproval, { params: { id }, body: { decision: 'approve' } })
    const state = async () => {
      const { rows } = await superuser.query<object>(
        `select (select status from approvals where id = $1) as status,
           (select is_active from users where id = $2) as is_active,
           (select count(*)::int from email_addresses where user_id = $2) as addresses,
           (select count(*)::int from profiles where user_id = $2) as profiles,
           (select count(*)::int from audit where user_id = $2 and act = 'customer.erased') as audited,
           (select count(*)::int from mails where to_address = $3 and letter = 'account_deleted') as mailed`,
        [id, user_id, email],
      )
      return rows[0]
    }
    const whole = { is_active: true, addresses: 1, profiles: 1, audited: 0, mailed: 0 }
    const { dataDir, remove } = makeDataDir()
    const SECRET_KEY = app.config.secretKey.reveal()
    const settings = { DATABASE_URL: app.ownerUrl, SECRET_KEY, DEMO: 'off', ROLE: 'web' }
    for (let kill = 0; kill < KILLS; kill += 1) {
      const product = await startProduct({ dataDir, settings })
      // By turns, the texts of the person are deleted and the process waits at the profile, or everything but the sessions is deleted.
      const table = ['sessions', 'profiles'][kill % 2]
      await killInside(
        () => holder.query(`select from ${table} where user_id = $1 for update`, [user_id]),
        async () => {
          const api = Object.assign(owner.api.copy(), { url: product.url })
          const deciding = untilAnswered(() => approve(api)).catch(() => {})
          return { kill: async () => void (await Promise.all([product.kill(), deciding])) }
        },
      )
      expect(await state()).toEqual({ status: 'proposed', ...whole })
      expect((await api.get('/api/users/detail/')).status).toBe(200)
    }
    remove()
    expect(bodyOf(await approve(owner.api), 200).status).toBe('approved')
    const gone = { is_active: false, addresses: 0, profiles: 0, audited: 1, mailed: 1 }
    expect(await state()).toEqual({ status: 'approved', ...gone })
    expect((await api.get('/api/users/detail/')).status).toBe(401)
  },
  TIME_ms,
)

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

async function importStatement(
  { api }: Customer,
  payments: Parameters<typeof bankStatement>[0],
): Promise<void> {
  expect((await sendStatement(api, bankStatement(payments))).status).toBe(201)
}
