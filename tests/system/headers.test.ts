import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { must } from '#foundation/must.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { routes } from '#app/server/features.ts'
import * as auth from '#features/auth/contract.ts'
import { servePages } from '#foundation/server/http/pages.ts'
import { addSecurityHeaders } from '#foundation/server/http/security-headers.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { misfitOf } from '#tests/harness/judge.ts'
import { bearer, password, signedIn } from './people.ts'
import { sendRaw } from './raw-request.ts'

const RATE_LIMIT_SCALE = '1000000'
const first = await startTestApp({ settings: { RATE_LIMIT_SCALE } })
const { app, url, mails } = first
const contracts = routes.map((served) => served.contract)
const paths = [...new Set(contracts.map((contract) => contract.path))]

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types push-worker"

describe('rule 27: pages', async () => {
  const pages = await servePagesOf({
    'index.html': '<!doctype html><title>x</title>',
    'assets/page-a1b2c3.js': 'export {}',
    'favicon.svg': '',
  })

  it.each(['/account/', '/account/servers/', '/account/auth?reset=key', '/account/nowhere/at/all'])(
    '%s is the page, with the whole policy, never from a cache',
    async (at) => {
      const reply = await fetch(pages + at)
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(reply.headers.get('content-security-policy')).toBe(policy)
      expect(reply.headers.get('cache-control')).toBe('no-cache')
      expectHardened(reply.headers)
    },
  )

  it('files with a hash in their name are kept for a year, others are asked for anew', async () => {
    const hashed = await fetch(`${pages}/account/assets/page-a1b2c3.js`)
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(hashed.headers.get('content-type')).toMatch(/\/javascript/)
    expectHardened(hashed.headers)
    const plain = await fetch(`${pages}/account/favicon.svg`)
    expect(plain.headers.get('cache-control')).toBe('no-cache')
  })

  it('R-17: a file of a former release is 404, and not the page under a false name', async () => {
    expect((await fetch(`${pages}/account/assets/page-000000.js`)).status).toBe(404)
  })

  it.each([
    '/account/../package.json',
    '/account/%2e%2e/package.json',
    '/account/..%2fpackage.json',
    '/account/assets/..%5c..%5cpackage.json',
  ])('nothing outside the folder is served: %s', async (target) => {
    const reply = await sendRaw(pages, { method: 'GET', target, headers: [['Host', 'localhost']] })
    expect(reply.body).not.toContain('"hostdesk"')
  })
})

describe('every path of the API', () => {
  const each = paths.map((at) => {
    const here = contracts.filter((contract) => contract.path === at)
    const real = at.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
    return { at, real, known: here.map(({ method }) => method), style: here[0]?.style }
  })

  it('contract 2: answers are never cached and set no cookie', async () => {
    for (const { at, real, known } of each) {
      const reply = await fetch(url + real, { method: known[0] ?? 'GET' })
      await reply.body?.cancel()
      // Public keys and the list of void documents may be cached: they are the same for everybody, and many programs fetch them.
      expect(reply.headers.get('cache-control'), at).toContain(
        at.startsWith('/.well-known/') ? 'public' : 'no-store',
      )
      expect(reply.headers.has('set-cookie'), at).toBe(false)
      expectHardened(reply.headers, at)
    }
  })

  it('any other method is refused with 405, and the Allow header lists the methods of the path', async () => {
    for (const [place, { at, real, known, style }] of each.entries()) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        if (known.includes(method)) continue
        const reply = await fetch(url + real, { method })
        expect(reply.status, `${method} ${at}`).toBe(405)
        expect(reply.headers.get('allow')?.split(', ').toSorted(), at).toEqual(known.toSorted())
        expect(await reply.json(), `${method} ${at}`).toMatchObject(
          style === 'auth' ? { status: 405 } : { status: 405, errors: [{ code: 'method_not_allowed' }] },
        )
      }
      // The same holds for methods that no call has, with a body that none would take: the method is checked first.
      const method = must(['HEAD', 'OPTIONS', 'PROPFIND', 'QUERY'][place % 4])
      const body = method === 'HEAD' ? null : 'x'
      const reply = await fetch(url + real, { method, body, headers: { 'content-type': 'text/plain' } })
      await reply.body?.cancel()
      expect(reply.status, `${method} ${at}`).toBe(405)
      expect(reply.headers.get('allow')?.split(', ').toSorted(), at).toEqual(known.toSorted())
    }
  })

  it('rule 22: another type than JSON is 415, more than 64 kB is 413, broken JSON is 400', async () => {
    const large = JSON.stringify({ email: 'x'.repeat(65_536) })
    for (const { at, real, known } of each) {
      const method = known.find((candidate) => candidate !== 'GET')
      if (method === undefined) continue
      const send = async (type: string, body: string) => {
        const reply = await fetch(url + real, { method, headers: { 'content-type': type }, body })
        await reply.body?.cancel()
        return reply.status
      }
      const takesFile = contracts.some(({ path: one, requestType }) => one === at && requestType === 'file')
      const isUnread = contracts.some(({ path: one, requestType }) => one === at && requestType === 'unread')
      // The provider in this path is none: the form is read before.
      const takesForm = contracts.some(({ path: one, requestType }) => one === at && requestType === 'form')
      const statuses = {
        text: await send('text/plain', '{}'),
        form: await send('application/x-www-form-urlencoded', 'a=1'),
        multipart: await send('multipart/form-data; boundary=x', '--x--'),
        large: await send('application/json', large),
        broken: await send('application/json', '{"email":'),
      }
      const type = isUnread ? 400 : 415
      const owed = {
        text: type,
        form: takesForm ? 404 : type,
        multipart: takesFile ? 401 : type,
        large: 413,
        broken: 400,
      }
      expect(statuses, `${method} ${at}`).toEqual(owed)
    }
  })
})

it.each(['/api/nowhere', '/nowhere', `${AUTH}/nowhere`, '/api/users/detail', '/dev/mail/'])(
  '%s is 404 in the one shape',
  async (at) => {
    const reply = await fetch(url + at)
    expect(reply.status).toBe(404)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    const type = reply.headers.get('content-type') ?? ''
    const answer = { method: 'GET', path: at, status: 404, type, body: await reply.text() }
    expect(misfitOf(answer)).toBeUndefined()
    expectHardened(reply.headers)
  },
)

it('rule 21: links in mails come from PUBLIC_ORIGIN, whatever host the request names', async () => {
  const person = await signedIn(app)
  const body = Buffer.from(JSON.stringify({ email: person.email }))
  const reply = await sendRaw(url, {
    method: 'POST',
    target: 'http://evil.example/api/allauth/app/v1/auth/password/request',
    headers: [
      ['Host', 'evil.example'],
      ['X-Forwarded-Host', 'evil.example'],
      ['X-Forwarded-Proto', 'https'],
      ['Forwarded', 'host=evil.example'],
      ['Origin', 'https://evil.example'],
      ['Referer', 'https://evil.example/'],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(body.length)],
    ],
    body,
  })
  // Either the request is refused, or the mail is clean.
  if (reply.status === 200) {
    const mail = await mails.next(person.email)
    expect(mail.raw).not.toContain('evil.example')
    expect(mail.text).toContain('http://localhost:3000/account/auth?reset=')
  } else expect(reply.status).toBeLessThan(500)
  const plain = await sendRaw(url, {
    method: 'POST',
    target: '/api/allauth/app/v1/auth/password/request',
    headers: [
      ['Host', 'evil.example'],
      ['X-Forwarded-Host', 'evil.example'],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(body.length)],
    ],
    body,
  })
  expect(plain.status).toBe(200)
  const mail = await mails.next(person.email)
  expect(mail.raw).not.toContain('evil.example')
  for (const link of mail.text?.match(/https?:\/\/\S+/g) ?? [])
    expect(link).toMatch(/^http:\/\/localhost:3000\/account\//)
})

describe('rule 21: forwarded headers count only from the configured proxies', () => {
  const spoofed = {
    'x-forwarded-for': '6.6.6.6, 203.0.113.9',
    forwarded: 'for=6.6.6.6',
    'x-real-ip': '6.6.6.6',
    'cf-connecting-ip': '6.6.6.6',
  }

  it.each([
    { TRUSTED_PROXIES: '0', seen: '127.0.0.1' },
    { TRUSTED_PROXIES: '1', seen: '203.0.113.9' },
    { TRUSTED_PROXIES: '2', seen: '6.6.6.6' },
  ])('$TRUSTED_PROXIES proxies: the caller is $seen', async ({ TRUSTED_PROXIES, seen }) => {
    const behind =
      TRUSTED_PROXIES === '0'
        ? first
        : await startTestApp({ settings: { RATE_LIMIT_SCALE, TRUSTED_PROXIES } })
    const { email } = await signedIn(behind.app)
    const browser = behind.client()
    const reply = await browser.call(auth.login, { body: { email, password } }, { headers: spoofed })
    expect(reply.status).toBe(200)
    const devices = await browser.get<{ data: { ip: string; is_current: boolean }[] }>(
      `${AUTH}/auth/sessions`,
    )
    expect(devices.body.data.find((device) => device.is_current)?.ip).toBe(seen)
  })

  it('G-04: a header cannot give anybody the figures of /metrics', async () => {
    expect((await fetch(`${url}/metrics`)).status).toBe(200)
    expect((await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(404)
  })
})

it('contract 2: request cookies and CSRF headers are ignored', async () => {
  const person = await signedIn(app)
  const headers = {
    ...bearer(person),
    cookie: 'sessionid=x; csrftoken=y',
    'x-csrftoken': 'z',
    'x-requested-with': 'XMLHttpRequest',
  }
  const reply = await fetch(`${url}/api/users/detail/`, { headers })
  expect(reply.status).toBe(200)
})

it('rule 27: over https the browser is asked to stay there; over http it is not', async () => {
  const secure = await startTestApp({ settings: { PUBLIC_ORIGIN: 'https://account.example.com' } })
  const reply = await fetch(`${secure.url}/api/languages/list/`)
  expect(reply.headers.get('strict-transport-security')).toMatch(/max-age=\d{8}/)
  expect((await fetch(`${url}/api/languages/list/`)).headers.has('strict-transport-security')).toBe(false)
})

it('rule 27: the pages of the guide load nothing but files of ours', async () => {
  const reply = await fetch(`${url}/api/docs/`)
  expect(reply.headers.get('content-security-policy')).toContain('trusted-types push-worker')
  const page = await reply.text()
  expect(page).not.toMatch(/<script>|<style| style=| on\w+=/)
  expect([...page.matchAll(/ (?:src|href)="(?:https?:)?\/\/(?!www\.standardwebhooks\.com)/g)]).toEqual([])
})

function expectHardened(headers: Headers, at = ''): void {
  expect(headers.get('content-security-policy'), at).toContain("default-src 'none'")
  expect(headers.get('x-content-type-options'), at).toBe('nosniff')
  expect(headers.get('referrer-policy'), at).toBe('same-origin')
  expect(headers.get('cross-origin-opener-policy'), at).toBe('same-origin')
  expect(headers.get('x-request-id'), at).toMatch(/^[\da-f-]{36}$/)
  expect(headers.has('x-powered-by'), at).toBe(false)
  expect(headers.has('access-control-allow-origin'), at).toBe(false)
}

/** Starts a server for the pages of a folder with these files, so that nothing has to be built. Returns its address. */
async function servePagesOf(files: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-pages-'))
  mkdirSync(path.join(folder, 'assets'))
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  const server = fastify({ genReqId: () => crypto.randomUUID() }) as unknown as FastifyInstance
  addSecurityHeaders(server, { https: false })
  await servePages(server, folder, app.config.operator)
  await server.listen({ port: 0, host: '127.0.0.1' })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}
