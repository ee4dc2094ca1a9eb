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

/** Makes once a run: texts, one PostgreSQL without fsync, one migrated database that each test file copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  execFileSync(process.execPath, ['tools/compile-texts.ts'], { stdio: ['ignore', 'ignore', 'inherit'] })
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
  project.provide('adminUrl', postgres.adminUrl)
  return tearDown
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE} owner hostdesk`)
  await admin.end()
  await migrate(databaseUrl(adminUrl, 'hostdesk', TEMPLATE))
}

/** The address of another database of the same PostgreSQL. */
export function databaseUrl(adminUrl: string, role: string, database: string): string {
  return adminUrl.replace(/^postgres:\/\/[^/]+\/[^?]+/, `postgres://${role}@/${database}`)
}
