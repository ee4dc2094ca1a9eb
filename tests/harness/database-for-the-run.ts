import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#foundation/server/database/embedded.ts'
import { migrate } from '#foundation/server/database/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's address at this run's PostgreSQL, database `postgres`. */
    adminUrl: string
  }
}

export const TEMPLATE = 'hostdesk_template'

/** The state that the projects of a run share; Vitest calls `setup` for each project. */
type Shared = { users: number; begun: Promise<Begun> }
type Begun = { adminUrl: string; tearDown: () => Promise<void> }

declare global {
  var databaseOfTheRun: Shared | undefined
}

// `npm run mutants` starts hundreds of runs, each of which has the texts and the database that it has made.
const made = process.env['ADMIN_URL_OF_TESTS']

/** Makes, once for each run, the compiled texts, a PostgreSQL without fsync, and a migrated database that each test file copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (globalThis.databaseOfTheRun ??= { users: 0, begun: begin() })
  shared.users += 1
  const { adminUrl, tearDown } = await shared.begun
  project.provide('adminUrl', adminUrl)
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    globalThis.databaseOfTheRun = undefined
    await tearDown()
  }
}

async function begin(): Promise<Begun> {
  if (made !== undefined) return { adminUrl: made, tearDown: () => Promise.resolve() }
  execFileSync(process.execPath, ['tools/compile-texts.ts'], { stdio: ['ignore', 'ignore', 'inherit'] })
  return makeDatabase()
}

/** Starts a PostgreSQL without fsync, with the migrated database. */
export async function makeDatabase(): Promise<Begun> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'hostdesk-test-'))
  // PostgreSQL runs as another user than root and must be able to enter.
  chmodSync(dataDir, 0o755)
  const postgres = await startEmbedded({ dataDir, fast: true })
  const tearDown = async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await makeTemplate(postgres.adminUrl)
  } catch (error) {
    await tearDown()
    throw error
  }
  return { adminUrl: postgres.adminUrl, tearDown }
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE} owner hostdesk`)
  await admin.end()
  await migrate(databaseUrl(adminUrl, 'hostdesk', TEMPLATE))
}

/** Returns the address of another database of the same PostgreSQL, for this role. */
export function databaseUrl(adminUrl: string, role: string, database: string): string {
  return adminUrl.replace(/^postgres:\/\/[^/]+\/[^?]+/, `postgres://${role}@/${database}`)
}
