import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { production } from '#bench/production.ts'
import { must } from '#foundation/must.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { canMakeRoots, machineAt, makeDebianRoot } from './debian-root.ts'
import { builtRelease } from './release-archives.ts'

describe.skipIf(!canMakeRoots)('install.sh on a Debian that has neither Node nor npm', () => {
  const place = mkdtempSync(path.join(tmpdir(), 'hostdesk-debian-root-'))
  chmodSync(place, 0o755)
  const machine = machineAt(path.join(place, 'root'))
  const at = (file: string) => path.join(machine.folder, file)
  let unpacked = ''
  let version = ''

  beforeAll(() => {
    makeDebianRoot(machine.folder, 'minbase', ['passwd'])
    const release = builtRelease()
    version = release.version
    for (const archive of release.archives) execFileSync('tar', ['-xzf', archive, '-C', at('root')])
    unpacked = `/root/hostdesk-${version}`
  }, 900_000)
  afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))

  it('makes the user, the release, the units, the command and settings for root and that user alone', () => {
    expect(machine.run('sh', '-c', 'command -v node npm').status).not.toBe(0)
    const { status, said } = machine.run(`${unpacked}/deploy/install.sh`)
    expect([status, said]).toEqual([0, expect.stringContaining(`/opt/hostdesk/current is ${version}`)])
    expect(machine.run('id', '-un', 'hostdesk').said).toBe('hostdesk\n')
    expect(machine.run('getent', 'passwd', 'hostdesk').said).toContain('/usr/sbin/nologin')
    expect(readlinkSync(at('opt/hostdesk/current'))).toBe(version)
    for (const unit of [
      'hostdesk@.service',
      'hostdesk-web@.service',
      'hostdesk-worker@.service',
      'hostdesk.target',
    ])
      expect(statSync(at(`etc/systemd/system/${unit}`)).mode & 0o777).toBe(0o644)
    expect(machine.run('stat', '-c', '%a %U:%G', '/etc/hostdesk/settings.env').said).toBe(
      '640 root:hostdesk\n',
    )
    expect(
      machine.run(
        'find',
        '/opt/hostdesk',
        '(',
        '-perm',
        '/022',
        '-o',
        '!',
        '-user',
        'root',
        ')',
        '!',
        '-type',
        'l',
      ).said,
    ).toBe('')
    expect(machine.run('hostdesk', '--version').said).toBe(`${version}\n`)
  })

  it('takes the next release beside it, keeps the settings, and goes back', () => {
    writeFileSync(at('etc/hostdesk/settings.env'), 'CURRENCY=EUR\n')
    const next = `${unpacked}-next`
    execFileSync('cp', ['-al', at(unpacked), at(next)])
    const file = at(`${next}/release.json`)
    const said = readFileSync(file, 'utf8')
    rmSync(file)
    writeFileSync(file, said.replace(`"${version}"`, '"9.9.9"'))
    expect(machine.run(`${next}/deploy/install.sh`).status).toBe(0)
    expect(readlinkSync(at('opt/hostdesk/current'))).toBe('9.9.9')
    expect(readFileSync(at('etc/hostdesk/settings.env'), 'utf8')).toBe('CURRENCY=EUR\n')
    const script = '/opt/hostdesk/current/deploy/install.sh'
    expect(machine.run(script, '--use', '1.2.3')).toEqual({
      status: 1,
      said: 'hostdesk: there is no release 1.2.3 in /opt/hostdesk.\n',
    })
    expect(readlinkSync(at('opt/hostdesk/current'))).toBe('9.9.9')
    expect(machine.run(script, '--use', version).status).toBe(0)
    expect(readlinkSync(at('opt/hostdesk/current'))).toBe(version)
  })

  it('what it installed runs as the user hostdesk, with the PostgreSQL of the second archive, and the command line beside it', async () => {
    const { RUN_AS_ROOT: _, ...settings } = production
    const lines = Object.entries({
      ...settings,
      PUBLIC_ORIGIN: 'https://account.example.com',
      TRUSTED_PROXIES: '1',
    })
    writeFileSync(
      at('etc/hostdesk/settings.env'),
      lines.map(([name, value]) => `${name}='${value}'\n`).join(''),
    )
    const port = await freePort()
    const product = machine.start({ PORT: String(port) }, 'hostdesk', 'start')
    let output = ''
    product.stdout?.on('data', (text: Buffer) => (output += String(text)))
    product.stderr?.on('data', (text: Buffer) => (output += String(text)))
    const gone = once(product, 'exit')
    try {
      const begun = performance.now()
      const ready = () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ status }) => status,
          () => output,
        )
      await expect.poll(ready, { timeout: 60_000 }).toBe(200)
      process.stdout.write(
        `  ready ${((performance.now() - begun) / 1000).toFixed(1)} s after its first start\n`,
      )
      const { pid } = JSON.parse(must(/\{[^\n]*"msg":"ready"[^\n]*/.exec(output))[0]) as { pid: number }
      const id = machine.run('id', '-u', 'hostdesk').said.trim()
      expect(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]).toBe(id)
      const invited = machine.run(
        'hostdesk',
        'create-staff',
        'you@example.com',
        '--role',
        'owner',
        '--print-link',
      )
      expect(invited).toEqual({
        status: 0,
        said: expect.stringContaining('https://account.example.com/account/auth?invite=') as string,
      })
      expect(machine.run('hostdesk', 'ledger', 'check').said).toContain('In balance')
    } finally {
      if (product.pid !== undefined) process.kill(-product.pid, 'SIGTERM')
    }
    await gone
    expect(output).not.toContain('"level":50')
  })
})
