import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { login } from '#features/auth/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { clearSession, seeSession, storedSession } from '#foundation/web/api/stored-session.ts'
import { EmailField } from '#foundation/web/ui/text-field.tsx'
import { render } from '#tests/web/render.tsx'
import { requests, reply, resetWire } from '#tests/web/wire.ts'
import { offerPasskeys } from './passkey-autofill.ts'

const LOGIN = '/api/allauth/app/v1/auth/login'
const path = '/api/allauth/app/v1/auth/webauthn/login'
const request_options = { publicKey: { challenge: 'Y2hhbGxlbmdl', rpId: 'localhost', allowCredentials: [] } }
const options = {
  status: 200,
  body: { status: 200, data: { request_options }, meta: { session_token: 'of the challenge' } },
}
const bytes = new Uint8Array([1, 2, 3]).buffer
/** The credential that a browser returns when the user has chosen a passkey in the field. */
const chosen = {
  id: 'AQID',
  rawId: bytes,
  type: 'public-key',
  response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes, userHandle: null },
  getClientExtensionResults: () => ({}),
}
const asked = async () => (await requests()).filter((request) => request.path === path).length

let choose: (credential: unknown) => void = () => {}
const ask = vi.fn<(options?: CredentialRequestOptions) => Promise<Credential | null>>()

beforeEach(async () => {
  clearSession(seeSession())
  await resetWire()
  await reply(`GET ${path}`, options)
  // The browser's own list of passkeys is not part of the page, so it is simulated here.
  ask.mockReset().mockImplementation((given) => {
    const { promise, resolve, reject } = Promise.withResolvers<Credential | null>()
    choose = (credential) => resolve(credential as Credential)
    given?.signal?.addEventListener('abort', () => reject(new DOMException('called off', 'AbortError')))
    return promise
  })
  vi.spyOn(navigator.credentials, 'get').mockImplementation(ask)
  vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(true)
  await render(<EmailField name="email" label="Email" autoComplete="username webauthn" />)
})
afterEach(() => vi.restoreAllMocks())

it('offers passkeys in the field, and stores no session until one is used', async () => {
  const signIn = vi.fn(() => Promise.resolve(undefined))
  const stop = offerPasskeys(signIn, () => {})
  await expect.poll(() => ask.mock.lastCall?.[0]?.mediation).toBe('conditional')
  expect(storedSession.sessionToken()).toBeNull()
  choose(chosen)
  await expect
    .poll(() => signIn)
    .toHaveBeenCalledWith(expect.objectContaining({ id: 'AQID', type: 'public-key' }), expect.anything())
  expect(signIn).toHaveBeenCalledWith(expect.anything(), 'of the challenge')
  expect(storedSession.sessionToken()).toBeNull()
  stop()
})

it('shows why a passkey was refused', async () => {
  const told: unknown[] = []
  const stop = offerPasskeys(
    () => Promise.resolve({ errors: [{ code: 'passkey_unknown' }] }),
    (errors) => told.push(...errors),
  )
  await expect.poll(() => ask).toHaveBeenCalledOnce()
  choose(chosen)
  await expect.poll(() => told).toEqual([{ code: 'passkey_unknown' }])
  stop()
})

it('ends with the page: the request is aborted, and signs nobody in', async () => {
  const signIn = vi.fn(() => Promise.resolve(undefined))
  const stop = offerPasskeys(signIn, () => {})
  await expect.poll(() => ask).toHaveBeenCalledOnce()
  stop()
  await expect.poll(() => ask.mock.lastCall?.[0]?.signal?.aborted).toBe(true)
  expect(signIn).not.toHaveBeenCalled()
  expect(storedSession.sessionToken()).toBeNull()
})

it('sends no request if the browser cannot offer them', async () => {
  vi.mocked(PublicKeyCredential.isConditionalMediationAvailable).mockResolvedValue(false)
  const stop = offerPasskeys(
    () => Promise.resolve(undefined),
    () => {},
  )
  await vi.waitFor(() => expect(PublicKeyCredential.isConditionalMediationAvailable).toHaveBeenCalled(), {
    timeout: 15_000,
  })
  stop()
  expect(await asked()).toBe(0)
})

it.each([
  ['before', [0, 150]],
  ['after', [150, 0]],
] as const)(
  'rule 57: the challenge of the offer, answered %s a password login, leaves the session of its second step, and no passkey takes its place',
  async (_order, [login_ms, challenge_ms]) => {
    const step = { status: 401, body: { status: 401, meta: { session_token: 'of the second step' } } }
    await resetWire()
    await reply(`POST ${LOGIN}`, { ...step, hold_ms: login_ms })
    await reply(`GET ${path}`, { ...options, hold_ms: challenge_ms })
    const signIn = vi.fn(() => Promise.resolve(undefined))
    const stop = offerPasskeys(signIn, () => {})
    await expect.poll(asked).toBe(1)
    await call(login, { body: { email: 'anna@example.org', password: 'a password' } })
    await expect.poll(() => ask).toHaveBeenCalledOnce()
    expect(storedSession.sessionToken()).toBe('of the second step')
    choose(chosen)
    await ask.mock.results[0]?.value
    // The second step is sent with the token of the password login.
    await call(login, { body: { email: 'anna@example.org', password: 'a password' } })
    const sent = (await requests()).filter((request) => request.path === LOGIN)
    expect(sent.map(({ headers }) => headers['x-session-token'])).toEqual([undefined, 'of the second step'])
    expect(signIn).not.toHaveBeenCalled()
    stop()
  },
)
