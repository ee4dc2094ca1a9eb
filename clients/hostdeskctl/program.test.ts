import { CommanderError } from 'commander'
import { expect, it, vi } from 'vitest'
import { originIn } from './access.ts'
import { printed } from './answer.ts'
import type { Call } from './calls.ts'
import { callsOf } from './calls.ts'
import { Context } from './context.ts'
import { buildProgram } from './program.ts'
import { valueOf } from './typed.ts'
import { plainWord, typedWords } from './typed-words.ts'

const money = { type: 'object', properties: { amount: { type: 'string' }, currency: { type: 'string' } } }
const answer = { 200: { content: { 'application/json': {} } } }

/** An API document with the forms in which fields are printed, now and in the releases that follow. */
const document = {
  paths: {
    '/api/hosts/': {
      get: {
        operationId: 'listHosts',
        tags: ['Servers'],
        summary: 'List',
        description: 'Lists.',
        security: [{ session: [] }, { token: [] }],
        parameters: [
          { name: 'limit', in: 'query', required: false, schema: { type: 'integer', default: 25 } },
          {
            name: 'licence',
            in: 'query',
            required: false,
            schema: { type: 'string', enum: ['free', 'active'] },
          },
          { $ref: '#/components/parameters/For' },
        ],
        responses: answer,
      },
    },
    '/api/hosts/{hostId}/licence/': {
      post: {
        operationId: 'orderLicence',
        tags: ['Licences'],
        summary: 'Order',
        description: 'Orders.',
        security: [{ token: [] }],
        parameters: [
          { name: 'hostId', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['plan'],
                properties: {
                  plan: { type: 'string' },
                  expected_total: { oneOf: [{ $ref: '#/components/schemas/Money' }, { type: 'string' }] },
                  ipv6: { type: ['string', 'null'] },
                  host_ids: { type: 'array', items: { type: 'string' } },
                  at_once: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
                },
              },
            },
          },
        },
        responses: { 201: answer[200] },
      },
    },
    '/mcp': {
      post: {
        operationId: 'callTools',
        tags: ['Tokens'],
        summary: 'Tools',
        description: 'Tools.',
        security: [{ token: [] }],
        responses: answer,
      },
    },
    '/api/users/': {
      get: {
        operationId: 'getUser',
        tags: ['Profile'],
        summary: 'You',
        description: 'You.',
        security: [{ session: [] }],
        responses: answer,
      },
    },
  },
  components: { schemas: { Money: money } },
}

const calls = callsOf(document)

/** Parses a line without a process of its own. Returns the error, and what was printed on each stream. */
async function parse(...words: string[]): Promise<{ error: unknown; out: string; err: string }> {
  const streams = { out: '', err: '' }
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((streams.out += text)))
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((streams.err += text)))
  try {
    const context = new Context({ HOSTDESKCTL_DIR: '/nonexistent' }, '1')
    const program = buildProgram(calls, '1', context)
    const error = await program.parseAsync(words, { from: 'user' }).catch((thrown: unknown) => thrown)
    return { error, ...streams }
  } finally {
    out.mockRestore()
    err.mockRestore()
  }
}

it('makes a command of each call that a token may make, and of no other', () => {
  const named = ({ group, name, method, path }: Call) => `${group} ${name}: ${method} ${path}`
  expect(calls.map(named)).toEqual([
    'hosts list: GET /api/hosts/',
    'licences order: POST /api/hosts/{hostId}/licence/',
  ])
})

it('tells of each option what it takes', async () => {
  const { error, out } = await parse('licences', 'order', '--help')
  expect(error).toMatchObject({ exitCode: 0 })
  expect(out).toMatch(/^Usage: hostdeskctl licences order \[options\] <HOST_ID>\n/)
  expect(out).toContain('POST /api/hosts/{hostId}/licence/')
  expect(out).toMatch(/--plan <VALUE> +a text; required/)
  expect(out).toMatch(/--expected-total <VALUE> +an amount such as "19.90 EUR"/)
  expect(out).toMatch(/--ipv6 <VALUE> +a text; null for none/)
  expect(out).toMatch(/--host-ids <VALUE> +several, with commas: a text/)
  expect(out).toMatch(/--at-once <VALUE> +yes or no; null for none/)
  expect((await parse('hosts', '--help')).out).toContain('list')
})

it('reads what is typed as the API takes it, and refuses the rest before it asks', async () => {
  const fields = new Map(
    calls.flatMap(({ query, body }) => [...query, ...body]).map((one) => [one.name, one]),
  )
  const value = (name: string, typed: string) => valueOf(fields.get(name) as never, typed)
  expect(value('expected_total', '19.9 eur')).toEqual({ amount: '1990', currency: 'EUR' })
  expect(value('expected_total', '1990 JPY')).toEqual({ amount: '1990', currency: 'JPY' })
  expect(value('expected_total', '-0,05EUR')).toEqual({ amount: '-5', currency: 'EUR' })
  for (const typed of ['19.90', '19.901 EUR', '19.90 XXX', 'EUR 5', '1e3 EUR', '5.5 JPY'])
    expect(() => value('expected_total', typed), typed).toThrow('--expected-total takes')
  expect(value('host_ids', 'a, b')).toEqual(['a', 'b'])
  expect([value('ipv6', 'null'), value('at_once', 'yes'), value('at_once', 'null')]).toEqual([
    null,
    true,
    null,
  ])
  expect(() => value('at_once', 'maybe')).toThrow('--at-once takes yes or no')
  expect((await parse('licences', 'order', 'x')).error).toMatchObject({
    code: 2,
    message: 'This needs --plan.',
  })
  expect((await parse('licences', 'order', '..', '--plan', 'x')).error).toMatchObject({ code: 2 })
})

it('takes an id that begins with a hyphen for an id, in a word and behind an option', async () => {
  const id = '-phkQgVq7Nxd_EqZ2N-XLw'
  const { error } = await parse(...typedWords(['licences', 'order', id, '--host-ids', id]))
  expect(error).toMatchObject({ code: 2, message: 'This needs --plan.' })
  expect(typedWords(['--', '-o', '--idempotency-keys-xyz', id]).map(plainWord)).toEqual([
    '--',
    '-o',
    '--idempotency-keys-xyz',
    id,
  ])
  expect(typedWords(['--idempotency-keys-xyz'])).toEqual(['--idempotency-keys-xyz'])
})

it.each<[string[], string]>([
  [['dance'], "unknown command 'dance'"],
  [['__proto__'], "unknown command '__proto__'"],
  [['hostz'], 'Did you mean hosts?'],
  [['licences', 'order'], "missing required argument 'HOST_ID'"],
  [['hosts', 'list', '--fast'], "unknown option '--fast'"],
  [['login', 'a', 'b'], 'too many arguments'],
])('refuses wrong use in one line: %j', async (words, said) => {
  const { error, out, err } = await parse(...words)
  expect(error).toBeInstanceOf(CommanderError)
  expect({ out, code: Reflect.get(Object(error), 'exitCode') as number }).toEqual({ out: '', code: 1 })
  expect(err).toContain(said)
  expect(err).toMatch(/^hostdeskctl: [^\n]*\n$/)
})

it('sends a token to no address that others can read on the way', () => {
  expect(originIn('account.example.com/account/')).toBe('https://account.example.com')
  expect(originIn('http://localhost:3000')).toBe('http://localhost:3000')
  for (const typed of [
    'http://account.example.com',
    'ftp://account.example.com',
    'https://me:secret@example.com',
    '',
  ])
    expect(() => originIn(typed), typed).toThrow(/address/)
})

it('prints no character that drives the terminal, and a table as wide as it is', () => {
  const items = [
    {
      id: 'a1',
      name: '\u001b]0;gone\u0007web\u202e',
      total: { amount: '1990', currency: 'EUR' },
      version: 3,
    },
    { id: 'b2', name: '日本', total: { amount: '-5', currency: 'EUR' }, version: 4 },
  ]
  expect(printed({ items }, { terminal: { columns: 80, hasColours: false } })).toBe(
    'id  name            total\na1  ]0;goneweb  19.90 EUR\nb2  日本        -0.05 EUR\n',
  )
  expect(printed({ items }, { terminal: { columns: 9, hasColours: false } }).split('\n')[1]).toBe('a1')
  expect(printed({ items: [] }, { terminal: { columns: 80, hasColours: false } })).toBe(
    'There is nothing to list.\n',
  )
  expect(JSON.parse(printed({ items }, { terminal: undefined }))).toEqual({ items })
  expect(printed({ name: '\u009b2J\u202e' }, { terminal: undefined })).toBe('{"name":"\\u009b2J\\u202e"}\n')
})
