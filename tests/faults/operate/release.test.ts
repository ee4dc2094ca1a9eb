import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtRelease } from './release-archives.ts'

// The tests build the release of the committed files, and then use only its archives.
describe('the release', () => {
  const place = mkdtempSync(path.join(tmpdir(), 'hostdesk-release-'))
  chmodSync(place, 0o755)
  const programs = path.join(place, 'programs')
  const data = (name: string) => path.join(place, name)
  let hostdesk = ''

  beforeAll(() => {
    for (const archive of builtRelease().archives) execFileSync('tar', ['-xzf', archive, '-C', place])
    const [folder = ''] = readdirSync(place).filter((name) => name.startsWith('hostdesk-'))
    hostdesk = path.join(place, folder, 'bin/hostdesk')
    // This folder stands for the PATH of a machine without npm and Node: it has only the programs that the launcher calls.
    mkdirSync(programs)
    for (const name of ['sh', 'dirname', 'readlink', 'env', 'mkfifo', 'id'])
      symlinkSync(
        execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
        path.join(programs, name),
      )
  }, 600_000)
  afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))

  it('runs 10 s after its first start, without npm and without a network', async () => {
    const env = { PATH: process.env['PATH'], DATA_DIR: data('first') }
    const command = [...alone, 'env', `PATH=${programs}`, hostdesk, 'start']
    const started = performance.now()
    const child = spawn(apart, command, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (text: Buffer) => (output += text.toString()))
    await expect.poll(() => output, { timeout: 30_000 }).toContain('is ready at')
    const took_s = (performance.now() - started) / 1000
    process.stdout.write(`release: ready ${took_s.toFixed(1)} s after its first start\n`)
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(took_s).toBeLessThan(10)
  }, 60_000)

  it('an account is made, lived in and deleted in a browser, in three languages', () => {
    const command = ['node_modules/playwright/cli.js', 'test', 'tests/stories/life.e2e.ts', '--reporter=line']
    const { status } = spawnSync(apart, [...alone, process.execPath, ...command], {
      env: { ...process.env, STORY_COMMAND: `env PATH=${programs} ${hostdesk} start` },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    expect(status).toBe(0)
  }, 600_000)

  it('prints its version and refuses an unknown command with 2, with only the programs of its launcher in PATH', () => {
    const run = (...parameters: string[]) =>
      spawnSync(hostdesk, parameters, { env: { PATH: programs }, encoding: 'utf8' })
    expect(run('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(run('constructor')).toMatchObject({ status: 2, stdout: '' })
  })
})

const apart = 'unshare'

/** The parameters with which `unshare` runs a command in a network of its own, in which only the loopback interface is up. */
const alone = [
  process.getuid?.() === 0 ? '-n' : '-rn',
  'sh',
  '-c',
  'PATH=$PATH:/usr/sbin:/sbin ip link set lo up && exec "$0" "$@"',
]
