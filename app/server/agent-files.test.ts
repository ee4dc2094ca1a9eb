import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { buildServer } from '#app/server/server.ts'
import { nodes } from '#tests/harness/nodes.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { serveAgentFiles } from './agent-files.ts'

const { api, app, url } = await startTestApp()
const root = mkdtempSync(path.join(tmpdir(), 'hostdesk-installed-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const token = `hda_${'x'.repeat(43)}`

describe('the agent is served', () => {
  it('as the text in the checkout', async () => {
    const { status, body, headers } = await api.get<string>('/agent/licence.mjs')
    expect([status, body]).toEqual([200, readFileSync('agent/licence.mjs', 'utf8')])
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it("with the operator's address, whatever a request claims to have asked", async () => {
    const claimed = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    }
    const { body } = await api.get<string>('/agent/install.sh?origin=evil.example', { headers: claimed })
    expect(body).toContain("origin='http://localhost:3000'")
    expect(body).not.toContain('evil.example')
    expect(body).not.toMatch(/@PUBLIC_ORIGIN@|account\.example\.com/)
  })

  it.each([
    'python/hostdesk_licence.py',
    'go/licence.go',
    'php/HostdeskLicence.php',
    'java/HostdeskLicence.java',
    'csharp/HostdeskLicence.cs',
    'rust/hostdesk_licence.rs',
  ])('with the library %s', async (name) => {
    const { status, body, headers } = await api.get<string>(`/agent/libraries/${name}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(body).toBe(readFileSync(`agent/libraries/${name}`, 'utf8'))
  })

  it.each([
    'licence.test.ts',
    '..%2fpackage.json',
    '.',
    'constructor',
    'none.mjs',
    'vectors.json',
    'libraries/go/none.go',
    'libraries/go/..%2flicence.mjs',
    '',
  ])('and nothing else: %s', async (name) => {
    expect((await api.get(`/agent/${name}`)).status).toBe(404)
  })

  it('not at all where the address could break out of a script', async () => {
    const server = fastify() as unknown as FastifyInstance
    serveAgentFiles(server, "https://a'$(id)'b.example")
    expect((await server.inject('/agent/install.sh')).statusCode).toBe(404)
    await server.close()
  })
})

describe('install.sh', () => {
  const origin = (text: string) => text.replaceAll('http://localhost:3000', url)

  async function install(given: string[], { cut, input = '' }: { cut?: number; input?: string } = {}) {
    const { body } = await api.get<string>('/agent/install.sh')
    const script = path.join(root, 'install.sh')
    writeFileSync(script, origin(body).slice(0, cut))
    const environment = { ...process.env, DESTDIR: path.join(root, 'machine') }
    return new Promise<{ code: number; stderr: string }>((resolve) => {
      const child = execFile('sh', [script, ...given], { env: environment }, (_error, _out, stderr) =>
        resolve({ code: child.exitCode ?? -1, stderr }),
      )
      // A script that was cut off ends without reading its input (EPIPE).
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(input)
    })
  }

  const installed = (file: string) => path.join(root, 'machine', file)

  it('does nothing where the download was cut off', async () => {
    const whole = (await api.get<string>('/agent/install.sh')).body
    for (const cut of [whole.length / 3, whole.length / 2, whole.indexOf('\nmain "$@"')].map(Math.floor))
      await install([], { cut, input: token })
    expect(existsSync(installed(''))).toBe(false)
  })

  it.each(['', 'hdb_wrong', "hda_'; touch /tmp/x; '", 'hda_"}'])(
    'refuses what is no token: %j',
    async (input) => {
      expect((await install([], { input })).stderr).toMatch(/^hostdesk-agent: .*token/)
      expect(existsSync(installed('etc'))).toBe(false)
    },
  )

  // Every user of a machine can read the command lines of all processes.
  it('refuses a token on the command line', async () => {
    expect((await install([token])).stderr).toMatch(/does not belong on the command line/)
    expect(existsSync(installed('etc'))).toBe(false)
  })

  // Seen red: without its download the line ran an empty script, which succeeds.
  it('fails by its line where the download fails', async () => {
    const [, line = ''] = /^(.*install\.sh.*)$/mu.exec(readFileSync('agent/README.md', 'utf8')) ?? []
    const lost = line.replace('https://account.example.com', `${url}/none`).replace('sudo ', '')
    await expect(promisify(execFile)('sh', ['-c', lost])).rejects.toThrow(/404/u)
    expect(existsSync(installed(''))).toBe(false)
  })

  it('puts everything where it belongs, the token readable by root alone', async () => {
    expect(await install([], { input: token })).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(readFileSync(installed('etc/hostdesk-agent.json'), 'utf8'))).toEqual({ url, token })
    expect(statSync(installed('etc/hostdesk-agent.json')).mode & 0o777).toBe(0o600)
    const unit = readFileSync(installed('etc/systemd/system/hostdesk-agent.service'), 'utf8')
    const [, node] =
      /^ExecStart=(\S+) \/usr\/local\/lib\/hostdesk-agent\/hostdesk-agent\.mjs$/m.exec(unit) ?? []
    expect(existsSync(node ?? '')).toBe(true)
    const programs = readdirSync('agent').filter((name) => name.endsWith('.mjs'))
    expect(readdirSync(installed('usr/local/lib/hostdesk-agent'))).toEqual(expect.arrayContaining(programs))
    for (const { command } of nodes)
      for (const program of ['hostdesk-agent.mjs', 'verify.mjs']) {
        const file = installed(`usr/local/lib/hostdesk-agent/${program}`)
        execFileSync(command, [file, '--help'], { stdio: 'ignore' })
      }
  })

  it('keeps the token when it brings the agent up to date, and takes all away when asked', async () => {
    expect((await install(['--update'])).code).toBe(0)
    expect(readFileSync(installed('etc/hostdesk-agent.json'), 'utf8')).toContain(token)
    expect((await install(['--remove'])).code).toBe(0)
    expect(existsSync(installed('etc/hostdesk-agent.json'))).toBe(false)
    expect(existsSync(installed('usr/local/lib/hostdesk-agent'))).toBe(false)
  })
})

it('is served by every server that is built, also where the pages are not', async () => {
  const server = await buildServer(app)
  expect((await server.inject('/agent/README.md')).statusCode).toBe(200)
  await server.close()
})
