import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { startEmbedded } from '#foundation/server/database/embedded.ts'
import { errorLines } from '#foundation/server/error-lines.ts'
import { closedFor, prepareDirectories } from '#foundation/server/database/embedded/directories.ts'
import { isPostmaster } from '#foundation/server/database/embedded/postmaster.ts'
import { fillDisk, smallDisk } from './small-disk.ts'
import { temporaryFolder } from './temporary-folder.ts'

const asRoot = process.getuid?.() === 0

async function ask(url: string, statement = 'select current_user as answer'): Promise<unknown> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ answer: unknown }>(statement)).rows[0]?.answer
  } finally {
    await client.end()
  }
}

// Making a cluster takes a second, so all tests use the cluster that the first test makes, one after the other.
const shared = mkdtempSync(path.join(tmpdir(), 'hostdesk-embedded-'))
chmodSync(shared, 0o755)
afterAll(() => rmSync(shared, { recursive: true, force: true, maxRetries: 10 }))
const cluster = path.join(shared, 'postgresql/pg18')

it('is made once by two processes that start at the same time on an empty folder', async () => {
  const [one, other] = await Promise.all([inAnotherProcess(shared), inAnotherProcess(shared)])
  expect(one.pid).toBe(other.pid)
  expect(await ask(one.url)).toBe('hostdesk')
  // PostgreSQL goes on when one of the two processes is killed, and ends when the last one is killed.
  one.child.kill('SIGKILL')
  await once(one.child, 'exit')
  expect(await ask(other.url)).toBe('hostdesk')
  other.child.kill('SIGKILL')
  await expect.poll(() => isPostmaster(one.pid, cluster), { timeout: 10_000 }).toBe(false)
})

it('embedded PostgreSQL runs until the last of its users stops it, and no longer', async () => {
  const first = await startEmbedded({ dataDir: shared, fast: true })
  const second = await startEmbedded({ dataDir: shared, fast: true })
  expect(second.pid()).toBe(first.pid())
  await first.stop()
  expect(await ask(second.url)).toBe('hostdesk')
  await second.stop()
  expect(isPostmaster(second.pid(), cluster)).toBe(false)
})

it('comes back at the same address when PostgreSQL itself is killed, with all that was confirmed', async () => {
  const embedded = await startEmbedded({ dataDir: shared })
  await ask(embedded.url, 'create table kept as select 42 as answer')
  const before = embedded.pid()
  process.kill(before, 'SIGKILL')
  const read = () => ask(embedded.url, 'select answer from kept').catch(() => 'gone')
  await expect.poll(read, { timeout: 20_000 }).toBe(42)
  await expect.poll(() => embedded.pid(), { timeout: 5000 }).not.toBe(before)
  await embedded.stop()
  expect(isPostmaster(embedded.pid(), cluster)).toBe(false)
})

it('starts where a stranger has the number that PostgreSQL had before', async () => {
  const pidFile = path.join(cluster, 'postmaster.pid')
  writeFileSync(pidFile, `${process.pid}\n${cluster}\n1\n5432\n/nowhere\n\n\nready\n`)
  const { runner } = prepareDirectories(shared)
  if (runner) chownSync(pidFile, runner.uid, runner.gid)
  const again = await startEmbedded({ dataDir: shared, fast: true })
  const superuser = 'select rolsuper as answer from pg_roles where rolname = current_user'
  expect(await ask(again.url, superuser)).toBe(false)
  await again.stop()
})

it('rule 50: says what it waits for while another process holds the folder, or PostgreSQL recovers', async () => {
  for (const [state, expected] of [
    ['starting', /PostgreSQL \(\d+\) starts; after a kill it recovers first.*; see .*log/],
    ['stopping', /the PostgreSQL of another process \(\d+\) is still shutting down/],
  ] as const) {
    // This process looks like a PostgreSQL of the folder that is still starting, or still stopping.
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', cluster])
    await once(holder, 'spawn')
    const pidFile = path.join(cluster, 'postmaster.pid')
    writeFileSync(pidFile, `${holder.pid}\n${cluster}\n1\n5432\n/nowhere\n\n\n${state}\n`)
    const { runner } = prepareDirectories(shared)
    if (runner) chownSync(pidFile, runner.uid, runner.gid)
    const said: string[] = []
    // A slow machine says more afterwards: our own PostgreSQL starts then.
    const say = (line: string) => {
      said.push(line)
      holder.kill('SIGKILL')
    }
    const started = await startEmbedded({ dataDir: shared, fast: true, waiting: { word_s: 0.2, say } })
    await started.stop()
    expect(said[0]).toMatch(expected)
  }
})

it('lets in the user that it runs as, and root, and nobody else; a cluster that trusted everybody is closed', async () => {
  const hba = path.join(cluster, 'pg_hba.conf')
  const { runner } = prepareDirectories(shared)
  writeFileSync(hba, 'local all all trust\nhost all all all trust\n')
  if (runner) chownSync(hba, runner.uid, runner.gid)
  const closed = await startEmbedded({ dataDir: shared, fast: true })
  expect(await ask(closed.url)).toBe('hostdesk')
  expect(
    await ask(closed.url, "select setting as answer from pg_settings where name = 'listen_addresses'"),
  ).toBe('')
  const rules = await ask(
    closed.adminUrl,
    "select string_agg(type || ' ' || auth_method, ', ' order by rule_number) as answer from pg_hba_file_rules",
  )
  expect(rules).toBe('local peer, host reject')
  if (asRoot) expect(await askAs(1234, closed.url)).toContain('Peer authentication failed')
  await closed.stop()
})

describe('a PostgreSQL that cannot start says so at once, and is not started again and again', () => {
  const failed = async (dataDir: string) => {
    const began = performance.now()
    const said = await startEmbedded({ dataDir, fast: true }).then(
      () => 'started',
      (error: Error) => errorLines(error).join(' '),
    )
    return { said, isSoon: performance.now() - began < 10_000 }
  }

  it('where others may read its folder', async () => {
    chmodSync(cluster, 0o777)
    expect(await failed(shared)).toEqual({
      said: expect.stringContaining('has invalid permissions'),
      isSoon: true,
    })
    chmodSync(cluster, 0o700)
  })

  it.runIf(asRoot)('where its folder belongs to another user', async () => {
    const { uid, gid } = statSync(cluster)
    chownSync(cluster, 0, 0)
    expect(await failed(shared)).toEqual({
      said: expect.stringMatching(/denied|wrong ownership/i),
      isSoon: true,
    })
    chownSync(cluster, uid, gid)
  })

  it.runIf(asRoot)('where the disk is full, and starts when there is room', async () => {
    const disk = smallDisk('90m')
    execFileSync('cp', ['--archive', `${shared}/.`, disk])
    const full = fillDisk(disk)
    expect(await failed(disk)).toEqual({
      said: expect.stringMatching(/DATA_DIR: the disk of .* is full/),
      isSoon: true,
    })
    rmSync(full)
    const again = await startEmbedded({ dataDir: disk, fast: true })
    expect(await ask(again.url)).toBe('hostdesk')
    await again.stop()
  })
})

it.runIf(asRoot)('says which folder PostgreSQL cannot enter, and what to set', () => {
  const closed = temporaryFolder(0o700)
  expect(() => prepareDirectories(path.join(closed, 'data'))).toThrow(`cannot enter ${closed}. Set DATA_DIR`)
  expect(closedFor(path.join(closed, 'not', 'there'), 65_534)).toBe(closed)
  expect(closedFor(path.join(closed, 'not', 'there'), 0)).toBeUndefined()
})

it.runIf(asRoot)('refuses a folder that another user put there first', () => {
  const dataDir = temporaryFolder()
  mkdirSync(path.join(dataDir, 'postgresql/run'), { recursive: true })
  chownSync(path.join(dataDir, 'postgresql'), 65_534, 65_534)
  chownSync(path.join(dataDir, 'postgresql/run'), 1234, 1234)
  expect(() => prepareDirectories(dataDir)).toThrow('belongs to another user')
})

// A process once found a folder between its creation and its change of owner, and did not start.
it.runIf(asRoot)(
  'each folder belongs to its user before another process can see it, while 3 processes make 1000 folders at once',
  async () => {
    const folder = temporaryFolder()
    const module = path.resolve('foundation/server/database/embedded/directories.ts')
    const program = `
    import { ownFolder } from ${JSON.stringify(module)}
    for (let place = 0; place < 1000; place += 1) ownFolder(${JSON.stringify(folder)} + '/' + place, { uid: 65534, gid: 65534 })`
    const makers = [1, 2, 3].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    )
    const ends = await Promise.all(
      makers.map(async (maker) => (await once(maker, 'exit'))[0] as number | null),
    )
    expect(ends).toEqual([0, 0, 0])
    expect(readdirSync(folder)).toHaveLength(1000)
  },
)

it('keeps the socket path short enough for a deep folder', () => {
  const dataDir = path.join(temporaryFolder(), ...Array.from({ length: 6 }, () => 'a-rather-long-name'))
  const { sockets } = prepareDirectories(dataDir)
  expect(Buffer.byteLength(`${sockets}/.s.PGSQL.5432`)).toBeLessThan(107)
  rmSync(sockets, { recursive: true })
})

/** Connects as another user, with the folder of the socket opened to everybody, as by mistake. Returns 'in' or the error message. */
async function askAs(uid: number, url: string): Promise<string> {
  const sockets = decodeURIComponent(url.split('host=')[1] ?? '')
  const program = `
    import pg from 'pg'
    const client = new pg.Client({ connectionString: ${JSON.stringify(url)} })
    await client.connect().then(() => console.log('in'), (error) => console.log(error.message))
    process.exit()`
  chmodSync(path.dirname(sockets), 0o755)
  chmodSync(sockets, 0o755)
  chmodSync(path.join(sockets, '.s.PGSQL.5432'), 0o777)
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    uid,
    gid: uid,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  chmodSync(sockets, 0o700)
  chmodSync(path.dirname(sockets), 0o700)
  return line.toString()
}

type Other = { child: ReturnType<typeof spawn>; url: string; pid: number }

async function inAnotherProcess(dataDir: string): Promise<Other> {
  const code = `
    const { startEmbedded } = await import('#foundation/server/database/embedded.ts')
    const embedded = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, fast: true })
    console.log(JSON.stringify({ url: embedded.url, pid: embedded.pid() }))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, ...(JSON.parse(line.toString()) as { url: string; pid: number }) }
}
