import { execFileSync, type ExecFileSyncOptions } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
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

it.runIf(existsSync('/usr/bin/age-keygen'))(
  'each command for backups does what its page says, line by line',
  async () => {
    const dataDir = path.join(place, 'data')
    const product = await startProduct({ dataDir, settings: { LOG_LEVEL: 'warn' } })
    const programs = path.join(place, 'programs')
    mkdirSync(programs)
    writeFileSync(
      path.join(programs, 'hostdesk'),
      `#!/bin/sh\ncd ${process.cwd()} && exec ${process.execPath} app/cli/main.ts "$@"\n`,
      { mode: 0o755 },
    )
    const backup = path.join(place, 'hostdesk.backup')
    let key = ''
    const run = (line: string, env: Record<string, string> = {}) => {
      const options: ExecFileSyncOptions = {
        cwd: place,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: `${programs}:${process.env['PATH']}`,
          PUBLIC_ORIGIN: 'http://localhost:3000',
          DATA_DIR: dataDir,
          ...env,
        },
      }
      const here = line
        .replaceAll('/var/backups', place)
        .replaceAll('backup-key.txt', path.join(place, 'backup-key.txt'))
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
    run(keygen)
    key = must(/age1\w+/.exec(readFileSync(path.join(place, 'backup-key.txt'), 'utf8'))?.[0])
    run(encrypted)
    expect(readFileSync(backup).toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/)
    const kept = path.join(place, 'kept.backup')
    copyFileSync(backup, kept)
    const words = { BACKUP_PASSPHRASE: 'some words that nobody knows' }
    run(withKeys, words)
    expect(run(verify, words)).toContain('Whole and undamaged')
    expect(run(drill, words)).toContain('the sums of each table equal')
    expect(await product.end()).toBe(0)

    // The restore needs an empty DATA_DIR and the SECRET_KEY of the time of the backup.
    const again = {
      DATA_DIR: path.join(place, 'again'),
      SECRET_KEY: readFileSync(path.join(dataDir, 'secret-key'), 'utf8').trim(),
    }
    run(must(inline).replace(/\S+$/, kept), again)
    expect(run('hostdesk ledger check', again)).toContain('In balance')
  },
  300_000,
)
