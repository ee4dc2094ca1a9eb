import { execFileSync, type ExecFileSyncOptions } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { startProduct } from '#tests/start/product.ts'

// The test runs the lines of docs/operate/backup.md as they stand there, except for the folder and the public key.
const page = readFileSync('docs/operate/backup.md', 'utf8')
const place = mkdtempSync(path.join(tmpdir(), 'hostdesk-page-'))
chmodSync(place, 0o755)
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))

const isTool = (line: string) => /^(?:hostdesk|age-keygen|BACKUP_RECIPIENTS)\b/.test(line)
const lines = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block.split('\n').filter(isTool),
)
const inline = /`(hostdesk restore --identity [^`]+)`/.exec(page)?.[1]

// The commands run as an ordinary user, as those of the units do.
const asRoot = process.getuid?.() === 0
const ordinary = asRoot ? { uid: 65_534, gid: 65_534 } : {}

/** Makes the folder for backups by the line of install.sh that makes it, for the ordinary user, below a folder that only root may write. */
function makeBackupFolder(): string {
  const folder = path.join(place, 'var/backups')
  mkdirSync(folder, { recursive: true })
  const line = must(
    /^ *(install -d .* \/var\/backups\/hostdesk)$/m.exec(readFileSync('deploy/install.sh', 'utf8'))?.[1],
  )
  const owner = asRoot ? '-o 65534 -g 65534' : ''
  execFileSync('sh', ['-c', line.replace('-o hostdesk -g hostdesk', owner).replace('/var/backups', folder)])
  return path.join(folder, 'hostdesk')
}

it('each command for backups does what its page says, line by line, for an ordinary user in the folder that install.sh makes', async () => {
  const backups = makeBackupFolder()
  const home = path.join(place, 'home')
  mkdirSync(home)
  if (asRoot) chownSync(home, 65_534, 65_534)
  const dataDir = path.join(home, 'data')
  const settings = { LOG_LEVEL: 'info', BACKUP_DIR: backups }
  const product = await startProduct({ dataDir, settings, ...(asRoot ? { uid: 65_534 } : {}) })
  const programs = path.join(place, 'programs')
  mkdirSync(programs)
  writeFileSync(
    path.join(programs, 'hostdesk'),
    `#!/bin/sh\ncd ${process.cwd()} && exec ${process.execPath} app/cli/main.ts "$@"\n`,
    { mode: 0o755 },
  )
  const backup = path.join(backups, 'once.backup')
  let key = ''
  const run = (line: string, env: Record<string, string> = {}) => {
    const options: ExecFileSyncOptions = {
      ...ordinary,
      cwd: home,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: `${programs}:${process.env['PATH']}`,
        PUBLIC_ORIGIN: 'http://localhost:3000',
        DATA_DIR: dataDir,
        BACKUP_DIR: backups,
        ...env,
      },
    }
    const here = line
      .replaceAll('/var/backups/hostdesk', backups)
      .replaceAll('backup-key.txt', path.join(home, 'backup-key.txt'))
      .replace('age1…', key)
    return String(execFileSync('sh', ['-c', here], options))
  }
  expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'hostdesk backup',
    'age-keygen -o',
    'BACKUP_RECIPIENTS=age1… hostdesk',
    'hostdesk backup',
    'hostdesk backup',
    'hostdesk restore',
  ])
  const [plain, keygen, encrypted, withKeys, verify, drill] = lines as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  expect(run(plain)).toContain('It is not encrypted')
  const kept = path.join(home, 'kept.backup')
  copyFileSync(backup, kept)
  if (existsSync('/usr/bin/age-keygen')) {
    run(keygen)
    key = must(/age1\w+/.exec(readFileSync(path.join(home, 'backup-key.txt'), 'utf8'))?.[0])
    run(encrypted)
    expect(readFileSync(backup).toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/)
    copyFileSync(backup, kept)
  }
  if (asRoot) chownSync(kept, 65_534, 65_534)
  const words = { BACKUP_PASSPHRASE: 'some words that nobody knows' }
  run(withKeys, words)
  expect(run(verify, words)).toContain('Whole and undamaged')
  expect(run(drill, words)).toContain('the sums of each table equal')
  // The job makes its first one by itself, half a minute after the start.
  const made = () => readdirSync(backups).filter((name) => /^hostdesk-.*\.backup$/.test(name)).length
  await expect.poll(made, { timeout: 60_000 }).toBe(1)
  expect(run('hostdesk doctor || true')).toMatch(/✓ Backups/)
  expect(await product.end()).toBe(0)

  // The restore needs an empty DATA_DIR and the SECRET_KEY of the time of the backup.
  const again = {
    DATA_DIR: path.join(home, 'again'),
    SECRET_KEY: readFileSync(path.join(dataDir, 'secret-key'), 'utf8').trim(),
  }
  run(
    must(inline)
      .replace(/ --identity \S+/, existsSync('/usr/bin/age-keygen') ? '$&' : '')
      .replace(/\S+$/, kept),
    again,
  )
  expect(run('hostdesk ledger check', again)).toContain('In balance')
}, 300_000)
