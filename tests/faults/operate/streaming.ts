import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll } from 'vitest'
import { freePort } from '#tests/harness/free-port.ts'

// The servers are Debian's PostgreSQL (apt-get install postgresql): the PostgreSQL of the product has no pg_basebackup.
export const binaries = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1) ?? ''
const nobody = { uid: 65_534, gid: 65_534 }
export const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-standby-'))
chmodSync(folder, 0o755)

/** A primary or a standby of streaming replication. */
export type Server = { port: number; data: string; process: ChildProcess | undefined }
export const servers: Server[] = []
afterAll(async () => {
  await Promise.all(servers.map(kill))
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

export const run = (name: string, given: string[]) =>
  execFileSync(path.join(binaries, name), given, {
    ...nobody,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'inherit'],
  })

export async function makePrimary(): Promise<Server> {
  const server = await newServer()
  run('initdb', ['-D', server.data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C'])
  appendFileSync(
    path.join(server.data, 'postgresql.conf'),
    "\nwal_level = replica\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nwal_keep_size = '512MB'\n",
  )
  appendFileSync(path.join(server.data, 'pg_hba.conf'), '\nhost replication all 127.0.0.1/32 trust\n')
  await startServer(server)
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${server.port}/postgres` })
  await client.connect()
  await client.query('create role hostdesk login createrole createdb')
  await client.query('create database hostdesk owner hostdesk')
  await client.end()
  return server
}

/** Makes a standby that follows the primary. From now on each commit of the primary waits for the standby. */
export async function makeStandby(primary: Server, instead?: Server): Promise<Server> {
  const server = instead ?? (await newServer())
  rmSync(server.data, { recursive: true, force: true })
  run('pg_basebackup', [
    '-h',
    '127.0.0.1',
    '-p',
    String(primary.port),
    '-U',
    'postgres',
    '-D',
    server.data,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
  ])
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${primary.port}/postgres` })
  await client.connect()
  await startServer(server)
  const streaming = async () =>
    (await client.query("select from pg_stat_replication where state = 'streaming'")).rowCount
  await until(async () => (await streaming()) === 1)
  await client.query("alter system set synchronous_standby_names = '*'")
  await client.query('select pg_reload_conf()')
  const isSynchronous = async () =>
    (await client.query("select from pg_stat_replication where sync_state = 'sync'")).rowCount
  await until(async () => (await isSynchronous()) === 1)
  await client.end()
  return server
}

async function newServer(): Promise<Server> {
  const port = await freePort()
  const data = path.join(folder, `server-${port}`, 'data')
  mkdirSync(path.dirname(data), { recursive: true })
  chownSync(path.dirname(data), nobody.uid, nobody.gid)
  const server: Server = { port, data, process: undefined }
  servers.push(server)
  return server
}

/** Starts PostgreSQL's first process in a process group of its own. Its children have other groups, and end when they notice its death. */
async function startServer(server: Server): Promise<void> {
  server.process = spawn(path.join(binaries, 'postgres'), ['-D', server.data, '-p', String(server.port)], {
    ...nobody,
    cwd: '/',
    detached: true,
    stdio: 'ignore',
  })
  const url = `postgres://postgres@127.0.0.1:${server.port}/postgres`
  const answers = async () => {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }
  await until(answers)
}

export async function kill(server: Server): Promise<void> {
  const { process: child } = server
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await gone
  server.process = undefined
}

/** Waits like `expect.poll`, which Vitest refuses in `beforeAll`. Throws after 30 s. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await isTrue()); await sleep(20))
    if (Date.now() > deadline) throw new Error('PostgreSQL does not come to it in 30 s')
}
