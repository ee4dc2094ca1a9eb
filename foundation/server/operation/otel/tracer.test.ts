import { execFileSync } from 'node:child_process'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { afterAll, afterEach, expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { startTraces } from '#foundation/server/operation/start-traces.ts'
import { traced } from '#foundation/server/operation/tracing.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const value = z.union([z.object({ stringValue: z.string() }), z.object({ intValue: z.string() })])
const attributes = z.array(z.object({ key: z.string(), value }))
const span = z.object({
  traceId: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  spanId: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  parentSpanId: z.optional(z.string()),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string().check(z.regex(/^\d{19}$/)),
  endTimeUnixNano: z.string().check(z.regex(/^\d{19}$/)),
  attributes,
  status: z.object({ code: z.number(), message: z.optional(z.string()) }),
})
const request = z.object({
  resourceSpans: z.array(
    z.object({ resource: z.object({ attributes }), scopeSpans: z.array(z.object({ spans: z.array(span) })) }),
  ),
})

// The receiver stands in for the collector. It answers the first request with 503, as a busy collector does.
const received: { headers: http.IncomingHttpHeaders; body: z.output<typeof request> }[] = []
let isBusy = true
const receiver = http.createServer((incoming, reply) => {
  void json(incoming).then((sent) => {
    if (!isBusy) received.push({ headers: incoming.headers, body: request.parse(sent) })
    reply.writeHead(isBusy ? 503 : 200).end('{}')
    isBusy = false
  })
})
await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
afterAll(() => void receiver.close())

const { app, api, logged } = await startTestApp({ settings: { TRUSTED_PROXIES: '1' } })
let stop = async () => {}
afterEach(() => stop())
const start = async (env: NodeJS.ProcessEnv) =>
  (stop = await startTraces(env, { log: app.log, version: '1.2.3' }))

it('a request is sent as an OTLP span whose parent is the span of its caller, with its SQL statements as children', async () => {
  await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key' })
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await api.get('/api/allauth/app/v1/auth/session', { session_token: 'nobody', headers: { traceparent } })
  await traced('job wash', {}, () => Promise.reject(new Error('no water'))).catch(() => {})
  await stop()
  const [{ headers, body }] = received as [(typeof received)[number]]
  expect(headers['x-key']).toBe('a key')
  const [{ resource, scopeSpans }] = body.resourceSpans as [(typeof body.resourceSpans)[number]]
  expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'hostdesk' } })
  expect(resource.attributes).toContainEqual({ key: 'service.version', value: { stringValue: '1.2.3' } })
  const spans = must(scopeSpans[0]).spans
  const served = must(spans.find(({ name }) => name.startsWith('GET ')))
  expect(served).toMatchObject({
    traceId: traceparent.slice(3, 35),
    parentSpanId: traceparent.slice(36, 52),
    kind: 2,
  })
  expect(served.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: '410' } })
  const [statement] = spans.filter(({ parentSpanId }) => parentSpanId === served.spanId)
  expect(statement).toMatchObject({ name: 'SELECT', kind: 3, traceId: served.traceId })
  expect(JSON.stringify(statement?.attributes)).toContain('select')
  expect(JSON.stringify(body), 'values of statements are rows of customers').not.toContain('nobody')
  expect(spans.find(({ name }) => name === 'job wash')).toMatchObject({
    status: { code: 2, message: 'no water' },
  })
})

it('a receiver that is away costs a line in the log and nothing else', async () => {
  await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect((await api.get('/api/languages/list/')).status).toBe(200)
  await stop()
  expect(logged.filter(({ msg }) => String(msg).startsWith('traces: '))).toHaveLength(1)
})

it('refuses an exporter, a protocol or a sampler that it does not support', async () => {
  await expect(start({ OTEL_TRACES_EXPORTER: 'zipkin' })).rejects.toThrow('OTEL_TRACES_EXPORTER')
  const grpc = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
  await expect(start(grpc)).rejects.toThrow('http/json')
  const sampler = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: 'jaeger_remote' }
  await expect(start(sampler)).rejects.toThrow('OTEL_TRACES_SAMPLER')
})

it('no module of the OpenTelemetry SDK is loaded while traces are off', () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { startTraces } = await import('#foundation/server/operation/start-traces.ts')
    await import('#app/server/server.ts')
    await startTraces({ OTEL_SERVICE_NAME: 'set alone it asks for nothing' }, {})
    const sdk = () => loaded.filter((url) => /@opentelemetry\\/(?!api\\/)/.test(url)).length
    const before = sdk()
    await startTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, {})
    console.log(before, sdk() > 10)`
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  // The interface alone (@opentelemetry/api) is loaded: prom-client requires it.
  expect(said.trim()).toBe('0 true')
})
