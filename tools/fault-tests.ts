// `npm run test:faults` shows at full length what the tests show in short: that money is right whatever happens. It takes an
// hour on an idle machine; `npm run test:faults -- kills cuts` shows only what is named. Each prints what it did.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { notRun } from './test-reports.ts'

type FaultTest = {
  shows: string
  files: string[]
  settings: Record<string, string>
  /** Programs of others that its parts need, each with the command that brings it. */
  needs?: Record<string, string>
}

const faultTests: Record<string, FaultTest> = {
  races: {
    shows: 'what comes at once: orders, vouchers, keys, invoice numbers, the events of payments, decisions',
    files: [
      'features/licences/server/races',
      'features/finance/server/vouchers',
      'features/finance/server/top-ups',
      'features/finance/server/payment-events',
      'features/invoices/server/numbers',
      'features/approvals/server/approvals',
      'features/team/server/members',
    ],
    settings: { APPROVAL_ROUNDS: '200' },
  },
  invoices: {
    shows: '10,000 invoices in the database, at every rate: Σ lines + VAT = total',
    files: ['features/invoices/server/amounts', 'features/invoices/server/numbers'],
    settings: { INVOICES: '10000' },
  },
  model: {
    shows: '300 runs of 50 steps beside a model, with kills',
    files: ['tests/faults/model'],
    settings: { MODEL_RUNS: '300', MODEL_STEPS: '50' },
  },
  kills: {
    shows:
      'kill -9 of everything 20 times under orders and top-ups, and of a worker inside the steps of debts',
    files: ['tests/faults/kill-money', 'tests/faults/kill-debts'],
    settings: { KILLS: '20' },
  },
  requests: {
    shows:
      '35,000 generated requests, some 5,000 of each kind of caller: no 5xx, nothing that is not declared',
    files: ['tests/system/generated'],
    settings: { REQUESTS: '35000' },
  },
  cuts: {
    shows: 'the wire to the database cut before and after every message of every act that moves money',
    files: ['tests/faults/cuts'],
    settings: { CUT_EVERY: '1' },
  },
  operate: {
    shows:
      'what an operator relies on: mails in time under 20,000 renewals, restore of 1,000,000 transactions, upgrades, PgBouncer, alerts, the dashboard, a bucket, the archive of a release alone, the proxies before two processes',
    files: ['tests/faults/operate'],
    settings: { OPERATE: '1' },
    needs: {
      nginx: 'apt-get install nginx-light',
      caddy: 'apt-get install caddy',
      pgbouncer: 'apt-get install pgbouncer',
      age: 'apt-get install age',
      promtool: 'apt-get install prometheus',
      pgbackrest: 'apt-get install pgbackrest',
      pg_createcluster: 'apt-get install postgresql',
      versitygw: 'go install github.com/versity/versitygw/cmd/versitygw@v1.8.0',
    },
  },
}

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !(name in faultTests))
if (unknown !== undefined) {
  process.stderr.write(
    `test:faults: there is no '${unknown}'. There are ${Object.keys(faultTests).join(', ')}.\n`,
  )
  process.exit(2)
}
const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-faults-'))
const report = path.join(folder, 'report.json')
const left: string[] = []
for (const [name, { shows, files, settings, needs = {} }] of Object.entries(faultTests)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  process.stdout.write(`\n── ${name}: ${shows} ──\n`)
  const command = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'server',
    '--project',
    'system',
    '--project',
    'operate',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...files,
  ]
  // Variables that are set already count: SEED, or other lengths.
  const env = { ...settings, ...process.env }
  const { status } = spawnSync(process.execPath, command, { stdio: ['ignore', 'inherit', 'inherit'], env })
  if (status !== 0) process.exitCode = 1
  left.push(...missing(needs), ...notRun(report).map((test) => `not run: ${test}`))
}
rmSync(folder, { recursive: true })
// At the very end, where nobody overlooks it: a part that did not run has shown nothing.
if (left.length > 0)
  process.stdout.write(`\n── ${left.length} lines on what has not been shown ──\n${left.join('\n')}\n`)

/** A line for each program that this machine lacks. */
function missing(needs: Record<string, string>): string[] {
  return Object.entries(needs)
    .filter(
      ([program]) => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin; command -v ${program}`]).status !== 0,
    )
    .map(([program, bringer]) => `${program} is missing: ${bringer}`)
}
