import { expect, it } from 'vitest'
import { AUTH } from '#foundation/session-contract.ts'
import type { Client } from '#tests/harness/client.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { keyIn, password, totpCode } from './accounts.ts'
import { SoftwarePasskey } from './software-passkey.ts'
import { document, faultsOf, watchContract } from './check-contract.ts'

const { seen } = watchContract()
const { client, mails } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })

const email = 'walker@example.com'
const second = 'steady-lantern-19'
type Data<T> = { data: T }

it('every account call of the interface answers as its document says', async () => {
  const browser = client()
  const post = (path: string, body?: unknown) => browser.post(`${AUTH}${path}`, body)
  await browser.get(`${AUTH}/config`)
  await post('/auth/code/request', { email })
  await post('/auth/code/confirm', { code: 'x' })
  await post('/auth/code/resend')

  await post('/auth/signup', { email, password, repeat_password: password })
  await post('/auth/email/verify/resend')
  const key = keyIn((await mails.next(email)).text, 'verify')
  await browser.get(`${AUTH}/auth/email/verify`, { headers: { 'x-email-verification-key': key } })
  await post('/auth/email/verify', { key })
  await post('/auth/login', { email, password: 'wrong-lantern-1' })
  await post('/auth/login', { email, password })
  await browser.get(`${AUTH}/auth/session`)

  await manageAddresses(browser)
  const code = await proveWithFactors(browser)
  await proveAgain(browser, code)
  await post('/account/password/change', { current_password: password, new_password: 'x' })
  const changed = await post('/account/password/change', { current_password: password, new_password: second })
  expect(changed.status).toBe(200)
  await post('/tokens/refresh', { refresh_token: browser.refresh_token })
  const devices = await browser.get<Data<{ id: number }[]>>(`${AUTH}/auth/sessions`)
  await browser.delete(`${AUTH}/auth/sessions`, { sessions: devices.body.data.map(({ id }) => id) })
  await browser.get(`${AUTH}/account/email`)

  await resetPassword()
  await client().delete(`${AUTH}/auth/session`)

  const called = new Set([...seen].map((answer) => answer.split(' ').slice(0, 2).join(' ')))
  const missing = Object.entries(document.paths)
    .flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    .filter((operation) => !called.has(operation))
  expect(missing).toEqual([])
})

it('an answer whose status or body does not fit the API document is reported as a fault', () => {
  const path = `${AUTH}/auth/session`
  expect(faultsOf('GET', path, 200, { status: 200 })).toHaveLength(2)
  expect(faultsOf('GET', path, 401, { status: 400 })).toHaveLength(1)
  expect(faultsOf('GET', path, 206, { status: 206 })).toHaveLength(1)
  const meta = { is_authenticated: false }
  expect(faultsOf('GET', path, 401, { status: 401, data: { flows: [{ id: 'guess' }] }, meta })).toHaveLength(
    1,
  )
  expect(faultsOf('GET', path, 401, { status: 401, data: { flows: [] }, meta })).toEqual([])
})

async function manageAddresses(browser: Client): Promise<void> {
  const path = `${AUTH}/account/email`
  await browser.get(path)
  await browser.post(path, { email: 'second@example.com' })
  await browser.put(path, { email: 'second@example.com' })
  await browser.patch(path, { email: 'second@example.com', primary: true })
  await browser.delete(path, { email })
  const removed = await browser.delete(path, { email: 'second@example.com' })
  expect(removed.status).toBe(200)
}

/** Switches on the authenticator app and a passkey, and reads and uses them. Returns an unused recovery code. */
async function proveWithFactors(browser: Client): Promise<string> {
  const path = `${AUTH}/account/authenticators`
  await browser.get(`${path}/recovery-codes`)
  await browser.post(`${path}/recovery-codes`)
  const asked = await browser.get<{ meta: { secret: string } }>(`${path}/totp`)
  await browser.post(`${path}/totp`, { code: '000' })
  const on = await browser.post(`${path}/totp`, { code: totpCode(asked.body.meta.secret) })
  expect(on.status).toBe(200)
  await browser.get(`${path}/totp`)
  await browser.get(path)
  await browser.post(`${path}/recovery-codes`)
  const { body } = await browser.get<Data<{ unused_codes: string[] }>>(`${path}/recovery-codes`)

  type Creation = Data<{ creation_options: { publicKey: { challenge: string } } }>
  const creation = await browser.get<Creation>(`${path}/webauthn?passwordless`)
  const passkey = new SoftwarePasskey()
  const credential = passkey.register(creation.body.data.creation_options.publicKey)
  const added = await browser.post<Data<{ id: number }>>(`${path}/webauthn`, { name: 'Key', credential })
  expect(added.status).toBe(200)
  const { id } = added.body.data
  await browser.put(`${path}/webauthn`, { id, name: 'Other' })
  await browser.get(path)
  await answerPasskey(browser, passkey, 'reauthenticate')
  await comeInWith(passkey)
  const [one, other] = body.data.unused_codes as [string, string]
  await comeInWithCode(one)
  await browser.delete(`${path}/webauthn`, { authenticators: [id] })
  return other
}

type Request = Data<{ request_options: { publicKey: { challenge: string } } }>

async function answerPasskey(browser: Client, passkey: SoftwarePasskey, step: string): Promise<void> {
  const { body } = await browser.get<Request>(`${AUTH}/auth/webauthn/${step}`)
  const credential = passkey.answer(body.data.request_options.publicKey)
  expect((await browser.post(`${AUTH}/auth/webauthn/${step}`, { credential })).status).toBe(200)
}

async function comeInWith(passkey: SoftwarePasskey): Promise<void> {
  await answerPasskey(client(), passkey, 'login')
  const half = client()
  await half.post(`${AUTH}/auth/login`, { email, password })
  await answerPasskey(half, passkey, 'authenticate')
}

async function comeInWithCode(code: string): Promise<void> {
  const half = client()
  await half.post(`${AUTH}/auth/login`, { email, password })
  await half.get(`${AUTH}/auth/session`)
  await half.post(`${AUTH}/auth/2fa/authenticate`, { code: 'x' })
  expect((await half.post(`${AUTH}/auth/2fa/authenticate`, { code })).status).toBe(200)
}

async function proveAgain(browser: Client, code: string): Promise<void> {
  await browser.post(`${AUTH}/auth/reauthenticate`, { password: 'x' })
  await browser.post(`${AUTH}/auth/reauthenticate`, { password })
  expect((await browser.post(`${AUTH}/auth/2fa/reauthenticate`, { code })).status).toBe(200)
  await browser.delete(`${AUTH}/account/authenticators/totp`)
}

async function resetPassword(): Promise<void> {
  const stranger = client()
  await stranger.post(`${AUTH}/auth/password/request`, { email })
  const key = keyIn((await mails.about(email, 'reset=')).text, 'reset')
  await stranger.get(`${AUTH}/auth/password/reset`, { headers: { 'x-password-reset-key': key } })
  await stranger.post(`${AUTH}/auth/password/reset`, { key, password: '1' })
  await stranger.post(`${AUTH}/auth/password/reset`, { key, password: 'patient-anchor-58' })
}
