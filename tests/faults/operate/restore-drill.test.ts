import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { plantTransactions } from '#bench/transaction-seed.ts'
import { startInstallation } from '#tests/faults/installation.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { stockShop } from '#tests/harness/shop.ts'

// On a machine that others use as well, DRILL_TRANSACTIONS=100000 is enough.
const TRANSACTIONS = Number(process.env['DRILL_TRANSACTIONS'] ?? 1_000_000)

const installation = await startInstallation()
afterAll(() => installation.close())
await stockShop(installation)

const hostdesk = async (...command: string[]) => {
  const begun = performance.now()
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['app/cli/main.ts', ...command], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: installation.dataDir,
      PUBLIC_ORIGIN: 'http://localhost:3000',
      BACKUP_PASSPHRASE: 'a passphrase for the drill alone',
      ...installation.settings,
    },
    maxBuffer: 1 << 24,
  })
  return { stdout, stderr, took_s: (performance.now() - begun) / 1000 }
}

it(`rule 49: a drill with ${TRANSACTIONS} transactions: sums equal, jobs equal, in balance`, async () => {
  const customers: Customer[] = []
  for (let count = 0; count < 5; count += 1) customers.push(await signedInCustomer(installation))
  const ids = customers.map(({ user_id }) => user_id)
  await plantTransactions(installation.app.ownerUrl, ids, TRANSACTIONS / ids.length)
  const owner = new pg.Client({ connectionString: installation.app.ownerUrl })
  await owner.connect()
  await owner.query(
    `select count(enqueue_job('look_at_licence', jsonb_build_object('host_id', n::text), now() + n * interval '1 minute',
       'licence:' || n, null, 'money')) from generate_series(1, 50000) n`,
  )
  await owner.end()
  const file = path.join(installation.dataDir, 'million.backup')
  // Each result is printed at once, so that a run that breaks off has reported how far it came.
  const say = (line: string) => process.stdout.write(`  ${line}\n`)
  const made = await hostdesk('backup', file)
  say(`backup ${made.took_s.toFixed(0)} s, ${(statSync(file).size / 1e6).toFixed(0)} MB, encrypted`)
  const verified = await hostdesk('backup', 'verify', file)
  say(`verify ${verified.took_s.toFixed(0)} s`)
  const drilled = await hostdesk('restore', '--drill', file)
  say(`drill ${drilled.took_s.toFixed(0)} s\n${drilled.stdout}`)
  expect(drilled.stdout).toMatch(/Rows: .*the sums of each table equal/)
  expect(drilled.stdout).toMatch(/Jobs: +500\d\d, equal/)
  expect(drilled.stdout).toContain(`in balance, ${TRANSACTIONS} transactions`)
})
