import { statfsSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import pg from 'pg'
import type { Config } from '#foundation/server/config.ts'
import { errorLines } from '#foundation/server/error-lines.ts'
import { missingMigrations } from '#foundation/server/database/migrate.ts'
import { smtpOptions } from '#foundation/server/mail/smtp.ts'
import { inspectDatabase, readClock } from '#foundation/server/database/safety.ts'
import {
  examineEncryption,
  examineExamples,
  examineProxies,
  examineSignIn,
  Warning,
} from './examine-trust.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'

/** Reports on each thing the product depends on; the exit code is 1 when one of them fails. */
export async function examine({ config, ownerUrl }: CommandEnvironment): Promise<Answer> {
  const checks: [string, () => Promise<string>][] = [
    [
      'Settings',
      async () => config.warnings.join(' ') || `fine, ${config.production ? 'production' : 'not production'}`,
    ],
    ['Database', () => examineDatabase(ownerUrl, config)],
    ['Migrations', () => examineMigrations(ownerUrl)],
    ['Clock', () => examineClock(ownerUrl)],
    ['Disk', async () => examineDisk(config)],
    ['Mail', () => examineMail(config)],
    ['Example accounts', () => withClient(ownerUrl, (client) => examineExamples(client, config))],
    ['Sign-in', async () => examineSignIn(config)],
    ['Encryption', async () => examineEncryption(config)],
    ['Proxies', () => withClient(ownerUrl, (client) => examineProxies(client, config))],
  ]
  const findings: Finding[] = []
  for (const [name, find] of checks)
    findings.push(
      await find().then(
        (text): Finding => ({ name, state: 'fine', text }),
        (error: unknown): Finding => ({
          name,
          state: error instanceof Warning ? 'warning' : 'failed',
          text: errorLines(error).join(' '),
        }),
      ),
    )
  return {
    lines: findings.map(({ name, state, text }) => `${marks[state]} ${name}: ${text}`),
    data: { findings },
    failed: findings.some(({ state }) => state === 'failed'),
  }
}

type Finding = { name: string; state: keyof typeof marks; text: string }
const marks = { fine: '✓', warning: '!', failed: '✗' }

async function examineDatabase(ownerUrl: string, config: Config): Promise<string> {
  await inspectDatabase(ownerUrl, config)
  return config.databaseUrl ? 'fine' : `fine, the one that comes along, in ${config.dataDir}`
}

async function examineMigrations(ownerUrl: string): Promise<string> {
  const missing = await withClient(ownerUrl, missingMigrations)
  if (missing.length) throw new Error(`${missing.length} have not run. They run at the next start.`)
  return 'current'
}

/** Two-factor codes and limits are judged by the database's clock. */
async function examineClock(ownerUrl: string): Promise<string> {
  const off_s = Math.abs(await withClient(ownerUrl, readClock)) / 1000
  if (off_s > 5)
    throw new Error(`the database's clock is ${off_s.toFixed(0)} s off. Run NTP on both machines.`)
  return 'the database agrees'
}

function examineDisk({ dataDir }: Config): string {
  const { bavail, bsize } = statfsSync(dataDir)
  const free_gb = (bavail * bsize) / 1e9
  if (free_gb < 1) throw new Error(`only ${free_gb.toFixed(2)} GB are free in ${dataDir}. Make room.`)
  return `${free_gb.toFixed(0)} GB free in ${dataDir}`
}

async function examineMail(config: Config): Promise<string> {
  if (!config.smtpUrl) return 'no SMTP_URL; mails are kept and shown at /dev/mail/'
  const transport = createTransport({
    ...smtpOptions(config),
    connectionTimeout: 5000,
    greetingTimeout: 5000,
  })
  try {
    await transport.verify()
    return 'the server takes our sign-in'
  } catch (error) {
    throw new Error(`the server of SMTP_URL does not: ${errorLines(error).join(' ')}. Correct SMTP_URL.`, {
      cause: error,
    })
  } finally {
    transport.close()
  }
}

async function withClient<Found>(url: string, find: (client: pg.Client) => Promise<Found>): Promise<Found> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    return await find(client)
  } finally {
    await client.end()
  }
}
