import { beforeEach, expect, it, vi } from 'vitest'
import { route } from '#foundation/contract.ts'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { download } from './download.ts'
import { clearSession, seeSession } from './stored-session.ts'

const file = route({
  id: 'file',
  tag: 'Servers',
  method: 'GET',
  path: '/api/file',
  access: { who: 'customer' },
  summary: '',
  replies: { 200: null },
})

/** Returns a list that collects the name and the content of each file that the browser is asked to save. */
function watchSaving() {
  const saved: [string, Promise<string>][] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push([this.download, fetch(this.href).then((response) => response.text())])
  })
  return saved
}

beforeEach(async () => {
  vi.restoreAllMocks()
  clearSession(seeSession())
  localStorage.setItem('access_token', 'x.e30.x')
  await resetWire()
})

it('fetches with the access token and saves under the name the server gives', async () => {
  const saved = watchSaving()
  const headers = { 'Content-Disposition': 'attachment; filename="HD-1.pdf"' }
  await reply('GET /api/file', { status: 200, body: 'content', headers }, { status: 200, body: 'more' })
  expect((await download(file, {}, 'file.txt')).status).toBe(200)
  await download(file, {}, 'file.txt')
  expect(saved.map(([name]) => name)).toEqual(['HD-1.pdf', 'file.txt'])
  expect(await saved[0]?.[1]).toBe('"content"')
  expect((await requests())[0]?.headers['authorization']).toBe('Bearer x.e30.x')
})

it('saves nothing of a refusal, and answers with its errors', async () => {
  const saved = watchSaving()
  const body = { status: 404, errors: [{ code: 'not_found', message: '' }] }
  await reply('GET /api/file', { status: 404, body }, { status: 0 })
  expect((await download(file, {}, 'file.txt')).errors[0]?.code).toBe('not_found')
  expect((await download(file, {}, 'file.txt')).errors[0]?.code).toBe('network')
  expect(saved).toEqual([])
})
