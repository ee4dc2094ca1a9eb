// `npm run test:faults` runs at full length the tests that `npm test` runs in short, and that show that money is right whatever happens. It
// takes hours on an idle machine; `npm run test:faults -- kills cuts` runs only the named parts. Each part prints what it did.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildTexts } from './build.ts'
import { hasProgram } from './has-program.ts'
import { notRun } from './test-reports.ts'

type FaultTest = {
  shows: string
  files: string[]
  settings: Record<string, string>
  /** The third-party programs that the tests need, each with the command that installs it. */
  needs?: Record<string, string>
}

const faultTests: Record<string, FaultTest> = {
  races: {
    shows:
      'what comes at once: orders, vouchers, keys, invoice numbers, the events of payments, decisions, vetoes, bookings of a statement',
    files: [
      'features/sales/server/races',
      'features/finance/server/vouchers',
      'features/finance/server/top-ups',
      'features/finance/server/payment-events',
      'features/invoices/server/numbers',
      'features/approvals/server/approvals',
      'features/team/server/members',
      'features/customers/server/factor-resets',
      'features/banking/server/races',
      'features/sales/server/withdrawal-races',
      'features/catalogue/server/catalogue',
    ],
    settings: { APPROVAL_ROUNDS: '200', VETO_ROUNDS: '100', BANKING_ROUNDS: '100' },
  },
  checkouts: {
    shows:
      '1,000 orders that pay themselves, their events sent thrice and in any order, some failed and some taken back: charged, posted and ordered once, or nothing of the three',
    files: ['features/sales/server/checkout-races'],
    settings: { CHECKOUTS: '1000' },
  },
  runs: {
    shows:
      '1,000 accounts that fill themselves, whose provider is away, loses answers, and sends events late, twice and in any order: charged and posted once, or nothing of both',
    files: ['features/sales/server/auto-top-up-races'],
    settings: { RUNS: '1000' },
  },
  mails: {
    shows:
      '1,000 mails by IMAP and pipe under kill -9 of server and database: none lost, none doubled, each in its ticket',
    files: ['features/support/mail/server/mailbox', 'tests/faults/mails-in'],
    settings: { MAILS: '1000' },
    needs: { dovecot: 'apt-get install dovecot-imapd' },
  },
  statements: {
    shows:
      'a bank statement of 500 payments in all classes: none in a wrong one, none booked wrongly or twice',
    files: ['features/banking/server/whole-statement'],
    settings: { STATEMENT_LINES: '500' },
  },
  invoices: {
    shows: '10,000 invoices in the database, at every rate: Σ lines + VAT = total',
    files: ['features/invoices/server/amounts', 'features/invoices/server/numbers'],
    settings: { INVOICES: '10000' },
  },
  alerts: {
    shows:
      'a week of check-ins of which each hundredth is lost: no false alert; one mail for a server that is off',
    files: ['features/hosts/server/alert-days'],
    settings: { ALERT_HOURS: '168' },
  },
  answers: {
    shows:
      '10,000 random histories of tickets over holidays, changes of the clocks and of the calendar: expected answer and place in the queue as by a simple model',
    files: ['features/support/answers/server/model'],
    settings: { ANSWER_ROUNDS: '20' },
  },
  webhooks: {
    shows:
      '100,000 events to 10 programs that fail, hang, cut and die, with 5 kills and 5 stops: each arrives, in order for each account, signed, 2 % twice at most, and each with its reason. Takes half an hour on a machine that does nothing else; WEBHOOK_EVENTS=5000 a few minutes',
    files: ['tests/faults/webhooks'],
    settings: { WEBHOOK_EVENTS: '100000', KILLS: '5', STOPS: '5' },
  },
  model: {
    shows: '300 runs of 50 steps beside a model, with kills',
    files: ['tests/faults/model'],
    settings: { MODEL_RUNS: '300', MODEL_STEPS: '50' },
  },
  licences: {
    shows:
      '100,000 histories of licences, trials, acts for many servers, upgrades, refunds, payers, debts, transfers and prices beside a model of fractions: plan, value and balance, by the libraries of four languages, too; 100,000 prorations; 1,000 edits of a plan between page and order, and 1,000 while an order is paid at the provider. Takes some hours; MINUTES=30 stops sooner, and says how far it came',
    files: ['tests/faults/licences', 'features/sales/rules', 'features/sales/server/price-changed'],
    settings: { HISTORIES: '100000', UPGRADE_RUNS: '100000', EDIT_ROUNDS: '1000' },
  },
  payers: {
    shows:
      '64 charges at once, 10,000 ends of an agreement against a charge, and 80,000 acts, eight at once, of accounts that pay for each other: exact, never after the end, no deadlock. MINUTES=30 stops sooner',
    files: ['features/sales/server/payer-races'],
    settings: { PAYER_ROUNDS: '10000', CROSSING_ROUNDS: '10000' },
  },
  ledger: {
    shows:
      '100,000 sales, refunds, reissues and chargebacks at 12 rates: ledger, documents and DATEV to the cent',
    files: ['features/books/server/vat-histories'],
    settings: { LEDGER_STEPS: '100000' },
  },
  payable: {
    shows:
      '100,000 histories of payments, gifts, sales, refunds, chargebacks and payouts beside lots of money: what may leave, to the cent',
    files: ['features/finance/server/payable'],
    settings: { PAYABLE_HISTORIES: '100000' },
  },
  kills: {
    shows:
      'kill -9 of everything 20 times under orders, top-ups, orders that pay themselves, automatic top-ups, payouts and what assistants proposed, and of a worker inside the steps of debts, the booking of a statement, an export, mails, a deletion and the reset of a factor',
    files: [
      'tests/faults/kill-money',
      'tests/faults/kill-checkouts',
      'tests/faults/kill-payouts',
      'tests/faults/kill-auto-top-ups',
      'tests/faults/kill-proposals',
      'tests/faults/kill-debts',
      'tests/faults/kill-staff-jobs',
    ],
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
      'what an operator relies on: mails in time under 20,000 renewals, restore of 1,000,000 transactions, upgrades, PgBouncer, alerts, the dashboard, a bucket, the archive of a release alone, on a bare Debian and as an image, the proxies before two processes',
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
      mmdebstrap: 'apt-get install mmdebstrap',
      buildah: 'apt-get install buildah',
      'systemd-analyze': 'apt-get install systemd',
      kubeconform:
        'go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0; go mod download k8s.io/kubernetes@v1.37.0',
      'compose-go':
        'go install github.com/compose-spec/compose-go/v2/cmd@v2.16.2, and call the program `cmd` compose-go',
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
// The tests import the compiled texts; the processes that the tests start would otherwise compile them in the middle of a test.
await buildTexts(process.cwd())
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
    'unit',
    '--project',
    'server',
    '--project',
    'system',
    '--project',
    'operate',
    '--project',
    'operate-beside',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...files,
  ]
  // Variables that are already set take precedence, such as SEED or other lengths.
  const env = { ...settings, ...process.env }
  const begun = Date.now()
  const { status } = spawnSync(process.execPath, command, { stdio: ['ignore', 'inherit', 'inherit'], env })
  process.stdout.write(`── ${name} took ${((Date.now() - begun) / 60_000).toFixed(1)} minutes ──\n`)
  if (status !== 0) process.exitCode = 1
  left.push(...missing(needs), ...notRun(report).map((test) => `not run: ${test}`))
}
rmSync(folder, { recursive: true })
// These lines come last, so that nobody overlooks them: a part that did not run has shown nothing.
if (left.length > 0)
  process.stdout.write(`\n── ${left.length} lines on what has not been shown ──\n${left.join('\n')}\n`)

/** Returns a line for each program that this machine lacks. */
function missing(needs: Record<string, string>): string[] {
  return Object.entries(needs)
    .filter(([program]) => !hasProgram(program))
    .map(([program, bringer]) => `${program} is missing: ${bringer}`)
}
