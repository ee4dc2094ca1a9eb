import { Secret } from 'otpauth'
import pg from 'pg'
import { expect, it } from 'vitest'
import * as auth from '#features/auth/contract.ts'
import { must } from '#foundation/must.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { keyIn, totpCode } from '#tests/contract/accounts.ts'
import { everyRow } from '#tests/harness/every-trace.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const { app, client, mails, logged } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000000' } })

type Recorded = { call: string; text: string }
const replies: Recorded[] = []
recordReplies()

/** A secret: its kind, its value, and the calls whose answers may contain it. */
type Planted = { what: string; value: string; handedOutBy: RegExp }
const planted: Planted[] = []
const never = /^$/

it('rules 15, 35: a whole life of an account leaves no secret in logs, in other answers, or in the database', async () => {
  await liveThrough()
  expect(planted.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      'password',
      'verification key',
      'session token',
      'access token',
      'refresh token',
      'TOTP secret',
      'agent token',
      'recovery code',
      'reset key',
    ]),
  )
  const rows = await everyRow(app.ownerUrl)
  // Without rows, answers and log lines the search would find no leak at all.
  expect(rows.length).toBeGreaterThan(30)
  expect(replies.length).toBeGreaterThan(25)
  expect(logged.length).toBeGreaterThan(25)
  expect(findIn(rows, 'database'), 'in the database').toEqual([])
  expect(
    findIn(
      logged.map((line) => JSON.stringify(line)),
      'log',
    ),
    'in the log',
  ).toEqual([])
  expect(findInReplies(replies), 'in an answer that does not hand it out').toEqual([])
})

it('rules 15, 35: the search finds a secret wherever a careless line would leave it, in any spelling', async () => {
  const [{ value }] = planted as [Planted]
  const secret = must(planted.find(({ what }) => what === 'TOTP secret')).value
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  await owner.query('create table careless (a text, b bytea, c jsonb, d bytea)')
  const spellings = [
    value,
    Buffer.from(value),
    JSON.stringify({ deep: [value] }),
    Buffer.from(Secret.fromBase32(secret).bytes),
  ]
  for (const [place, spelling] of spellings.entries()) {
    const column = must('abcd'[place])
    await owner.query(`insert into careless (${column}) values ($1)`, [spelling])
    expect(findIn(await everyRow(app.ownerUrl), 'database'), `column ${column}`).toHaveLength(1)
    await owner.query('delete from careless')
  }
  await owner.query('drop table careless')
  await owner.end()
  app.log.warn({ detail: `tried ${value}` }, 'careless')
  expect(findIn([JSON.stringify(logged.at(-1))], 'log')).toHaveLength(1)
  expect(
    findInReplies([{ call: 'GET /api/users/detail/', text: JSON.stringify({ name: value }) }]),
  ).toHaveLength(1)
})

it('rule 35: a name that sounds like a secret is blotted out wherever it is logged', () => {
  app.log.error(
    {
      body: { password: 'x-marks-it', nested: [{ session_token: 'x-marks-it' }] },
      authorization: 'x-marks-it',
    },
    'careless',
  )
  expect(JSON.stringify(logged.at(-1))).not.toContain('x-marks-it')
})

/** Goes from the sign-up to a password reset, with all kinds of refused requests, since these are logged and answered too. */
async function liveThrough(): Promise<void> {
  const email = 'planted@example.com'
  const first = plant('password', 'wooden-lantern-4711', never)
  const browser = client()
  await browser.call(auth.signup, { body: { email, password: first, repeat_password: first } })
  await browser.post(`${AUTH}/auth/login`, `{"email": "${email}", "password": "${first}"`)
  await browser.post(`${AUTH}/auth/login`, `email=${email}&password=${first}`, {
    headers: { 'content-type': 'text/plain' },
  })
  await browser.post(`${AUTH}/auth/login`, { email: first, password: { [first]: first } })

  const verification = plant('verification key', keyIn((await mails.next(email)).text, 'verify'), never)
  await browser.get(`${AUTH}/auth/email/verify`, { headers: { 'x-email-verification-key': verification } })
  await browser.post(`${AUTH}/auth/email/verify`, { key: `${verification}x` })
  await browser.get(`/account/auth?verify=${verification}`)
  await browser.post(`${AUTH}/auth/email/verify`, { key: verification })

  await browser.post(`${AUTH}/auth/login`, { email, password: `${first}!` })
  await browser.post(`${AUTH}/auth/login`, { email, password: first })
  const totp = await browser.get<{ meta: { secret: string } }>(`${AUTH}/account/authenticators/totp`)
  const secret = plant('TOTP secret', totp.body.meta.secret, /GET .*authenticators\/totp$/)
  await browser.post(`${AUTH}/account/authenticators/totp`, { code: '000000' })
  expect((await browser.post(`${AUTH}/account/authenticators/totp`, { code: totpCode(secret) })).status).toBe(
    200,
  )
  const recovery = await browser.get<{ data: { unused_codes: string[] } }>(
    `${AUTH}/account/authenticators/recovery-codes`,
  )
  const codes = recovery.body.data.unused_codes.map((code) =>
    plant('recovery code', code, /authenticators\/recovery-codes$/),
  )
  await browser.post(`${AUTH}/tokens/refresh`, { refresh_token: browser.refresh_token })
  await browser.post(`${AUTH}/tokens/refresh`, { refresh_token: browser.access_token })
  await browser.post(`${AUTH}/auth/reauthenticate`, { password: first })

  const headers = { 'idempotency-key': 'the-first-host' }
  const host = await browser.post<{ id: string }>('/api/hosts/', { name: 'mine' }, { headers })
  const made = await browser.post<{ token: string }>(`/api/hosts/${host.body.id}/agent-token/`, undefined, {
    headers,
  })
  await client().get('/api/hosts/', { headers: { authorization: `Bearer ${made.body.token}` } })
  await browser.patch(`/api/hosts/${host.body.id}/`, { name: made.body.token, token: made.body.token })

  const second = plant('password', 'copper-raincoat-1138', never)
  await browser.post(`${AUTH}/account/password/change`, { current_password: second, new_password: first })
  expect(
    (await browser.post(`${AUTH}/account/password/change`, { current_password: first, new_password: second }))
      .status,
  ).toBe(200)
  await browser.patch('/api/users/update/', { name: 'Anna', password: second })
  await browser.delete(`${AUTH}/auth/session`)
  await browser.get('/api/users/detail/')

  const other = client()
  await other.post(`${AUTH}/auth/login`, { email, password: second })
  await other.post(`${AUTH}/auth/2fa/authenticate`, { code: '999999' })
  expect((await other.post(`${AUTH}/auth/2fa/authenticate`, { code: codes[0] })).status).toBe(200)
  await other.get(`${AUTH}/auth/sessions`)
  await other.get(`${AUTH}/account/authenticators`)

  await client().call(auth.requestReset, { body: { email } })
  const { text } = await mails.about(email, /[?&]reset=/)
  const reset = plant('reset key', keyIn(text, 'reset'), never)
  await client().get(`${AUTH}/auth/password/reset`, { headers: { 'x-password-reset-key': reset } })
  const third = plant('password', 'silver-compass-2001', never)
  await client().post(`${AUTH}/auth/password/reset`, { key: `${reset}x`, password: third })
  expect((await client().post(`${AUTH}/auth/password/reset`, { key: reset, password: third })).status).toBe(
    401,
  )
  await other.get('/api/users/detail/')
}

function plant(what: string, value: string, handedOutBy: RegExp): string {
  expect(value.length, what).toBeGreaterThanOrEqual(8)
  planted.push({ what, value, handedOutBy })
  return value
}

/** Listens to every answer, and plants the tokens that answers bring. */
function recordReplies(): void {
  const real = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const response = await real(input, init)
    const url = new URL(input instanceof Request ? input.url : input)
    const text = await response.clone().text()
    const headers = JSON.stringify([...response.headers])
    const place = replies.push({
      call: `${init?.method ?? 'GET'} ${url.pathname}`,
      text: `${headers} ${text}`,
    })
    const mark = `#${place}`
    must(replies[place - 1]).call += mark
    const handedOutBy = new RegExp(`${mark}$`)
    for (const [name, what] of [
      ['session_token', 'session token'],
      ['access', 'access token'],
      ['access_token', 'access token'],
      ['refresh', 'refresh token'],
      ['refresh_token', 'refresh token'],
      ['token', 'agent token'],
    ] as const) {
      const value = new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1]
      if (value) plant(what, value, handedOutBy)
    }
    return response
  }
}

function findIn(texts: readonly string[], where: string): string[] {
  return texts.flatMap((text) =>
    planted
      .filter(({ value, what }) => holds(text, value, what))
      .map(({ what }) => `${what} in ${where}: ${text.slice(0, 200)}`),
  )
}

function findInReplies(recorded: readonly Recorded[]): string[] {
  return recorded.flatMap(({ call, text }) =>
    planted
      .filter(
        ({ value, what, handedOutBy }) =>
          !handedOutBy.test(call) && !handedOutBy.test(call.replace(/#\d+$/, '')) && holds(text, value, what),
      )
      .map(({ what }) => `${what} in ${call}: ${text.slice(0, 200)}`),
  )
}

/** True if a text holds a secret. A secret of digits must have no digits beside it: long numbers and hashes hold any eight digits. */
function holds(text: string, value: string, what: string): boolean {
  if (/^\d+$/.test(value)) return new RegExp(`(?<![\\da-f.])${value}(?![\\da-f])`).test(text)
  return spellings(value, what).some((spelling) => text.includes(spelling))
}

/** Returns the value as it is, and as bytes in the forms in which a database or a log prints bytes. */
function spellings(value: string, what: string): string[] {
  const bytes = Buffer.from(value)
  const raw = what === 'TOTP secret' ? [Buffer.from(Secret.fromBase32(value).bytes).toString('hex')] : []
  return [
    value,
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    encodeURIComponent(value),
    ...raw,
  ]
}
