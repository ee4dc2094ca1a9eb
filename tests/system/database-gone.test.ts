import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { people } from '#app/seed/people.ts'
import { login } from '#features/auth/contract.ts'
import { Client } from '#tests/harness/client.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { makeBreakable } from './breakable-database.ts'
import type { BreakableDatabase } from './breakable-database.ts'
import { bearer, signedIn } from './people.ts'
import { makeDataDir, startProduct } from './product-process.ts'
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

it('rule 34: a rolling restart under load: what was begun is finished, and no request fails', async () => {
  const { dataDir, remove } = makeDataDir()
  const settings = { DEMO: 'on', RATE_LIMIT_SCALE: '1000000' }
  const first = await startProduct({ dataDir, settings })
  const second = await startProduct({ dataDir, settings })
  const balancer = startBalancer([first.url, second.url])
  const browser = new Client(first.url)
  const [{ email, password }] = people as [(typeof people)[number]]
  expect((await browser.call(login, { body: { email, password } })).status).toBe(200)
  const headers = { authorization: `Bearer ${browser.access_token}` }
  const answers: string[] = []
  let over = false
  const callers = Array.from({ length: 20 }, async () => {
    while (!over) {
      const reply = await fetch(`${balancer.pick()}/api/users/detail/`, { headers }).catch(String)
      answers.push(typeof reply === 'string' ? reply : String(reply.status))
      if (typeof reply !== 'string') await reply.text()
    }
  })
  const answered = async (more: number) => {
    const wanted = answers.length + more
    while (answers.length < wanted) await sleep(10)
  }
  await answered(200)
  // The one that started PostgreSQL goes first, so that the other must live on with it.
  expect(await first.stop()).toBe(0)
  await answered(200)
  const third = await startProduct({ dataDir, settings })
  balancer.add(third.url)
  await answered(200)
  expect(await second.stop()).toBe(0)
  await answered(200)
  over = true
  await Promise.all(callers)
  balancer.stop()
  await third.stop()
  remove()
  expect(new Set(answers)).toEqual(new Set(['200']))
}, 120_000)

/** Sends callers where /readyz is 200, asked every 50 ms, as a load balancer does. */
function startBalancer(urls: string[]): { pick(): string; add(url: string): void; stop(): void } {
  let ready = [...urls]
  let over = false
  // One look after the other: an answer that was long on its way must not overtake a later one.
  const watch = async () => {
    while (!over) {
      const asked = await Promise.all(urls.map((url) => fetch(`${url}/readyz`).catch(() => undefined)))
      ready = urls.filter((_, place) => asked[place]?.status === 200)
      await sleep(50)
    }
  }
  void watch()
  return {
    pick: () => ready[Math.floor(Math.random() * ready.length)] ?? must(urls[0]),
    add: (url) => urls.push(url),
    stop: () => (over = true),
  }
}
