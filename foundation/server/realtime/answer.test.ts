import { once } from 'node:events'
import net from 'node:net'
import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { endSessionsOf } from '#foundation/server/session/session.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { countStreams } from './hub.ts'

const test = await startTestApp()
const { app, url, logged } = test

const linesOf = (headers: Headers) =>
  logged
    .filter((line) => line['request_id'] === headers.get('x-request-id'))
    .map(({ msg, status }) => [msg, status])

it('rule 27: a stream bears the headers of every answer, and none that keeps it back on its way', async () => {
  const { api } = await signedInCustomer(test)
  const stream = await openEvents(url, must(api.access_token))
  const other = await fetch(`${url}/api/events/`)
  for (const [name, value] of other.headers)
    if (/policy$|^x-(?!request-id)/.test(name))
      expect([name, stream.headers.get(name)]).toEqual([name, value])
  expect(stream.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(stream.headers.get('cache-control')).toBe('no-store, no-transform')
  expect(stream.headers.get('x-accel-buffering')).toBe('no')
  stream.close()
})

it('rule 44: a stream writes one line to the log, after it has ended', async () => {
  const { api, user_id } = await signedInCustomer(test)
  const stream = await openEvents(url, must(api.access_token))
  expect(linesOf(stream.headers)).toEqual([])
  await transaction(app, 'system', (tx) => endSessionsOf(tx, user_id))
  await stream.ended()
  await expect.poll(() => linesOf(stream.headers)).toEqual([['request', 200]])
})

it('rule 33: a reader that goes while its session is read leaves no stream behind', async () => {
  const { api } = await signedInCustomer(test)
  const { hostname, port } = new URL(url)
  for (const pause_ms of [0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 8]) {
    const socket = net.connect(Number(port), hostname)
    socket.write(`GET /api/events/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.access_token}\r\n\r\n`)
    setTimeout(() => socket.destroy(), pause_ms)
    await once(socket, 'close')
  }
  // This stream is opened after all the others.
  const stream = await openEvents(url, must(api.access_token))
  stream.close()
  await expect.poll(() => countStreams(app)).toBe(0)
})
