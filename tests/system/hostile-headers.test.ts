import { expect, it } from 'vitest'
import { AUTH } from '#foundation/session-contract.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { password, signedIn } from './people.ts'
import { sendRaw } from './raw-request.ts'

const settings = { RATE_LIMIT_SCALE: '1000000', TRUSTED_PROXIES: '1' }
const behindProxy = await startTestApp({ settings })
const person = await signedIn(behindProxy.app)

/** Every header that some part of the server or of its libraries reads. */
const headers = [
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'Forwarded',
  'User-Agent',
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Authorization',
  'X-Session-Token',
  'X-Email-Verification-Key',
  'X-Password-Reset-Key',
  'X-Request-Id',
  'X-CSRFToken',
  'Cookie',
  'Idempotency-Key',
  'Last-Event-ID',
  'If-None-Match',
  'If-Modified-Since',
  'Range',
  'Content-Encoding',
  'Stripe-Signature',
  'Expect',
  'Upgrade',
  'TE',
]

const hostile = [
  '',
  'unknown',
  '203.0.113.9:51234',
  '[2001:db8::1]:443',
  '::1%eth0',
  "'; drop table sessions; --",
  '\u00ff\u0080\u009f',
  'a'.repeat(4000),
  'Bearer eyJhbGciOiJub25lIn0.e30.',
  'bytes=9-1,-0,99999999999999999999-',
  '%00%ff%,{"a":',
]

const requests = [
  { method: 'GET', target: '/api/users/detail/' },
  { method: 'GET', target: `${AUTH}/auth/email/verify` },
  { method: 'POST', target: `${AUTH}/tokens/refresh`, body: '{"refresh_token":"x"}' },
]

it('rule 41: no value of any header makes a 5xx', async () => {
  for (const name of headers) {
    const answers = await Promise.all(
      requests.flatMap(({ method, target, body }) =>
        hostile.map(async (value) => {
          const { status } = await send(method, target, [[name, value]], body)
          return { line: `${method} ${target} ${name}: ${value.slice(0, 60)}`, status }
        }),
      ),
    )
    expect(answers.filter(isFault)).toEqual([])
  }
})

it('rule 41: signs in and up whatever the proxy sends about the caller', async () => {
  for (const value of hostile.slice(0, 7)) {
    const login = JSON.stringify({ email: person.email, password })
    const signup = JSON.stringify({ email: anyEmail(), password: 'a-harbour-of-74-lanterns' })
    const from: [string, string][] = [
      ['X-Forwarded-For', value],
      ['User-Agent', value],
    ]
    expect((await send('POST', `${AUTH}/auth/login`, from, login)).status, value).toBe(200)
    expect((await send('POST', `${AUTH}/auth/signup`, from, signup)).status, value).toBe(401)
  }
})

// A busy machine may turn a request away with 503, for reasons that have nothing to do with the headers.
const isFault = ({ status }: { status: number }) => status === 0 || (status >= 500 && status !== 503)

it('rule 41: warns once that forwarded requests arrive without a trusted proxy', async () => {
  const { url, logged, app } = await startTestApp()
  const warnings = () =>
    logged.filter(({ level, msg }) => level === 'warn' && String(msg).includes('TRUSTED_PROXIES'))
  await fetch(`${url}/healthz`)
  expect(warnings()).toEqual([])
  for (const forwarded of ['203.0.113.9', 'unknown'])
    await fetch(`${url}/healthz`, { headers: { 'x-forwarded-for': forwarded } })
  expect(warnings()).toHaveLength(1)
  await expect.poll(() => app.db.selectFrom('observations').select('name').execute()).toHaveLength(1)
})

function send(method: string, target: string, extra: [string, string][], body?: string) {
  const names = new Set(extra.map(([name]) => name.toLowerCase()))
  const usual: [string, string][] = [
    ['Host', 'localhost'],
    ['Authorization', `Bearer ${person.access_token}`],
    ['Content-Type', 'application/json'],
    ...(body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))] as [string, string]]),
  ]
  const isLogin = /login|signup/.test(target)
  const kept = usual.filter(
    ([name]) => !names.has(name.toLowerCase()) && !(isLogin && name === 'Authorization'),
  )
  return sendRaw(behindProxy.url, {
    method,
    target,
    headers: [...kept, ...extra],
    body: body === undefined ? undefined : Buffer.from(body),
  })
}
