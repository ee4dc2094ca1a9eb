import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anna } from '#app/seed/people.ts'
import { MOST_BYTES } from '#features/support/files/rules.ts'
import { must } from '#foundation/must.ts'
import { Client } from '#tests/harness/client.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { upload } from '#tests/harness/upload.ts'
import { launchProduct, type Product } from '#tests/start/launched.ts'

// The tests run the examples of deploy/proxy before two processes of the product. The variables NGINX and CADDY name programs that are
// not in the PATH. An example whose program is missing is not tried.
const programs = { nginx: process.env['NGINX'] ?? 'nginx', caddy: process.env['CADDY'] ?? 'caddy' }
const login = '/api/allauth/app/v1/auth/login'
const { email, password } = anna

describe('the examples of proxies', () => {
  const place = mkdtempSync(path.join(tmpdir(), 'hostdesk-proxy-'))
  chmodSync(place, 0o755)
  const products: Product[] = []
  const ports: number[] = []
  let [front, plain] = [0, 0]

  const start = (port: number) =>
    launchProduct({
      port,
      dataDir: path.join(place, 'data'),
      settings: {
        PUBLIC_ORIGIN: `https://localhost:${front}`,
        TRUSTED_PROXIES: '1',
        RATE_LIMIT_SCALE: '1000',
        LOG_LEVEL: 'warn',
        ROLE: port === ports[0] ? 'all' : 'web',
      },
    })

  beforeAll(async () => {
    // This test makes the certificates, and no known authority has signed them.
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    front = await freePort()
    plain = await freePort()
    for (const _ of [0, 1]) {
      const port = await freePort()
      ports.push(port)
      products.push(await start(port))
    }
  }, 300_000)
  afterAll(async () => {
    for (const product of products) await product.end()
    rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }, 60_000)

  for (const name of ['nginx', 'caddy'] as const)
    describe.runIf(isThere(name))(name, () => {
      let url = ''
      let end = async () => {}

      beforeAll(async () => {
        url = `https://localhost:${front}`
        end = await startProxy(name, { place, ports, front, plain })
        await untilAnswered(`${url}/readyz`)
      }, 60_000)
      afterAll(() => end())

      it('passes pages on over TLS, and keeps the figures inside', async () => {
        const page = await fetch(`${url}/account/`)
        expect(page.status).toBe(200)
        expect(page.headers.get('strict-transport-security')).toContain('max-age=31536000')
        expect((await fetch(`${url}/metrics`)).status).toBe(404)
      })

      it.runIf(name === 'nginx')('shows the proof of an authority, and leads all else to TLS', async () => {
        const proofs = path.join(place, name, 'acme/.well-known/acme-challenge')
        mkdirSync(proofs, { recursive: true })
        writeFileSync(path.join(proofs, 'word'), 'word.thumbprint')
        const ask = (at: string) => fetch(`http://localhost:${plain}${at}`, { redirect: 'manual' })
        expect(await (await ask('/.well-known/acme-challenge/word')).text()).toBe('word.thumbprint')
        const page = await ask('/account/?view=login')
        expect([page.status, page.headers.get('location')]).toEqual([
          301,
          'https://localhost/account/?view=login',
        ])
      })

      it('tells who connected, and not whom a visitor claims to be', async () => {
        const token = await signInFrom('127.0.0.9', front, { 'x-forwarded-for': '203.0.113.9' })
        const sessions = await new Client(url).get<{ data: { ip: string; is_current: boolean }[] }>(
          '/api/allauth/app/v1/auth/sessions',
          { session_token: token },
        )
        expect(sessions.body.data.find(({ is_current }) => is_current)?.ip).toBe('127.0.0.9')
      })

      it('takes a file of 20 MB', async () => {
        const browser = new Client(url)
        await browser.post(login, { email, password })
        expect((await upload(browser, new Uint8Array(MOST_BYTES))).status).toBe(201)
      })

      it('passes the live stream on at once', async () => {
        const browser = new Client(url)
        await browser.post(login, { email, password })
        const headers = { authorization: `Bearer ${must(browser.access_token)}` }
        const stream = await fetch(`${url}/api/events/`, { headers })
        const reader = must(stream.body).pipeThrough(new TextDecoderStream()).getReader()
        let text = ''
        const reading = (async () => {
          for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
        })()
        await expect.poll(() => text, { timeout: 2000 }).toContain('event: ready')
        const ticket = {
          subject: 'Proxy',
          message: 'Is this live?',
          topic: 'miscellaneous',
          attachment_ids: [],
        }
        expect((await browser.post('/api/tickets/', ticket)).status).toBe(201)
        await expect.poll(() => text, { timeout: 2000 }).toMatch(/^event: (ticket|message)\./m)
        await reader.cancel()
        await reading
      })

      it('fails no request while the processes restart one after the other', async () => {
        const seen = { running: true, failed: [] as unknown[], answered: 0 }
        const visitors = Promise.all([0, 1, 2, 3].map(() => askForEver(`${url}/api/countries/list/`, seen)))
        for (const index of [0, 1]) {
          await must(products[index]).end('SIGTERM')
          products[index] = await start(must(ports[index]))
          await sleep(2500)
        }
        seen.running = false
        await visitors
        process.stdout.write(`${name}: ${seen.answered} answered, ${seen.failed.length} failed\n`)
        expect(seen.failed).toEqual([])
        expect(seen.answered).toBeGreaterThan(100)
      }, 120_000)
    })
})

const isThere = (name: keyof typeof programs): boolean =>
  spawnSync(programs[name], [name === 'nginx' ? '-v' : 'version']).status === 0

async function untilAnswered(url: string): Promise<void> {
  const deadline = Date.now() + 20_000
  while ((await fetch(url).then(({ ok }) => ok, String)) !== true) {
    if (Date.now() > deadline) throw new Error(`${url} does not answer.`)
    await sleep(100)
  }
}

/** `front` is the port that speaks TLS, `plain` the one that leads there. */
type Place = { place: string; ports: readonly number[]; front: number; plain: number }

/** Starts a proxy with its example, in which names, ports and folders are replaced. Returns a function that ends it. */
async function startProxy(
  name: keyof typeof programs,
  { place, ports, front, plain }: Place,
): Promise<() => Promise<void>> {
  const folder = path.join(place, name)
  mkdirSync(folder)
  const example = readFileSync(`deploy/proxy/${name === 'nginx' ? 'nginx.conf' : 'Caddyfile'}`, 'utf8')
    .replaceAll('account.example.com', 'localhost')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports[0]}`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${ports[1]}`)
  const file = path.join(folder, 'configuration')
  writeFileSync(
    file,
    name === 'nginx' ? forNginx(example, folder, { front, plain }) : forCaddy(example, folder, front),
  )
  const command =
    name === 'nginx' ? ['-c', file, '-g', 'daemon off;'] : ['run', '--config', file, '--adapter', 'caddyfile']
  const child = spawn(programs[name], command, {
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const gone = once(child, 'exit')
  void gone.then(([code]) => code && process.stderr.write(said))
  return async () => {
    child.kill('SIGTERM')
    await gone
  }
}

function forNginx(example: string, folder: string, { front, plain }: Pick<Place, 'front' | 'plain'>): string {
  const [certificate, key] = [path.join(folder, 'fullchain.pem'), path.join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const make = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject]
  execFileSync('openssl', [...make, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const site = example
    .replaceAll('/etc/ssl/hostdesk/', `${folder}/`)
    .replaceAll('/var/www/acme', `${folder}/acme`)
    .replaceAll('listen 80', `listen 127.0.0.1:${plain}`)
    .replaceAll('listen [::]:80', `listen [::1]:${plain}`)
    .replaceAll('listen 443', `listen 127.0.0.1:${front}`)
    .replaceAll('listen [::]:443', `listen [::1]:${front}`)
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const folders = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`)
  // Without `user root` the workers of nginx would give up root's rights, and could not write to these folders.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `${user} pid ${folder}/pid; error_log ${folder}/errors; events {}
    http { access_log off; ${folders.join(' ')}\n${site} }`
}

function forCaddy(example: string, folder: string, front: number): string {
  const site = example.replace(/^localhost \{/m, `localhost:${front} {\n\ttls internal`)
  return `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system ${folder}/kept\n}\n${site}`
}

/** Signs in over a connection from another address of this machine. Returns the session token. */
async function signInFrom(
  localAddress: string,
  port: number,
  headers: Record<string, string>,
): Promise<string> {
  const asking = request({
    host: '127.0.0.1',
    servername: 'localhost',
    port,
    localAddress,
    path: login,
    method: 'POST',
    rejectUnauthorized: false,
    headers: { host: `localhost:${port}`, 'content-type': 'application/json', ...headers },
  })
  asking.end(JSON.stringify({ email, password }))
  const [response] = (await once(asking, 'response')) as [AsyncIterable<Buffer>]
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  const body = JSON.parse(Buffer.concat(parts).toString()) as { meta: { session_token: string } }
  return body.meta.session_token
}

async function askForEver(
  url: string,
  seen: { running: boolean; failed: unknown[]; answered: number },
): Promise<void> {
  while (seen.running) {
    const status = await fetch(url).then(
      async (response) => {
        await response.text()
        return response.status
      },
      (error: unknown) => String((error as Error).cause ?? error),
    )
    if (status === 200) seen.answered++
    else seen.failed.push(status)
    await sleep(10)
  }
}
