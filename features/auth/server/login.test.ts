import pg from 'pg'
import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { updateUser, lockUser } from '#foundation/server/session/session.ts'
import { AUTH } from '#foundation/session-contract.ts'
import * as contract from '#features/auth/contract.ts'
import { makeAccount, password, signIn, switchOnTotp, totpCode } from '#tests/contract/accounts.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client, mails } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const strict = await startTestApp({ settings: { TRUSTED_PROXIES: '1' } })

const login = (email: string, secret = password) => ({ body: { email, password: secret } })
const from = (n: number) => ({ headers: { 'x-forwarded-for': `192.0.2.${n}` } })
const by = (agent: string) => ({ headers: { 'user-agent': agent } })
type ErrorReply = { errors: { code: string; param?: string }[] }

it('A-02 signs in with e-mail and password', async () => {
  const account = await makeAccount(app)
  const reply = await client().call(contract.login, login(account.email))
  expect(reply).toMatchObject({
    status: 200,
    body: {
      data: { user: { id: account.user_id }, methods: [{ method: 'password', email: account.email }] },
      meta: {
        is_authenticated: true,
        session_token: expect.any(String),
        access_token: { access: expect.any(String), refresh: expect.any(String) },
      },
    },
  })
})

it('A-14 a wrong password and an unknown address get the same answer', async () => {
  const { email } = await makeAccount(app)
  const wrong = await client().call(contract.login, login(email, 'something-else-9'))
  const unknown = await client().call(contract.login, login('nobody@example.com'))
  expect(wrong.status).toBe(400)
  expect(wrong.body).toEqual(unknown.body)
  expect((wrong.body as unknown as ErrorReply).errors).toMatchObject([
    { code: 'email_password_mismatch', param: 'password' },
  ])
})

it('rule 15: an unknown address costs the work of a wrong password', async () => {
  const { email } = await makeAccount(app)
  const took = { [email]: [] as number[], 'nobody@example.com': [] as number[] }
  // In turns, so that other load on the machine slows both equally.
  for (let round = 0; round < 9; round += 1) {
    for (const [address, times] of Object.entries(took)) {
      const start = performance.now()
      await client().call(contract.login, login(address, 'something-else-9'))
      times.push(performance.now() - start)
    }
  }
  const [known_ms, unknown_ms] = Object.values(took).map((times) =>
    must(times.toSorted((one, other) => one - other)[4]),
  ) as [number, number]
  expect(unknown_ms / known_ms).toBeGreaterThan(0.4)
  expect(unknown_ms / known_ms).toBeLessThan(2.5)
})

it('V-01 names each wrong field', async () => {
  const reply = await client().call(contract.login, login('no address', ' '))
  expect((reply.body as unknown as ErrorReply).errors).toMatchObject([
    { code: 'invalid', param: 'email' },
    { code: 'required', param: 'password' },
  ])
})

it('a signed-in user gets 409 for the right password and 400 for a wrong one', async () => {
  const account = await makeAccount(app)
  const browser = client()
  await signIn(browser, account)
  expect((await browser.call(contract.login, login(account.email))).body).toEqual({ status: 409 })
  expect((await browser.call(contract.login, login(account.email, 'something-else-9'))).status).toBe(400)
})

it('an account that is switched off gets a token without a next step, and only for the right password', async () => {
  const account = await makeAccount(app)
  await transaction(app, 'system', (tx) => updateUser(tx, account.user_id, { is_active: false }))
  const reply = await client().call(contract.login, login(account.email))
  expect(reply).toMatchObject({ status: 401, body: { meta: { session_token: expect.any(String) } } })
  expect(JSON.stringify(reply.body)).not.toContain('is_pending')
  expect((await client().call(contract.login, login(account.email, 'something-else-9'))).status).toBe(400)
})

it('A-03 with a second factor answers 401 and a token, and a code finishes the login', async () => {
  const account = await makeAccount(app)
  const browser = client()
  await signIn(browser, account)
  const secret = await switchOnTotp(browser)
  const other = client()
  const first = await other.call(contract.login, login(account.email))
  expect(first).toMatchObject({
    status: 401,
    body: {
      data: {
        flows: expect.arrayContaining([
          { id: 'mfa_authenticate', is_pending: true, types: ['recovery_codes', 'totp'] },
        ]),
      },
      meta: { is_authenticated: false, session_token: expect.any(String) },
    },
  })
  const pendingToken = other.session_token
  expect((await other.get('/api/users/detail/')).status, 'half a login opens nothing').toBe(401)

  const wrong = await other.call(contract.authenticateByCode, { body: { code: '123' } })
  expect((wrong.body as unknown as ErrorReply).errors).toMatchObject([
    { code: 'incorrect_code', param: 'code' },
  ])
  const again = await other.call(contract.login, login(account.email))
  expect(again.status).toBe(401)
  expect(other.session_token, 'a token that is sent goes on').toBe(pendingToken)

  const done = await other.call(contract.authenticateByCode, { body: { code: totpCode(secret) } })
  expect(done).toMatchObject({
    status: 200,
    body: {
      data: { methods: [{ method: 'password' }, { method: 'mfa', type: 'totp', id: expect.any(Number) }] },
      meta: { session_token: expect.any(String), access_token: { access: expect.any(String) } },
    },
  })
  expect(other.session_token).not.toBe(pendingToken)
  const dead = await client().call(contract.getSession, {}, { session_token: must(pendingToken) })
  expect(dead.status).toBe(410)
  const late = await other.call(contract.authenticateByCode, { body: { code: totpCode(secret) } })
  expect(late.status, 'no such step any more').toBe(401)
})

it('A-03 a recovery code works as the second step, once', async () => {
  const account = await makeAccount(app)
  const browser = client()
  await signIn(browser, account)
  await switchOnTotp(browser)
  const { body } = await browser.get<{ data: { unused_codes: string[] } }>(
    `${AUTH}/account/authenticators/recovery-codes`,
  )
  const code = must(body.data.unused_codes[3])
  const other = client()
  await other.call(contract.login, login(account.email))
  const done = await other.call(contract.authenticateByCode, { body: { code } })
  expect(done).toMatchObject({ status: 200, body: { data: { methods: [{}, { type: 'recovery_codes' }] } } })
  const third = client()
  await third.call(contract.login, login(account.email))
  expect((await third.call(contract.authenticateByCode, { body: { code } })).status).toBe(400)
})

it('a second step without a login, or after its time, answers 401', async () => {
  expect((await client().call(contract.authenticateByCode, { body: { code: '123456' } })).status).toBe(401)
  const account = await makeAccount(app)
  const browser = client()
  await signIn(browser, account)
  const secret = await switchOnTotp(browser)
  const other = client()
  await other.call(contract.login, login(account.email))
  await app.db
    .updateTable('pending_logins')
    .set({ stage_at: new Date(Date.now() - 901_000) })
    .where('user_id', '=', account.user_id)
    .execute()
  const late = await other.call(contract.authenticateByCode, { body: { code: totpCode(secret) } })
  expect(late).toMatchObject({ status: 401, body: { meta: { is_authenticated: false } } })
})

it('an unproven address waits for its proof before the second step', async () => {
  const { mails } = strict
  const account = await makeAccount(strict.app, { verified: false })
  const browser = strict.client()
  const reply = await browser.call(contract.login, login(account.email))
  expect(reply).toMatchObject({
    status: 401,
    body: { data: { flows: expect.arrayContaining([{ id: 'verify_email', is_pending: true }]) } },
  })
  const mail = await mails.next(account.email)
  expect(mail.text).toContain('verify=')
  await browser.call(contract.login, login(account.email))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(mails.all.filter((sent) => sent.to_address === account.email)).toHaveLength(1)
})

it('notifies the owner of a sign-in from a new device', async () => {
  const account = await makeAccount(app)
  await client().call(contract.login, login(account.email), by('Firefox/100.0 (Linux)'))
  await client().call(contract.login, login(account.email), by('Firefox/101.3 (Linux)'))
  await client().call(contract.login, login(account.email), by('Safari/26 (iPhone)'))
  const mail = await mails.next(account.email)
  expect(mail.text).toContain('Safari/26 (iPhone)')
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(mails.all.filter((sent) => sent.to_address === account.email)).toHaveLength(1)
})

it('rule 5: a sign-in that began with the old password is refused after the change', async () => {
  const account = await makeAccount(app)
  const { setPassword, hashPassword } = await import('#features/security/server/security.ts')
  const hash = await hashPassword('another-lantern-5')
  const trying = await transaction(app, 'system', async (tx) => {
    await lockUser(tx, account.user_id)
    const begun = client().call(contract.login, login(account.email))
    // The sign-in has accepted the old password, and waits for the lock on the account, which this transaction holds.
    await expect.poll(waitingForLocks, { timeout: 20_000, interval: 10 }).toBeGreaterThan(0)
    await setPassword(app, tx, account.user_id, hash)
    return [begun]
  })
  expect(await trying[0]).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'email_password_mismatch' }] },
  })
})

/** Returns how many connections wait for a lock. The schema's owner asks, since the application's role cannot see this. */
async function waitingForLocks(): Promise<number> {
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  const { rows } = await owner.query<{ waiting: number }>(
    "select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  await owner.end()
  return must(rows[0]).waiting
}

it('A-14 the sixth failure of an address is refused, and so is the right password', async () => {
  const account = await makeAccount(strict.app)
  for (let n = 1; n <= 5; n += 1) {
    const reply = await strict
      .client()
      .call(contract.login, login(account.email, 'something-else-9'), from(n))
    expect((reply.body as unknown as ErrorReply).errors[0]?.code).toBe('email_password_mismatch')
  }
  const right = await strict.client().call(contract.login, login(account.email), from(6))
  expect(right.status, 'throttled is 400, not 429').toBe(400)
  expect((right.body as unknown as ErrorReply).errors).toEqual([
    expect.not.objectContaining({ param: expect.anything() }),
  ])
  expect((right.body as unknown as ErrorReply).errors[0]?.code).toBe('too_many_login_attempts')
})

it('rule 18: a success refunds its attempt and never clears the failures counted for the address', async () => {
  const account = await makeAccount(strict.app)
  const here = { headers: { 'x-forwarded-for': '198.51.100.7' } }
  for (let n = 0; n < 12; n += 1) {
    expect((await strict.client().call(contract.login, login(account.email), here)).status).toBe(200)
  }
  for (let n = 0; n < 10; n += 1) {
    await strict.client().call(contract.login, login(`nobody-${n}@example.com`), here)
    if (n === 5)
      expect((await strict.client().call(contract.login, login(account.email), here)).status).toBe(200)
  }
  const refused = await strict.client().call(contract.login, login(account.email), here)
  expect((refused.body as unknown as ErrorReply).errors[0]?.code).toBe('too_many_login_attempts')
})

it('more than 30 posts a minute from one address answer 429 with Retry-After', async () => {
  const here = { headers: { 'x-forwarded-for': '203.0.113.9' } }
  const replies = await Promise.all(
    Array.from({ length: 35 }, () => strict.client().post(`${AUTH}/auth/login`, {}, here)),
  )
  expect(replies.filter((reply) => reply.status === 400)).toHaveLength(30)
  const refused = replies.filter((reply) => reply.status === 429)
  expect(refused).toHaveLength(5)
  expect(must(refused[0]).body).toEqual({ status: 429 })
  expect(Number(must(refused[0]).headers.get('retry-after'))).toBeGreaterThan(0)
})
