import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { readConfig } from '#foundation/server/config.ts'
import { servePages } from './pages.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-pages-'))
const script = 'export const word = "the whole script"'
mkdirSync(path.join(folder, 'assets'))
mkdirSync(path.join(folder, '.vite'))
for (const [name, bytes] of Object.entries({
  'index.html': '<!doctype html><title>x</title>',
  'assets/page.js': script,
  'assets/page.js.br': brotliCompressSync(script),
  'assets/page.js.gz': gzipSync(script),
  'assets/letters.woff2': 'letters',
  'favicon.svg': 'export {}',
  '.vite/manifest.json': '{"secret":1}',
}))
  writeFileSync(path.join(folder, name), bytes)

const server = fastify() as unknown as FastifyInstance
await servePages(server, folder, readConfig({}, []).operator)
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers })

it.each([
  ['br, gzip', 'br', brotliCompressSync(script)],
  ['gzip, deflate', 'gzip', gzipSync(script)],
  ['gzip, br;q=0', 'gzip', gzipSync(script)],
  ['identity', undefined, Buffer.from(script)],
  ['', undefined, Buffer.from(script)],
])('for %j a script is sent as %s', async (accepted, encoding, bytes) => {
  const reply = await get('/account/assets/page.js', { 'accept-encoding': accepted })
  expect(reply.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
    'content-length': String(bytes.length),
  })
  expect(reply.headers['content-encoding']).toBe(encoding)
  expect(reply.rawPayload.equals(bytes)).toBe(true)
})

it('a file without a compressed copy is sent uncompressed', async () => {
  const reply = await get('/account/assets/letters.woff2', { 'accept-encoding': 'br' })
  expect([reply.body, reply.headers['content-type']]).toEqual(['letters', 'font/woff2'])
  expect(reply.headers['content-encoding']).toBeUndefined()
})

it('a file that the browser still has is not sent again', async () => {
  const first = await get('/account/favicon.svg')
  const again = await get('/account/favicon.svg', { 'if-none-match': String(first.headers['etag']) })
  expect([first.statusCode, again.statusCode, again.body]).toEqual([200, 304, ''])
})

it('HEAD describes a file without sending it', async () => {
  const reply = await server.inject({ method: 'HEAD', url: '/account/favicon.svg' })
  expect([reply.statusCode, reply.headers['content-length'], reply.body]).toEqual([200, '9', ''])
})

it('the manifest of the build and the compressed copies have no address of their own', async () => {
  expect((await get('/account/.vite/manifest.json')).body).not.toContain('secret')
  expect((await get('/account/assets/page.js.br')).statusCode).toBe(404)
})
