import fc from 'fast-check'
import type { Route } from '#foundation/contract.ts'
import { hostileBody, hostileValue, inputFor } from './arbitrary-input.ts'
import type { Pools } from './arbitrary-input.ts'
import type { RawRequest } from './raw-request.ts'

/** A generated request, the contract that it was derived from, and its kind of caller. */
export type Generated = {
  /** The contract that the request is for; undefined for pages and for paths that do not exist. */
  contract: Route | undefined
  as: (typeof callers)[number]
  request: RawRequest
}

/** The callers: nobody, staff (session token), a customer (access token, both tokens), half signed in, an agent, a program, and made-up tokens. */
const callers = ['nobody', 'session', 'bearer', 'both', 'pending', 'agent', 'program', 'junk'] as const

// `CALLER=agent` sends all requests as that one kind of caller.
const chosen = callers.filter((name) => name === (process.env['CALLER'] ?? name))

/** Generates requests to all contracts, to all other paths of the product, and to paths that do not exist. */
export function generatedRequest(contracts: readonly Route[], pools: Pools): fc.Arbitrary<Generated> {
  const onRoute = contracts.map((contract) => requestOn(contract, pools))
  return fc.oneof(
    { weight: 14, arbitrary: onRoute.length > 0 ? fc.oneof(...onRoute) : elsewhere },
    { weight: 2, arbitrary: elsewhere },
    { weight: 1, arbitrary: brokenTransport },
  )
}

function requestOn(contract: Route, pools: Pools): fc.Arbitrary<Generated> {
  const valid = contract.body ? inputFor(contract.body, pools) : fc.constant(undefined)
  const body = fc.oneof(
    { weight: 4, arbitrary: valid.map((value) => (value === undefined ? undefined : JSON.stringify(value))) },
    { weight: 5, arbitrary: hostileBody(valid) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
  const params = contract.params ? inputFor(contract.params, pools) : fc.constant({})
  const query = contract.query ? inputFor(contract.query, pools) : fc.constant({})
  const declared = contract.headers ? inputFor(contract.headers, pools) : fc.constant({})
  const method = fc.oneof(
    { weight: 19, arbitrary: fc.constant<string>(contract.method) },
    { weight: 1, arbitrary: anyMethod },
  )
  return fc
    .record({
      as: fc.constantFrom(...chosen),
      method,
      body,
      params,
      query,
      declared,
      junkQuery: rarely(queryJunk),
      extra: headers,
      contentType,
    })
    .map(({ as, method, body, params, query, declared, junkQuery, extra, contentType }) => ({
      contract: method === contract.method ? contract : undefined,
      as,
      request: {
        method,
        target: pathOf(contract.path, params as Fields) + queryText(query as Fields) + (junkQuery ?? ''),
        headers: [
          ...headerPairs(declared as Fields),
          ...extra,
          ...(body === undefined ? [] : bodyHeaders(body, contentType)),
        ],
        body: body === undefined ? undefined : Buffer.from(body, 'utf8'),
      },
    }))
}

type Fields = Record<string, unknown>

const pathOf = (template: string, params: Fields) =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeLoosely(String(params[name])))

function queryText(query: Fields): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeLoosely(String(value))}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

// A lone surrogate cannot be percent-encoded, so it is replaced, as a careless client would do.
const encodeLoosely = (text: string) => encodeURIComponent(text.toWellFormed())

// Control characters would end the header, so they are replaced here; `brokenTransport` sends them.
const headerPairs = (fields: Fields): [string, string][] =>
  // oxlint-disable-next-line no-control-regex
  Object.entries(fields).map(([name, value]) => [
    name,
    String(value).replaceAll(/[\x00-\x1f\x7f]|[^\x00-\xff]/g, '?'),
  ])

function bodyHeaders(body: string, contentType: string | undefined): [string, string][] {
  const length: [string, string] = ['Content-Length', String(Buffer.byteLength(body))]
  return contentType === undefined ? [length] : [['Content-Type', contentType], length]
}

const anyMethod = fc.constantFrom(
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'SEARCH',
)

const contentType = fc.oneof(
  { weight: 16, arbitrary: fc.constant<string | undefined>('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom<string | undefined>(
      undefined,
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/json; charset=utf-16',
      'application/jsonx',
      '/',
      '',
      ';',
      'application/json, text/plain',
      '*/*',
    ),
  },
)

const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 5, nil: undefined })

const queryJunk = fc.constantFrom(
  '?',
  '?a',
  '?a=1&a=2',
  '?__proto__=1',
  '?a[b]=1',
  '?%',
  '?%zz=%f0',
  '?a=%00',
  '&&&',
  '?constructor[prototype][x]=1',
  `?${'a=1&'.repeat(900)}`,
  '?passwordless',
  '?key=%C3%28',
)

const headers: fc.Arbitrary<[string, string][]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<[string, string][]>([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.constantFrom<[string, string]>(
        ['Accept-Language', 'de'],
        ['Accept-Language', 'xx;q=,,;=,ru'],
        ['Accept-Language', 'a'.repeat(4_000)],
        ['Accept', 'text/html'],
        ['User-Agent', '\xff\xfe<script>'],
        ['User-Agent', 'x'.repeat(5_000)],
        ['X-Forwarded-For', '1.2.3.4'],
        ['X-Forwarded-For', 'x'.repeat(300)],
        ['X-Forwarded-Host', 'evil.example'],
        ['X-Forwarded-Proto', 'javascript'],
        ['Forwarded', 'for="[::1'],
        ['Cookie', 'csrftoken=1; a=%'],
        ['Cookie', '\xff'],
        ['Authorization', 'Bearer'],
        ['Authorization', 'Basic YTpi'],
        ['authorization', 'bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
        ['X-Session-Token', ''],
        ['X-Session-Token', 'x'.repeat(3_000)],
        ['x-session-token', '\xe9'],
        ['X-Request-Id', '\xff'.repeat(100)],
        ['If-None-Match', '*'],
        ['Range', 'bytes=9-1'],
        ['Content-Encoding', 'gzip'],
        ['X-HTTP-Method-Override', 'DELETE'],
        ['Origin', 'null'],
        ['X-Email-Verification-Key', 'a:b:\xff'],
        ['X-Password-Reset-Key', ''],
        ['Last-Event-ID', '-1'],
        ['Accept-Version', '9.9.9'],
        ['Accept-Encoding', 'br;q=x, *;q=0'],
      ),
      { minLength: 1, maxLength: 3 },
    ),
  },
)

const elsewhere: fc.Arbitrary<Generated> = fc
  .record({
    as: fc.constantFrom(...chosen),
    method: fc.oneof({ weight: 3, arbitrary: fc.constant('GET') }, { weight: 1, arbitrary: anyMethod }),
    target: fc.oneof(
      fc.constantFrom(
        '/',
        '/account',
        '/account/',
        '/account/servers/',
        '/account/auth?reset=%zz',
        '/account/assets/',
        '/account/assets/none.js',
        '/account/../../package.json',
        '/account/%2e%2e/%2e%2e/package.json',
        '/account/..%2f..%2fpackage.json',
        '/account/index.html',
        '/account/a%00b',
        '/healthz',
        '/readyz',
        '/metrics',
        '/favicon.ico',
        '/dev/mail',
        '/dev/mail/',
        '/dev/mail/latest',
        '/dev/mail/latest?to=',
        '/dev/mail/latest?to=a&to=b',
        '/dev/mail/1',
        '/dev/mail/00000000-0000-0000-0000-000000000000',
        '/dev/mail/%27',
        '/api',
        '/api/',
        '/agent/',
        '/agent/install.sh',
        '/agent/licence.mjs',
        '/agent/licence.test.ts',
        '/agent/..%2fpackage.json',
        '/agent/%00',
        '/agent/constructor',
        '/api/docs',
        '/api/docs/',
        '/api/docs/errors/index.md',
        '/api/docs/..%2fapi/start.md',
        '/llms.txt',
        '/api/openapi.json',
        '/api/live',
        '/api/live/',
        '/api/live/?after=x',
        '/api/live/?after=-1',
        '/api/allauth',
        '/api/allauth/app/v1',
        '/api/allauth/app/v1/',
        '/api/allauth/browser/v1/config',
        '/api//users/detail/',
        '/api/users/detail',
        '/API/USERS/DETAIL/',
        '//',
        '//evil.example/',
        '/.well-known/',
        '/%',
        '/%zz',
        '/%ff',
        '/%c0%ae',
        '/?',
        `/${'a/'.repeat(2_000)}`,
        `/api/${'x'.repeat(7_000)}`,
        '/api/users/detail/;a=1',
      ),
      fc
        .array(
          fc.oneof(
            fc.webSegment(),
            fc.constantFrom('..', '.', '%2e', '%', '', '__proto__', ':id', '{id}', '*'),
          ),
          { maxLength: 6 },
        )
        .map((parts) => `/${parts.join('/')}`),
      fc.webPath(),
    ),
    extra: headers,
    body: rarely(hostileValue.map((value) => JSON.stringify(value) ?? '')),
  })
  .map(({ as, method, target, extra, body }) => ({
    contract: undefined,
    as,
    request: {
      method,
      target: target === '' ? '/' : target,
      headers: [...extra, ...(body === undefined ? [] : bodyHeaders(body, 'application/json'))],
      body: body === undefined ? undefined : Buffer.from(body),
    },
  }))

/** Generates requests that are not valid HTTP, or only just valid. */
const brokenTransport: fc.Arbitrary<Generated> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'FOO', 'get', '', 'CONNECT', 'GET GET', '\0'),
    target: fc.constantFrom(
      '/',
      '/api/users/detail/',
      '*',
      'http://evil.example/',
      '/\xff',
      '/ a',
      '',
      'a',
      '/#',
      '/\0',
    ),
    header: fc.constantFrom<[string, string]>(
      ['Content-Length', '-1'],
      ['Content-Length', 'x'],
      ['Content-Length', '0'],
      ['Transfer-Encoding', 'x'],
      ['Transfer-Encoding', 'chunked'],
      ['Expect', '100-continue'],
      ['Expect', 'x'],
      ['Upgrade', 'websocket'],
      ['A b', 'c'],
      ['', 'x'],
      ['X', '\0'],
      ['X', 'y'.repeat(20_000)],
      ['Host', 'a'],
      ['Content-Type', '\x01'],
      ['X', 'a\r\n b'],
    ),
    body: rarely(fc.string({ unit: 'binary', maxLength: 40 })),
  })
  .map(({ method, target, header, body }) => ({
    contract: undefined,
    as: 'nobody' as const,
    request: {
      method,
      target,
      headers: [header],
      body: body === undefined ? undefined : Buffer.from(body, 'latin1'),
      hangsUp: true,
    },
  }))
