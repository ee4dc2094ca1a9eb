import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { startTestApp } from '#tests/harness/test-app.ts'
import { makeBreakable } from './breakable-database.ts'
import type { BreakableDatabase } from './breakable-database.ts'
import { bearer, signedIn } from './people.ts'
import { must } from '#foundation/must.ts'

let database!: BreakableDatabase
const { app, url, mails, startWorker } = await startTestApp({
  async through(databaseUrl) {
    database = await makeBreakable(databaseUrl)
    return database.url
  },
})
afterAll(() => database.close())
await startWorker()
const person = await signedIn(app)
const ask = (at = '/api/users/detail/') => fetch(url + at, { headers: bearer(person) })

it('rule 34: without a database every call is 503 with Retry-After, and the process stays up', async () => {
  expect((await ask()).status).toBe(200)
  await database.cut()
  const paths = [
    '/api/users/detail/',
    '/api/allauth/app/v1/auth/session',
    '/api/allauth/app/v1/account/email',
  ]
  for (const at of paths) {
    const reply = await ask(at)
    expect(reply.status, at).toBe(503)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await reply.json()).toMatchObject({ status: 503, errors: [{ code: 'unavailable' }] })
  }
  const signup = await fetch(`${url}/api/allauth/app/v1/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'gone@example.com', password: 'sturdy-raincoat-63' }),
  })
  expect(signup.status).toBe(503)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  expect((await fetch(`${url}/api/languages/list/`)).status).toBe(200)
})

it('rule 34: within 5 s of its return everything is at work again, mails too', async () => {
  await database.mend()
  const returned = Date.now()
  while ((await ask()).status !== 200) {
    expect(Date.now() - returned).toBeLessThan(5_000)
    await sleep(50)
  }
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const reset = await fetch(`${url}/api/allauth/app/v1/auth/password/request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: person.email }),
  })
  expect(reset.status).toBe(200)
  expect((await mails.next(person.email, 15_000)).text).toContain('reset=')
})

it('rule 33: a database that goes silent costs a caller 10 s at most, and then 503', async () => {
  await Promise.all(Array.from({ length: 10 }, () => ask()))
  database.silence()
  const started = Date.now()
  const replies = await Promise.all(Array.from({ length: 30 }, () => ask()))
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([503]))
  expect(Date.now() - started).toBeLessThan(12_000)
  await database.mend()
  const returned = Date.now()
  while ((await ask()).status !== 200) {
    expect(Date.now() - returned).toBeLessThan(5_000)
    await sleep(50)
  }
}, 60_000)

it('rule 33: more waiting callers than the pool serves in time get 503, the pool stays bounded', async () => {
  const held = await Promise.all(Array.from({ length: app.pool.options.max }, () => app.pool.connect()))
  try {
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([503]))
    expect(must(replies[0]).headers.has('retry-after')).toBe(true)
    expect(app.pool.totalCount).toBeLessThanOrEqual(app.pool.options.max)
  } finally {
    for (const client of held) client.release()
  }
  expect((await ask()).status).toBe(200)
}, 60_000)
