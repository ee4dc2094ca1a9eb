import fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { buildServer } from '#app/server/server.ts'
import { must } from '#foundation/must.ts'
import { route, type Access } from '#foundation/contract.ts'
import { capability, type Capability, type HelperRole } from '#foundation/capability.ts'
import { permission, staff } from '#foundation/roles.ts'
import { requiredText } from '#foundation/fields.ts'
import { parseBodies } from './bodies.ts'
import { handleErrors } from './error-handler.ts'
import { refuseOtherMethods } from './other-methods.ts'
import { handler, type Handler } from './handler.ts'
import { mount } from './serve.ts'
import { HttpError, badRequest } from './http-error.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const { app } = await startTestApp()

const echo = route({
  id: 'echo',
  tag: 'Servers',
  method: 'POST',
  path: '/api/echo/{id}/',
  access: { who: 'anyone' },
  summary: 'Says what it was told',
  params: z.strictObject({ id: z.string().check(z.regex(/^\d+$/)) }),
  query: z.strictObject({ loud: z.optional(z.literal('yes')), tone: z.optional(z.string()) }),
  body: z.strictObject({ text: requiredText(10), note: z.optional(requiredText(10)) }),
  replies: { 200: z.strictObject({ said: z.string() }), 204: null },
  errors: { 400: ['email_taken'] },
})

let answer: (text: string) => unknown = (text) => ({ status: 200, body: { said: text } })
const server = await serverWith([
  handler(echo, async ({ body, params, query }) => {
    if (body.text === 'rude') throw badRequest('email_taken', 'text')
    if (body.text === 'undeclared') throw badRequest('voucher_invalid')
    if (query.loud) return { status: 204 }
    return answer(`${params.id} ${body.text}`) as { status: 200; body: { said: string } }
  }),
])
afterAll(() => server.close())

const post = (
  url: string,
  payload: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) =>
  server.inject({
    method: 'POST',
    url,
    headers,
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })

describe('rule 22: what comes in and goes out is what the contract declares', () => {
  it('hands parsed input to the handler and sends its reply', async () => {
    const reply = await post('/api/echo/7/', { text: ' hello ' })
    expect([reply.statusCode, reply.json()]).toEqual([200, { said: '7 hello' }])
    expect(reply.headers['cache-control']).toBe('no-store')
    // Zod has written functions for the objects, which are several times as fast as its small build.
    for (const schema of [echo.params, echo.query, echo.body, echo.replies[200]])
      expect(schema).toBeInstanceOf(z.core.$ZodObjectJIT)
  })
  it('reports all refused fields at once, in order, each once', async () => {
    const reply = await post('/api/echo/7/?loud=no', { note: 'far too long a note', extra: 1 })
    expect(reply.statusCode).toBe(400)
    expect(reply.json().errors.map((e: { code: string; param: string }) => `${e.code}@${e.param}`)).toEqual([
      'invalid@loud',
      'required@text',
      'max_length@note',
      'unknown_field@extra',
    ])
  })
  it('refuses NUL, lone surrogates and wrong types with a code', async () => {
    expect(await codeFor('a\0')).toBe('null_characters_not_allowed')
    expect(await codeFor('\ud800')).toBe('invalid')
    expect(await codeFor(7)).toBe('invalid')
    expect(await codeFor('   ')).toBe('required')
  })
  it('counts code points, not UTF-16 units', async () => {
    expect((await post('/api/echo/7/', { text: '🙂'.repeat(10) })).statusCode).toBe(200)
    expect((await post('/api/echo/7/', { text: '🙂'.repeat(11) })).statusCode).toBe(400)
  })
  it('answers a path parameter out of form as unknown', async () => {
    expect((await post('/api/echo/seven/', { text: 'x' })).statusCode).toBe(404)
  })
  it('names what a missing or empty body lacks', async () => {
    for (const payload of ['', 'null', '{}']) {
      const reply = await post('/api/echo/7/', payload)
      expect([payload, reply.statusCode, reply.json().errors[0].code]).toEqual([payload, 400, 'required'])
    }
  })
  it('answers broken JSON 400, other types 415, too much 413, another method 405', async () => {
    expect((await post('/api/echo/7/', '{"text":')).json().errors[0].code).toBe('invalid_json')
    expect(
      (await post('/api/echo/7/', 'text=x', { 'content-type': 'application/x-www-form-urlencoded' }))
        .statusCode,
    ).toBe(415)
    expect((await post('/api/echo/7/', { text: 'x'.repeat(70_000) })).statusCode).toBe(413)
    const put = await server.inject({ method: 'PUT', url: '/api/echo/7/', payload: {} })
    expect([put.statusCode, put.headers.allow]).toEqual([405, 'POST'])
  })
  it.each([
    ['application/json;charset=UTF-8', 200],
    ['application/json; charset="utf-8"', 200],
    ['Application/JSON ; Charset=Utf8; q=1', 200],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=iso-8859-1', 415],
    ['application/json; charset=utf-8; charset="utf-7"', 415],
    ['application/json;v=1;\tCHARSET=windows-1252', 415],
  ])('rule 22: a body declared as %s is answered %i, never misread', async (type, status) => {
    expect((await post('/api/echo/7/', '{"text":"\u00fcber"}', { 'content-type': type })).statusCode).toBe(
      status,
    )
  })
  it('refuses a body that is not valid UTF-8, instead of replacing the invalid bytes', async () => {
    const broken = Buffer.concat([Buffer.from('{"text":"a'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])
    const reply = await server.inject({
      method: 'POST',
      url: '/api/echo/7/',
      headers: { 'content-type': 'application/json' },
      payload: broken,
    })
    expect([reply.statusCode, reply.json().errors[0].code]).toEqual([400, 'invalid_json'])
    expect((await post('/api/echo/7/', '{"text":"ü🙂"}')).json()).toEqual({ said: '7 ü🙂' })
  })
  it('refuses a name that occurs twice, also where it is written in another way', async () => {
    for (const payload of ['{"text":"a","text":"b"}', String.raw`{"text":"a","\u0074ext":"b"}`]) {
      const reply = await post('/api/echo/7/', payload)
      expect([reply.statusCode, reply.json().errors[0].code]).toEqual([400, 'invalid_json'])
    }
  })
  it.each(['tone=%FF', 'tone=%C3%28', 'tone=%zz', '%FF=1', 'tone=a&tone=b', 'tone=a&%74one=b'])(
    'refuses a query that can be read in two ways, as it refuses such a body: %s',
    async (query) => {
      const reply = await post(`/api/echo/7/?${query}`, { text: 'x' })
      expect([reply.statusCode, reply.json().errors[0].code]).toEqual([400, 'invalid'])
      expect((await post('/api/echo/7/?tone=%C3%BC+%25', { text: 'x' })).statusCode).toBe(200)
    },
  )
  it('cannot be polluted through __proto__', async () => {
    const reply = await post('/api/echo/7/', '{"text":"x","__proto__":{"loud":"yes"}}')
    expect(reply.statusCode).toBe(400)
  })
  it('sends no reply, status or code that the contract does not declare', async () => {
    answer = () => ({ status: 200, body: { said: 'x', secret: 'y' } })
    expect((await post('/api/echo/7/', { text: 'x' })).statusCode).toBe(500)
    answer = () => ({ status: 201, body: { said: 'x' } })
    expect((await post('/api/echo/7/', { text: 'x' })).statusCode).toBe(500)
    expect((await post('/api/echo/7/', { text: 'undeclared' })).statusCode).toBe(500)
    expect((await post('/api/echo/7/', { text: 'rude' })).json()).toEqual({
      status: 400,
      errors: [
        { code: 'email_taken', param: 'text', message: 'This email address already belongs to an account' },
      ],
    })
  })
  it('keeps what went wrong inside from the caller', async () => {
    answer = () => {
      throw new Error('select secret from users failed')
    }
    const reply = await post('/api/echo/7/', { text: 'x' })
    expect(reply.statusCode).toBe(500)
    expect(reply.body).not.toContain('secret')
  })
})

describe('rule 1: a route has a policy or it does not start', () => {
  const mounting =
    (method: 'GET' | 'POST') =>
    (...given: Access[]) =>
      serverWith(
        given.map((access, place) =>
          handler(
            route({
              id: 'odd',
              tag: 'Servers',
              method,
              path: `/api/odd-${place}/`,
              access,
              summary: '',
              replies: { 204: null },
            }),
            async () => ({ status: 204 }),
          ),
        ),
      )
  const mounted = mounting('GET')
  it('refuses to mount a route that does not declare its callers', async () => {
    const { access: _, ...nobody } = echo
    await expect(serverWith([handler(nobody as unknown as typeof echo, async () => null)])).rejects.toThrow(
      'does not say who may call it',
    )
  })
  it('refuses to mount staff without a permission, one that nobody holds, and two of one name', async () => {
    const bare = { who: 'staff' } as unknown as Access
    await expect(mounted(bare)).rejects.toThrow('names no permission')
    await expect(mounted(staff(permission('test.lost', [])))).rejects.toThrow(
      'Nobody but an owner holds test.lost',
    )
    const twice = () => staff(permission('test.twice', ['admin']))
    await expect(mounted(twice(), twice())).rejects.toThrow('test.twice is declared twice')
    const shared = permission('test.shared', [], { ownerOnly: true })
    await (await mounted(staff(shared), staff(shared))).close()
  })
  it('refuses to mount a call of a customer that says nothing of helpers, asks them for a proof, or breaks the role read', async () => {
    const refused = (method: 'GET' | 'POST', more: { acts?: Capability; proof?: 'recent' }) => {
      const access = { who: 'customer', whileBlocked: 'refused', ...more } as Access
      return expect(mounting(method)(access)).rejects
    }
    const acts = (...roles: HelperRole[]) => ({ acts: capability('test.acts', roles) })
    await refused('GET', {}).toThrow('does not say whether helpers may make it')
    await refused('POST', { ...acts('full'), proof: 'recent' }).toThrow('it asks for a proof')
    await refused('POST', acts('full', 'read')).toThrow('POST /api/odd-0/ breaks the role read')
    await refused('GET', acts('full')).toThrow('GET /api/odd-0/ breaks the role read')
    await refused('GET', acts('billing', 'read')).toThrow('GET /api/odd-0/ breaks the role read')
  })
  it('lets no anonymous caller past customer, staff and agent', async () => {
    const guarded = await serverWith([
      handler(
        route({
          id: 'mine',
          tag: 'Servers',
          method: 'GET',
          path: '/api/mine/',
          access: { who: 'customer', acts: 'own' },
          summary: '',
          replies: { 204: null },
        }),
        async () => ({ status: 204 }),
      ),
      handler(
        route({
          id: 'desk',
          tag: 'Servers',
          method: 'GET',
          path: '/api/desk/',
          access: staff(permission('test.desk', ['support'])),
          summary: '',
          replies: { 204: null },
        }),
        async () => ({ status: 204 }),
      ),
      handler(
        route({
          id: 'machine',
          tag: 'Servers',
          method: 'GET',
          path: '/api/machine/',
          access: { who: 'agent' },
          summary: '',
          replies: { 204: null },
        }),
        async () => ({ status: 204 }),
      ),
    ])
    for (const url of ['/api/mine/', '/api/desk/', '/api/machine/']) {
      const reply = await guarded.inject({ method: 'GET', url })
      expect([reply.statusCode, reply.json().errors[0].code]).toEqual([401, 'not_authenticated'])
    }
    await guarded.close()
  })
})

it('rule 33: a database out of reach answers 503 with Retry-After', async () => {
  answer = () => {
    throw Object.assign(new Error('the database system is shutting down'), { code: '57P01' })
  }
  const reply = await post('/api/echo/7/', { text: 'x' })
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '2'])
})

it('an error carries the time of the next try', async () => {
  answer = () => {
    throw new HttpError(429, [{ code: 'too_many_requests' }], 17)
  }
  const reply = await post('/api/echo/7/', { text: 'x' })
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([429, '17'])
})

it('the description of the calls is served for machines and people', async () => {
  const built = await buildServer(app)
  const document = (await built.inject('/api/openapi.json')).json()
  expect(document.openapi).toBe('3.1.0')
  const page = await built.inject('/api/docs/')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect(page.body).toContain('Hostdesk API')
  await built.close()
})

async function serverWith(routes: readonly Handler[]) {
  const built = fastify({ bodyLimit: 64 * 1024 })
  refuseOtherMethods(built)
  parseBodies(built)
  handleErrors(built, app)
  mount(built, app, routes)
  await built.ready()
  return built
}

async function codeFor(text: unknown): Promise<string> {
  const reply = await post('/api/echo/7/', { text })
  return must(reply.json<{ errors: { code: string }[] }>().errors[0]).code
}
