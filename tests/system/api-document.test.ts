import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { published, routes } from '#app/server/features.ts'
import { installationOf } from '#app/server/installation.ts'
import { must } from '#foundation/must.ts'
import { accountEvent } from '#foundation/server/account-events/contract.ts'
import type { Route } from '#foundation/contract.ts'
import { describeApi } from '#app/server/openapi/document.ts'

type Json = { [key: string]: unknown }
type Body = Json & { required: boolean }
type Operation = Json & { operationId: string; requestBody?: Body; responses: Json }

// The address is not one of example.com, about which the linters would complain.
const config = { publicOrigin: 'https://account.hostdesk.org', operator: { name: 'Hostdesk' } }
const installation = installationOf({ config } as never)
const contracts: readonly Route[] = routes.map((served) => served.contract)
const document = describeApi(contracts, installation, false, published)
const text = JSON.stringify(document)
const paths = document['paths'] as Record<string, Record<string, Operation>>
const operations = contracts.map((contract) => ({
  contract,
  operation: must(must(paths[contract.path])[contract.method.toLowerCase()]),
}))

describe('the API document', () => {
  // A code that is read byte by byte refuses people who paste it; a new field cannot forget the one way to read it.
  it('rule 55: each code and key of each call is read as it was meant, in page and API alike', () => {
    const fields = contracts.flatMap(({ id, body, headers, query }) =>
      [body, headers, query].flatMap((given) =>
        given instanceof z.ZodMiniObject
          ? Object.entries(given.shape as Record<string, z.ZodMiniType>)
              .filter(([name]) => /(?:^|[_-])(?:code|key)$/u.test(name) && name !== 'idempotency-key')
              .map(([name, schema]) => [`${id} ${name}`, schema] as const)
          : [],
      ),
    )
    expect(fields.length).toBeGreaterThan(10)
    for (const [name, schema] of fields)
      expect([name, z.safeParse(schema, ' \u00a0aB\u200b\u00adc\uff11\u2009d\r\n').data]).toEqual([
        name,
        'aBc1d',
      ])
  })

  it('has fewer than 2,450 characters per call and fewer than 300 schemas', () => {
    const calls = JSON.stringify({ ...document, webhooks: undefined })
    expect(calls.length / contracts.length).toBeLessThan(2_450)
    expect((text.length - calls.length) / published.length).toBeLessThan(3_000)
    expect(Object.keys((document['components'] as { schemas: Json }).schemas).length).toBeLessThan(300)
  })

  it('rule 47: has every status that follows from what a call takes and from its access', () => {
    const all = operations.filter(({ contract, operation }) => {
      const { method, access, style, params, headers, body } = contract
      const { who, proof } = access
      const takesKey = 'idempotency-key' in ((headers as { shape?: object } | undefined)?.shape ?? {})
      const wanted = [
        ...(params ? [404] : []),
        ...(body || method !== 'GET' ? [400, 413, 415] : []),
        ...(style === 'auth' ? [410] : []),
        ...(takesKey ? [422] : []),
        ...(who === 'staff' || (proof === 'recent' && style !== 'auth') ? [403] : []),
        ...(who === 'anyone' ? [] : [401]),
        429,
        500,
        503,
      ]
      return !wanted.every((status) => String(status) in operation.responses)
    })
    expect(all.map(({ contract }) => contract.id)).toEqual([])
  })

  it('calls each call by its own name', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(contracts.length)
  })

  it('states for each request body whether it is required', () => {
    const required = (id: string) =>
      operations.find(({ contract }) => contract.id === id)?.operation.requestBody?.required
    expect([required('login'), required('postMessage'), required('createHost')]).toEqual([true, true, false])
  })

  it('has whole numbers, formats and open answers', () => {
    const { Host, Money } = (document['components'] as { schemas: Record<string, Json> }).schemas
    expect(Host).toMatchObject({
      properties: {
        created_at: { type: 'string', format: 'date-time' },
        ipv4: { anyOf: [{ type: 'string', format: 'ipv4' }, { type: 'null' }] },
        ipv4_changes_left: { anyOf: [{ type: 'integer', format: 'int32' }, { type: 'null' }] },
      },
    })
    expect(Host).not.toHaveProperty('additionalProperties')
    expect(Money).toMatchObject({ type: 'object', required: ['amount', 'currency'] })
    expect(text).not.toContain('"const"')
    const limit = must(must(paths['/api/hosts/'])['get'])['parameters'] as Json[]
    expect(limit).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 25 },
    })
    const hours = must(must(paths['/api/hosts/{hostId}/metrics/'])['get'])['parameters'] as Json[]
    expect(hours.find(({ name }) => name === 'hours')).toMatchObject({
      schema: { maximum: 720, default: 24 },
    })
  })
})

describe('the examples of the API document', () => {
  const { examples: sharedExamples } = document['components'] as {
    examples: Record<string, { value: unknown }>
  }
  const examples = operations.flatMap(({ contract, operation }) => {
    const { id, body, replies } = contract
    const request = operation.requestBody && {
      operation: operation.requestBody,
      schema: body,
      at: `${id} asks`,
    }
    const answers = Object.entries(replies).map(([status, schema]) => {
      const answer = operation.responses[status] as Json | undefined
      return { operation: answer, schema, at: `${id} answers ${status}` }
    })
    return [...(request ? [request] : []), ...answers].flatMap(({ operation: part, schema, at }) => {
      const content = (part?.['content'] as Content | undefined)?.['application/json'] ?? {}
      const [shared] = Object.keys(content.examples ?? {})
      const example = shared === undefined ? content.example : must(sharedExamples[shared]).value
      return schema && example !== undefined ? [{ at, schema, example }] : []
    })
  })

  it('include one request for each call that takes a body and one answer for each call that returns a body', () => {
    const at = new Set(examples.map((one) => one.at))
    const wanted = contracts.flatMap(({ id, body, replies }) => {
      const answer = Object.keys(replies).find((status) => status.startsWith('2') && replies[Number(status)])
      return [...(body ? [`${id} asks`] : []), ...(answer ? [`${id} answers ${answer}`] : [])]
    })
    expect(wanted.filter((one) => !at.has(one))).toEqual([])
    expect(wanted.length).toBeGreaterThan(100)
  })

  it('are what their contracts take and answer', () => {
    const faults = examples.flatMap(({ at, schema, example }) => {
      const { error } = z.safeParse(schema, example)
      return error ? [`${at}: ${z.prettifyError(error)}`] : []
    })
    expect(faults).toEqual([])
  })

  it('have a value for each text, not only its name (example-values.ts)', () => {
    const nameless = examples.flatMap(({ at, example }) =>
      unsaid(example, '').map((name) => `${at}: ${name}`),
    )
    expect(nameless).toEqual([])
  })
})

describe('the webhooks of the API document', () => {
  const webhooks = document['webhooks'] as Record<string, { post: Json & { requestBody: Json } }>

  it('are the kinds of account events that are declared, each with an example of its data', () => {
    expect(Object.keys(webhooks)).toEqual(published.map(({ type }) => type))
    const faults = published.flatMap(({ type, data }) => {
      const content = must(webhooks[type]).post.requestBody['content'] as Content
      const example = content['application/json']?.example
      const event = z.extend(accountEvent, { type: z.literal(type), data })
      const { error } = z.safeParse(event, example)
      const nameless = unsaid(example, '').map((name) => `${type}: ${name}`)
      return [...nameless, ...(error ? [`${type}: ${z.prettifyError(error)}`] : [])]
    })
    expect(faults).toEqual([])
  })

  it('are recorded somewhere, each by the name of its constant', () => {
    const files = globSync(['features/**/*.ts', 'foundation/**/*.ts'], { exclude: ['**/*.test.ts'] })
    const texts = files.map((file) => [file, readFileSync(file, 'utf8')] as const)
    const declared = texts.flatMap(([file, source]) =>
      [...source.matchAll(/^export const (\w+) = (?:published|publishedOfHost|ofHost|ofTicket)\(/gm)].map(
        ([, name = '']) => ({ file, name }),
      ),
    )
    expect(declared).toHaveLength(published.length)
    const unused = declared.filter(
      ({ file, name }) =>
        !texts.some(
          ([other, source]) => other !== file && new RegExp(`(?:events\\.|[ ,(])${name}\\b`).test(source),
        ),
    )
    expect(unused).toEqual([])
  })
})

type Content = Record<string, { example?: unknown; examples?: Json }>

function unsaid(value: unknown, name: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => unsaid(item, name))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([field, inner]) => unsaid(inner, field))
  return value === undefined || value === name ? [name] : []
}

// The tools are in a package of their own (decision 001). They are installed once, and again when their versions change.
const tools = path.join(process.cwd(), 'tools/api-tools')
const run = promisify(execFile)
const tool = (name: string, ...rest: string[]) =>
  run(process.execPath, [path.join(tools, 'node_modules/.bin', name), ...rest], { cwd: folder })

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-api-'))
const file = path.join(folder, 'openapi.json')
writeFileSync(file, text)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('others read the API document', () => {
  beforeAll(installTools, 300_000)

  it('redocly finds nothing', async () => {
    // The command succeeds with warnings as well, so they are counted.
    const { stdout } = await tool('redocly', 'lint', file, `--config=${tools}/redocly.yaml`, '--format=json')
    expect((JSON.parse(stdout) as { totals: Json }).totals).toMatchObject({ errors: 0, warnings: 0 })
  })

  it('spectral finds nothing', async () => {
    const rules = `--ruleset=${tools}/spectral.yaml`
    const { stdout } = await tool(
      'spectral',
      'lint',
      file,
      rules,
      '--fail-severity=hint',
      '--format=json',
      '--quiet',
    )
    expect(JSON.parse(stdout)).toEqual([])
  })

  it('openapi-typescript and openapi-ts generate clients that compile', async () => {
    const types = path.join(folder, 'types.ts')
    const client = path.join(folder, 'client')
    await Promise.all([
      tool('openapi-typescript', file, '-o', types),
      tool('openapi-ts', '-i', file, '-o', client, '--no-log-file'),
    ])
    const sdk = readFileSync(path.join(client, 'sdk.gen.ts'), 'utf8')
    expect(contracts.filter(({ id }) => !sdk.includes(`export const ${id} = `)).map(({ id }) => id)).toEqual(
      [],
    )
    const browser = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--module', 'esnext']
    const strict = [
      '--strict',
      '--noEmit',
      '--skipLibCheck',
      '--moduleResolution',
      'bundler',
      '--ignoreConfig',
    ]
    const tsc = path.join(process.cwd(), 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [tsc, ...browser, ...strict, types, path.join(client, 'index.ts')])
  })
})

async function installTools(): Promise<void> {
  const stamp = path.join(tools, 'node_modules/.package-lock.json')
  const wanted = readFileSync(path.join(tools, 'package-lock.json'), 'utf8')
  const installed = path.join(tools, 'node_modules/.installed-lock.json')
  if (existsSync(stamp) && existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: tools })
  writeFileSync(installed, wanted)
}
