import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { errorCode } from '#foundation/server/error-code.ts'
import { ConfigError } from '#foundation/server/config-error.ts'
import { ownFolder } from './directories.ts'
import type { Directories } from './directories.ts'

const run = promisify(execFile)

/** Makes an empty cluster if there is none. If the process is killed half-way, it leaves nothing that looks like a cluster. */
export async function ensureCluster(
  place: Directories,
  binaries: string,
  options: { sync: boolean },
): Promise<void> {
  if (fs.existsSync(path.join(place.cluster, 'PG_VERSION'))) return
  const half = `${place.cluster}.${process.pid}`
  fs.rmSync(half, { recursive: true, force: true })
  ownFolder(half, place.runner)
  const choices = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = [
    '--username=postgres',
    '--auth-local=peer',
    '--auth-host=reject',
    '--no-instructions',
    ...(options.sync ? [] : ['--no-sync']),
  ]
  const environment = { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' }
  const initdb = [path.join(binaries, 'bin/initdb'), ['-D', half, ...choices, ...access]] as const
  try {
    await run(...initdb, { ...place.runner, cwd: '/', env: environment })
  } catch (error) {
    fs.rmSync(half, { recursive: true, force: true })
    throw new ConfigError([`DATA_DIR: no database could be made in ${place.base}. ${lastLine(error)}`])
  }
  try {
    fs.renameSync(half, place.cluster)
  } catch {
    // Another process making the first start at the same time won; its cluster is as good.
    fs.rmSync(half, { recursive: true, force: true })
  }
}

/** The complaint of initdb: a full disk, a user without a name. */
function lastLine(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  const text = said || String(error)
  return text.split('\n').at(-1) ?? text
}

/**
 * Makes the role and the database of the product, which never connects as the superuser: a hole in a statement must not become
 * `COPY … TO PROGRAM`.
 */
export async function ensureOwner(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const there = await client.query("select from pg_database where datname = 'hostdesk'")
    if (there.rowCount) return
    await unlessThere(client, 'create role hostdesk login createrole')
    await unlessThere(client, 'create database hostdesk owner hostdesk')
  } finally {
    await client.end()
  }
}

const alreadyThere = new Set(['42710', '42P04', '23505'])

async function unlessThere(client: Client, statement: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    if (!alreadyThere.has(errorCode(error) ?? '')) throw error
  }
}
