import { expect, it } from 'vitest'
import { startTestApp } from '#tests/harness/test-app.ts'

const { url } = await startTestApp({ settings: { SECURITY_CONTACT: 'https://example.com/report?by=web' } })
const support = await startTestApp({ settings: { SUPPORT_EMAIL: 'Support <help@example.com>' } })
const silent = await startTestApp()

const read = async (at: string) => (await fetch(`${at}/.well-known/security.txt`)).text()

it('names where weaknesses are reported, and until when that holds (RFC 9116)', async () => {
  const lines = (await read(url)).split('\n')
  expect(lines[0]).toBe('Contact: https://example.com/report?by=web')
  const expires = Date.parse(lines[1]?.replace('Expires: ', '') ?? '')
  expect(expires).toBeGreaterThan(Date.now() + 30 * 86_400_000)
  expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000)
  expect(lines).toContain('Canonical: http://localhost:3000/.well-known/security.txt')
  expect((await read(support.url)).split('\n')[0]).toBe('Contact: mailto:help@example.com')
})

it('security.txt answers 404 where neither a security contact nor a support address is set', async () => {
  expect((await fetch(`${silent.url}/.well-known/security.txt`)).status).toBe(404)
})

it.each([
  ['/.well-known/change-password', '/account/settings/security'],
  ['/favicon.ico', '/account/favicon.svg'],
])('%s leads to %s', async (from, to) => {
  const reply = await fetch(url + from, { redirect: 'manual' })
  expect([reply.status, reply.headers.get('location')]).toEqual([302, to])
})

it('asks crawlers to stay away: behind the sign-in is nothing for them', async () => {
  const reply = await fetch(`${url}/robots.txt`)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(await reply.text()).toBe('User-agent: *\nDisallow: /\n')
})

it('answers HEAD like GET without the body, and refuses other methods with 405, naming GET and HEAD', async () => {
  const head = await fetch(`${url}/robots.txt`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  for (const at of ['/robots.txt', '/healthz', '/api/openapi.json']) {
    const reply = await fetch(url + at, { method: 'DELETE', body: '{', headers: { 'content-type': 'x/y' } })
    expect([at, reply.status, reply.headers.get('allow')?.split(', ').toSorted()]).toEqual([
      at,
      405,
      ['GET', 'HEAD'],
    ])
  }
})
