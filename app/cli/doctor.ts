import type pg from 'pg'
import type { Config } from '#foundation/server/config.ts'
import { errorCode } from '#foundation/server/error-code.ts'
import { errorLines } from '#foundation/server/error-lines.ts'
import { inspectMigrations, missingMigrations } from '#foundation/server/database/migrate.ts'
import { wayToDatabase } from '#foundation/server/database/pooler.ts'
import { databaseOn, withConnection } from '#foundation/server/database/with-connection.ts'
import { takeKeptSettings } from '#foundation/server/kept-settings/kept-settings.ts'
import { inspectDatabase, isEmptyDatabase, readClock } from '#foundation/server/database/safety.ts'
import { examineDisk, examineMail, examineStorage } from './examine-parts.ts'
import { examineMailIn } from './examine-mail-in.ts'
import { examineCertificate } from './examine-certificate.ts'
import {
  examineEncryption,
  examineExamples,
  examineKey,
  examineProxies,
  examineSignIn,
  examineStaff,
} from './examine-trust.ts'
import { examinePayments } from './examine-payments.ts'
import { NO_SELLER } from '#app/server/no-seller.ts'
import { examinePlans } from './examine-plans.ts'
import { examineOrder } from './examine-order.ts'
import { examineReplica } from './examine-replica.ts'
import { examineSetup } from './examine-setup.ts'
import { examineBackups, examineOutbox, examineQueue, examineWorkers } from './examine-work.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { Warning } from './warning.ts'

type Check = [name: string, find: () => Promise<string>]

/**
 * Examines each thing that the product depends on; the exit code is 1 if an examination fails. If `mail` is an address, a
 * real mail is sent to it.
 */
export async function examine(
  { config, ownerUrl }: CommandEnvironment,
  { mail }: { mail?: string | boolean } = {},
): Promise<Answer> {
  const alone: Check[] = [
    [
      'Settings',
      async () => {
        if (config.warnings.length > 0) throw new Warning(config.warnings.join(' '))
        return `fine, ${config.production ? 'production' : 'not production'}`
      },
    ],
    ['Disk', async () => examineDisk(config)],
    ['Storage', () => examineStorage(config)],
    ['Mail', () => examineMail(config, typeof mail === 'string' ? mail : undefined)],
    ['Mail in', () => examineMailIn(config)],
    ['Certificate', () => examineCertificate(config)],
    ['Sign-in', async () => examineSignIn(config)],
    ['Encryption', async () => examineEncryption(config)],
    ['Payments', () => examinePayments(config)],
  ]
  const findings = [await finding(['Database', () => examineDatabase(ownerUrl, config)])]
  const isThere = findings[0]?.state === 'fine'
  for (const check of isThere ? inDatabase(ownerUrl, config) : []) findings.push(await finding(check))
  for (const check of alone) findings.push(await finding(check))
  if (isThere)
    findings.push(
      ...(await examineSetup(ownerUrl, config).catch(async (error: unknown) => [
        await finding(['Set up', () => Promise.reject(error)]),
      ])),
    )
  return {
    lines: findings.map(({ name, state, text }) => `${marks[state]} ${name}: ${text}`),
    data: { findings },
    failed: findings.some(({ state }) => state === 'failed'),
  }
}

/** Returns the examinations that need a reachable database. */
function inDatabase(ownerUrl: string, config: Config): Check[] {
  const ask = (find: (client: pg.Client) => Promise<string>) => () =>
    withConnection(ownerUrl, async (client) => {
      if (await isEmptyDatabase(client)) return 'nothing yet: the first start makes the tables'
      return find(client)
    })
  return [
    ['Pooler', () => examineWay(config)],
    ...replicaCheck(config),
    ['Migrations', ask(examineMigrations)],
    [
      'Company',
      ask(async (client) => {
        await takeKeptSettings(config, databaseOn(client))
        if (config.company.isIncomplete) throw new Warning(NO_SELLER)
        return config.company.isMadeUp ? 'an example' : config.company.name
      }),
    ],
    ['Order of texts', ask(examineOrder)],
    ['Clock', () => examineClock(ownerUrl)],
    ['Key', ask((client) => examineKey(client, config))],
    ['Workers', ask((client) => examineWorkers(client, config))],
    ['Queue', ask(async (client) => examineQueue(client, (await import('#app/server/worker.ts')).allJobs))],
    ['Mails', ask(examineOutbox)],
    ['Backups', ask((client) => examineBackups(client, config))],
    ['Plans', ask((client) => examinePlans(client, config))],
    ['Example accounts', ask((client) => examineExamples(client, config))],
    ['Staff', ask((client) => examineStaff(client, config))],
    ['Proxies', ask((client) => examineProxies(client, config))],
  ]
}

const replicaCheck = (config: Config): Check[] =>
  config.readDatabaseUrl ? [['Replica', () => examineReplica(config)]] : []

type Finding = { name: string; state: keyof typeof marks; text: string }
const marks = { fine: '✓', warning: '!', failed: '✗' }

async function finding([name, find]: Check): Promise<Finding> {
  try {
    return { name, state: 'fine', text: await find() }
  } catch (error) {
    // A table does not exist yet. The finding on migrations reports this.
    if (errorCode(error) === '42P01')
      return { name, state: 'warning', text: 'not examined before the migrations ran' }
    const state = error instanceof Warning ? 'warning' : 'failed'
    return { name, state, text: errorLines(error).join(' ') }
  }
}

async function examineDatabase(ownerUrl: string, config: Config): Promise<string> {
  await inspectDatabase(ownerUrl, config)
  const { refusal } = await withConnection(ownerUrl, (client) =>
    inspectMigrations(client, { acceptNewer: config.acceptNewerDatabase }),
  )
  if (refusal !== undefined) throw new Error(refusal)
  return config.databaseUrl ? 'fine' : `fine, the one that comes along, in ${config.dataDir}`
}

async function examineWay(config: Config): Promise<string> {
  const { kind, preparesStatements } = await wayToDatabase(config)
  if (kind === 'direct') return 'none, the product goes to PostgreSQL itself'
  if (preparesStatements) return `one in ${kind} mode`
  throw new Warning(
    `one in ${kind} mode that keeps no prepared statements. Take PgBouncer 1.21 or newer and set max_prepared_statements there`,
  )
}

async function examineMigrations(client: pg.Client): Promise<string> {
  const missing = await missingMigrations(client)
  if (missing.length) throw new Error(`${missing.length} have not run. They run at the next start.`)
  return 'current'
}

/** Throws if the clocks of this machine and of the database differ by more than 5 s: codes and limits depend on the time. */
async function examineClock(ownerUrl: string): Promise<string> {
  const off_s = Math.abs(await withConnection(ownerUrl, readClock)) / 1000
  if (off_s > 5)
    throw new Error(`the database's clock is ${off_s.toFixed(0)} s off. Run NTP on both machines.`)
  return 'the database agrees'
}
