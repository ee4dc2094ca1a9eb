import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseError } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLog } from './log.ts'
import { Secret } from './secret.ts'

const lines: string[] = []
const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })

it('rule 35: prints no secret, however deep and under whatever spelling', () => {
  const planted = 'planted-9f8e7d'
  const inner = {
    newPassword: planted,
    api_key: planted,
    refresh_token: planted,
    list: [{ totp_secret: planted }],
  }
  log.info({ password: planted, code: planted, deep: { inner, cookies: { session: planted } } }, 'nested')
  log.info({
    hidden: new Secret(planted),
    headers: { authorization: `Bearer ${planted}`, 'x-session-token': planted },
  })
  log.warn({ err: Object.assign(new Error('refused', { cause: new Error('inner') }), { password: planted }) })
  expect(lines).toHaveLength(3)
  expect(lines.join('')).not.toContain(planted)
  expect(lines.join('')).toContain('[redacted]')
})

it('logs what failed in a database error, but not whose row', () => {
  const error = new DatabaseError('duplicate key value violates unique constraint', 1, 'error')
  Object.assign(error, {
    code: '23505',
    constraint: 'users_email',
    detail: 'Key (email)=(anna@example.com) already exists.',
  })
  log.error({ err: error }, 'failed')
  const line = lines.at(-1) ?? ''
  expect(line).not.toContain('anna@example.com')
  expect(JSON.parse(line)).toMatchObject({
    level: 'error',
    msg: 'failed',
    err: { code: '23505', constraint: 'users_email' },
  })
})

describe('a log that cannot be written is dropped and counted, and ends or holds up nothing', () => {
  // The lines are written by a process of their own, because only an exit shows that nothing waits for them.
  const program = `
    const { createLog } = await import(${JSON.stringify(path.resolve('foundation/server/log.ts'))})
    const { droppedLogLines } = await import(${JSON.stringify(path.resolve('foundation/server/log-output.ts'))})
    const log = createLog({ level: 'info' })
    for (let line = 0; line < 3000; line += 1) log.info({ line, text: 'x'.repeat(100) }, 'said')
    setTimeout(() => {
      log.fatal('the last')
      process.on('exit', () => process.stderr.write(String(droppedLogLines())))
    }, 400)`

  async function writeTo(stdout: number): Promise<{ code: number | null; dropped: number }> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', stdout, 'pipe'],
    })
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const patience = setTimeout(() => child.kill('SIGKILL'), 30_000)
    await once(child, 'close')
    clearTimeout(patience)
    return { code: child.exitCode, dropped: Number(said) }
  }

  it('on a full disk', async () => {
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    expect(await writeTo(full)).toEqual({ code: 0, dropped: 3001 })
  })

  it('into a pipe that nobody reads', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-log-'))
    const pipe = path.join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const ends = openSync(pipe, 'r+')
    onTestFinished(() => {
      closeSync(ends)
      rmSync(folder, { recursive: true })
    })
    const { code, dropped } = await writeTo(ends)
    expect(code).toBe(0)
    expect(dropped).toBeGreaterThan(1000)
  })

  it('keeps every line where there is room', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-log-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = openSync(path.join(folder, 'log'), 'a')
    expect(await writeTo(file)).toEqual({ code: 0, dropped: 0 })
    closeSync(file)
    const lines = readFileSync(path.join(folder, 'log'), 'utf8').trim().split('\n')
    expect(lines).toHaveLength(3001)
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'the last', level: 'fatal' })
  })
})
