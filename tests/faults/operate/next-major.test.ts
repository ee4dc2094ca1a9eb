import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { buildApp } from '#app/server/build-app.ts'
import { seedDemo } from '#app/seed/seed-demo.ts'
import { loadConfig } from '#app/server/config.ts'
import { startEmbedded } from '#foundation/server/database/embedded.ts'
import { migrate } from '#foundation/server/database/migrate.ts'
import { createLog } from '#foundation/server/log.ts'
import { debianBinaries } from './debian-postgres.ts'

const NOBODY = 65_534
const dataDir = mkdtempSync(path.join(tmpdir(), 'hostdesk-major-'))
chmodSync(dataDir, 0o755)
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const programs = path.dirname(debianBinaries() ?? '/')
const version = path.basename(programs)
const SECRET_KEY = 'the-key-of-an-installation-that-is-upgraded-0123456789abcdef'

const hostdesk = (...command: string[]) =>
  promisify(execFile)(process.execPath, ['app/cli/main.ts', ...command], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PUBLIC_ORIGIN: 'http://localhost:3000', SECRET_KEY },
  }).catch((error: { stdout: string; stderr: string }) => error)

it.runIf(existsSync(path.join(programs, 'bin/postgres')))(
  `moves a database of PostgreSQL ${version} to the one that comes along, by one command`,
  async () => {
    const base = path.join(dataDir, 'postgresql')
    mkdirSync(base, { mode: 0o700 })
    chownSync(base, NOBODY, NOBODY)
    const cluster = path.join(base, `pg${version}`)
    const initdb = [
      '-D',
      cluster,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ]
    execFileSync(path.join(programs, 'bin/initdb'), initdb, { uid: NOBODY, gid: NOBODY, cwd: '/' })
    const old = await startEmbedded({ dataDir, former: { cluster, binaries: programs } })
    await migrate(old.url)
    const config = loadConfig({
      PUBLIC_ORIGIN: 'http://localhost:3000',
      DATA_DIR: dataDir,
      DATABASE_URL: old.url,
      SECRET_KEY,
    })
    const app = await buildApp(config, { ownerUrl: old.url, log: createLog({ level: 'silent' }) })
    await seedDemo(app)
    await app.close()
    await old.stop()

    expect((await hostdesk('ledger', 'check')).stderr).toContain(
      `hostdesk: DATA_DIR holds a database of PostgreSQL ${version}, and this release brings 18. Run: hostdesk database upgrade`,
    )
    expect((await hostdesk('database', 'upgrade', '/nowhere')).stderr).toContain(
      'There is no bin/postgres in /nowhere',
    )
    const { stdout, stderr } = await hostdesk('database', 'upgrade', programs)
    process.stdout.write(stdout + stderr)
    expect(stdout).toMatch(/Moved \d+ rows of \d+ tables from PostgreSQL \d+, the sums of each table equal/)
    expect((await hostdesk('ledger', 'check')).stdout).toMatch(/^In balance: \d\d+ transactions/)
    expect(existsSync(`${cluster}.before-upgrade/PG_VERSION`)).toBe(true)
  },
)
