import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { routes } from '#app/server/features.ts'
import { route } from '#foundation/contract.ts'
import type { Route, Who } from '#foundation/contract.ts'
import { AGENT_TOKEN_PREFIX } from '#foundation/server/agents.ts'
import type { App } from '#foundation/server/app.ts'
import { refusalOf, type Known, type Refusal } from '#foundation/server/http/access.ts'
import { parseBodies } from '#foundation/server/http/bodies.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { mount } from '#foundation/server/http/serve.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { bearer, halfSignedIn, session, setActive, setStaff, signedIn, signOut } from './people.ts'

// Generated from the contracts: a route that is mounted tomorrow is walked tomorrow, without a line here. The server's
// answer and the policy by itself are both compared with what each caller must get.
const { app, url, logged } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000000' } })

// One route of each kind, so that every policy is walked in both styles even where no feature has such a route yet.
const fixtures = (['anyone', 'pending', 'customer', 'staff', 'agent'] as const).flatMap((who) => [
  handler(
    route({
      id: 'fixture',
      tag: 'Servers',
      method: 'POST',
      path: `/api/fixture/${who}/`,
      access: { who },
      summary: 'x',
      replies: { 200: z.strictObject({ ok: z.boolean() }) },
    }),
    async () => ({ status: 200, body: { ok: true } }),
  ),
  handler(
    route({
      id: 'fixture',
      tag: 'Servers',
      method: 'POST',
      path: `/api/allauth/app/v1/fixture/${who}`,
      access: { who },
      style: 'auth',
      summary: 'x',
      replies: { 200: z.strictObject({ ok: z.boolean() }) },
    }),
    async () => ({ status: 200, body: { ok: true } }),
  ),
])
const fixtureServer = fastify() as unknown as FastifyInstance
parseBodies(fixtureServer)
// An agent that no table knows: the policy is tested here, not the look-up of the agent.
const agentToken = `${AGENT_TOKEN_PREFIX}${'a'.repeat(43)}`
const somebodysAgent = { id: 1n, user_id: '00000000-0000-4000-8000-000000000000' }
const findAgent = async (_app: App, token: string) => (token === agentToken ? somebodysAgent : undefined)
mount(fixtureServer, { ...app, findAgent }, fixtures)
await fixtureServer.listen({ port: 0, host: '127.0.0.1' })
const fixtureUrl = `http://127.0.0.1:${(fixtureServer.server.address() as AddressInfo).port}`
afterAll(() => fixtureServer.close())

const walked: { contract: Route; base: string }[] = [
  ...routes.map(({ contract }) => ({ contract, base: url })),
  ...fixtures.map(({ contract }) => ({ contract, base: fixtureUrl })),
]

type Verdict = 'in' | Refusal

/** All kinds of callers: how each is made, what it sends, and what each policy must answer. */
const knockers: Record<
  string,
  {
    headers: () => Promise<Record<string, string>>
    /** The same caller as the policy sees it. */
    known?: Partial<Known>
    owed: (contract: Route) => Verdict
  }
> = {
  'somebody anonymous': {
    headers: async () => ({}),
    owed: ({ access: { who } }) => (who === 'anyone' ? 'in' : 'not_authenticated'),
  },
  'somebody with a made-up Bearer': {
    headers: async () => bearer({ access_token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' }),
    owed: ({ access: { who } }) => (who === 'anyone' ? 'in' : 'not_authenticated'),
  },
  'somebody with a made-up session token': {
    known: { gone: true },
    headers: async () => session('made-up'),
    owed: ({ access: { who }, style }) =>
      style === 'auth' ? 'gone' : who === 'anyone' ? 'in' : 'not_authenticated',
  },
  'somebody half signed in': {
    known: { pending: { stage: 'mfa_authenticate' } },
    async headers() {
      const person = await signedIn(app)
      return session(await halfSignedIn(app, person.user_id, person.email))
    },
    owed: ({ access: { who } }) => (who === 'anyone' || who === 'pending' ? 'in' : 'not_authenticated'),
  },
  'a customer by Bearer': {
    known: { actor: { is_staff: false } },
    headers: async () => bearer(await signedIn(app)),
    owed: ({ access: { who } }) => customerIsOwed(who),
  },
  'a customer by session token': {
    known: { actor: { is_staff: false } },
    headers: async () => session((await signedIn(app)).session_token),
    owed: ({ access: { who } }) => customerIsOwed(who),
  },
  'a member of staff': {
    known: { actor: { is_staff: true } },
    headers: async () => bearer(await signedIn(app, { is_staff: true })),
    owed: ({ access: { who } }) => (who === 'staff' ? 'in' : customerIsOwed(who)),
  },
  'somebody who was staff a moment ago': {
    known: { actor: { is_staff: false } },
    async headers() {
      const person = await signedIn(app, { is_staff: true })
      await setStaff(app, person.user_id, false)
      return bearer(person)
    },
    owed: ({ access: { who } }) => customerIsOwed(who),
  },
  'somebody who signed out, by Bearer': {
    async headers() {
      const person = await signedIn(app)
      await signOut(app, person)
      return bearer(person)
    },
    owed: ({ access: { who } }) => (who === 'anyone' ? 'in' : 'not_authenticated'),
  },
  'somebody who signed out, by session token': {
    known: { gone: true },
    async headers() {
      const person = await signedIn(app)
      await signOut(app, person)
      return { ...session(person.session_token), ...bearer(person) }
    },
    owed: ({ access: { who }, style }) =>
      style === 'auth' ? 'gone' : who === 'anyone' ? 'in' : 'not_authenticated',
  },
  'an agent': {
    known: { agent: somebodysAgent },
    headers: async () => bearer({ access_token: agentToken }),
    // Only the fixtures know this one; with the routes of the product it counts as made up.
    owed: ({ access: { who }, path }) =>
      who === 'anyone' || (who === 'agent' && path.includes('/fixture/')) ? 'in' : 'not_authenticated',
  },
  'an agent with a made-up token': {
    headers: async () => bearer({ access_token: `${AGENT_TOKEN_PREFIX}made-up` }),
    owed: ({ access: { who } }) => (who === 'anyone' ? 'in' : 'not_authenticated'),
  },
  "an agent's token as a session token": {
    known: { gone: true },
    headers: async () => session(agentToken),
    owed: ({ access: { who }, style }) =>
      style === 'auth' ? 'gone' : who === 'anyone' ? 'in' : 'not_authenticated',
  },
  'somebody deactivated, by Bearer': {
    async headers() {
      const person = await signedIn(app)
      await setActive(app, person.user_id, false)
      return bearer(person)
    },
    owed: ({ access: { who } }) => (who === 'anyone' ? 'in' : 'not_authenticated'),
  },
  'somebody deactivated, by session token': {
    async headers() {
      const person = await signedIn(app)
      await setActive(app, person.user_id, false)
      return session(person.session_token)
    },
    owed: ({ access: { who } }) => (who === 'anyone' ? 'in' : 'not_authenticated'),
  },
}

/** An agent's routes are not for people, staff included. */
function customerIsOwed(who: Who): Verdict {
  if (who === 'anyone' || who === 'customer') return 'in'
  return who === 'staff' ? 'not_allowed' : 'not_authenticated'
}

describe.each(Object.entries(knockers))('rule 1, G-04: %s', (_name, { headers, known, owed }) => {
  let shared: Promise<Record<string, string>> | undefined
  it.each(walked)('$contract.method $contract.path ($contract.access.who)', async ({ contract, base }) => {
    const path = contract.path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
    // Reading and being refused change nothing: one person serves for all of that.
    const changesNothing = contract.method === 'GET' || owed(contract) !== 'in'
    const sent = await (changesNothing ? (shared ??= headers()) : headers())
    const response = await fetch(base + path, {
      method: contract.method,
      headers: {
        ...sent,
        ...(contract.method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      ...(contract.method === 'GET' ? {} : { body: '{}' }),
    })
    // A stream that was let in never ends by itself; files are no JSON.
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const body = isJson ? parsed(await response.text()) : undefined
    if (!isJson) await response.body?.cancel()
    expect(
      response.status,
      JSON.stringify(response.status < 500 ? body : logged.findLast((line) => line['level'] === 'error')),
    ).toBeLessThan(500)
    expect(verdictOf(contract, response.status, body), `${response.status} ${JSON.stringify(body)}`).toBe(
      owed(contract),
    )
    // The agent of the fixtures is none to the product.
    const seen = base === url ? { ...known, agent: undefined } : known
    expect(refusalOf(contract, { gone: false, is_recent: true, ...seen }) ?? 'in').toBe(owed(contract))
  })
})

type Body =
  | {
      meta?: { is_authenticated?: boolean }
      data?: { flows?: { is_pending?: boolean }[] }
      errors?: { code: string }[]
    }
  | undefined

function parsed(text: string): Body {
  return text === '' ? undefined : (JSON.parse(text) as Body)
}

/** The answer's verdict on the caller's rights. With any other answer (400, 404, 409 …) the handler was reached. */
function verdictOf({ access: { who }, style, replies }: Route, status: number, body: Body): Verdict {
  if (status === 403 && body?.errors?.some(({ code }) => code === 'not_allowed')) return 'not_allowed'
  if (style !== 'auth') return status === 401 ? 'not_authenticated' : 'in'
  if (status === 403 && who === 'staff') return 'not_allowed'
  if (status === 410) return 'gone'
  // 401 is also an answer here: signed out, a step pending, please prove it again. It is a refusal where the policy
  // demands more than the caller is.
  if (status !== 401) return 'in'
  if (who === 'anyone') return 401 in replies ? 'in' : 'not_authenticated'
  if (who === 'customer' || who === 'staff') return body?.meta?.is_authenticated ? 'in' : 'not_authenticated'
  return 'not_authenticated'
}

it('rule 1: the server refuses to boot with a route that does not declare its callers', () => {
  const mute = route({
    id: 'mute',
    tag: 'Servers',
    method: 'GET',
    path: '/api/fixture/mute/',
    access: { who: undefined as unknown as Who },
    summary: 'x',
    replies: { 200: null },
  })
  const server = fastify() as unknown as FastifyInstance
  expect(() => mount(server, app, [handler(mute, async () => ({ status: 200 }))])).toThrow(
    'does not say who may call it',
  )
})

it('rule 5: rights are read at each request: un-staff, sign-out and deactivation bite at the next call', async () => {
  const ask = async (kind: Who, headers: Record<string, string>) =>
    (await fetch(`${fixtureUrl}/api/fixture/${kind}/`, { method: 'POST', headers })).status
  const person = await signedIn(app, { is_staff: true })
  expect(await ask('staff', bearer(person))).toBe(200)
  await setStaff(app, person.user_id, false)
  expect(await ask('staff', bearer(person))).toBe(403)
  expect(await ask('customer', bearer(person))).toBe(200)
  await setActive(app, person.user_id, false)
  expect(await ask('customer', bearer(person))).toBe(401)
  expect(await ask('customer', session(person.session_token))).toBe(401)
  await setActive(app, person.user_id, true)
  expect(await ask('customer', bearer(person))).toBe(200)
  await signOut(app, person)
  expect(await ask('customer', bearer(person))).toBe(401)
  expect(await ask('customer', session(person.session_token))).toBe(401)
})

it('rule 16: what the loader of sessions finds is never a half-finished login', async () => {
  const person = await signedIn(app)
  const token = await halfSignedIn(app, person.user_id, person.email)
  const asBearer = await fetch(`${fixtureUrl}/api/fixture/customer/`, {
    method: 'POST',
    headers: bearer({ access_token: token }),
  })
  const asSession = await fetch(`${fixtureUrl}/api/fixture/customer/`, {
    method: 'POST',
    headers: session(token),
  })
  expect([asBearer.status, asSession.status]).toEqual([401, 401])
})
