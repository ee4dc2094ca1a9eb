import { expect, it } from 'vitest'
import * as contract from '#features/security/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { lockUser, updateUser } from '#foundation/server/session/session.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { makeAccount, password, signIn, totpCode } from '#tests/contract/accounts.ts'
import { ageProofs } from '#tests/contract/sessions.ts'
import { SoftwarePasskey } from '#tests/contract/software-passkey.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import type { Client } from '#tests/harness/client.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client, mails } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const without = await startTestApp({ settings: { PASSKEYS: 'off' } })
const path = `${AUTH}/account/authenticators/webauthn`
const totpPath = `${AUTH}/account/authenticators/totp`
const proofPath = `${AUTH}/auth/webauthn/reauthenticate`
const incorrect = { status: 400, body: { errors: [{ code: 'incorrect_code', param: 'credential' }] } }

async function signedIn() {
  const account = await makeAccount(app)
  const api = client()
  await signIn(api, account)
  return { account, api }
}

type Options = {
  challenge: string
  rp: { id: string }
  rpId: string
  allowCredentials: { id: string }[]
  excludeCredentials: { id: string }[]
}

async function creation(api: Client, query: Record<string, string> = {}): Promise<Options> {
  const reply = await api.get<{ data: { creation_options: { publicKey: Options } } }>(path, { query })
  expect(reply.status).toBe(200)
  return reply.body.data.creation_options.publicKey
}

async function add(api: Client, { name, passwordless }: { name?: string; passwordless?: boolean } = {}) {
  const key = new SoftwarePasskey()
  const credential = key.register(await creation(api, passwordless ? { passwordless: '' } : {}))
  const reply = await api.call(contract.addPasskey, { body: { ...(name ? { name } : {}), credential } })
  if (reply.status !== 200) throw new Error(`not added: ${reply.status}`)
  return { key, ...reply.body }
}

async function proofOptions(api: Client): Promise<Options> {
  const reply = await api.get<{ data: { request_options: { publicKey: Options } } }>(proofPath)
  expect(reply.status).toBe(200)
  return reply.body.data.request_options.publicKey
}

it('adds a passkey: recovery codes with the first factor, a mail, and it is listed', async () => {
  const { account, api } = await signedIn()
  const first = await add(api, { name: 'Blue key', passwordless: true })
  expect(first.data).toMatchObject({
    type: 'webauthn',
    name: 'Blue key',
    is_passwordless: true,
    last_used_at: null,
  })
  expect(first.meta).toEqual({ recovery_codes_generated: true })
  const second = await add(api)
  expect(second).toMatchObject({
    data: { name: 'Passkey', is_passwordless: false },
    meta: { recovery_codes_generated: false },
  })
  const list = await api.call(contract.listAuthenticators, {})
  expect(list.body).toMatchObject({
    data: [{ name: 'Blue key' }, { type: 'recovery_codes' }, { name: 'Passkey' }],
  })
  await mails.about(account.email, /^A passkey was added$/)
})

it('recognises the same passkey and refuses it', async () => {
  const { api } = await signedIn()
  const { key } = await add(api)
  const options = await creation(api)
  expect(options.rp.id).toBe('localhost')
  expect(options.excludeCredentials.map(({ id }) => id)).toEqual([key.id])
  expect(await api.post(path, { credential: key.register(options) })).toMatchObject(incorrect)
})

it('rule 17: a challenge registers once, and only the session that asked', async () => {
  const { api } = await signedIn()
  const options = await creation(api)
  const other = await signedIn()
  const key = new SoftwarePasskey()
  expect(await other.api.post(path, { credential: key.register(options) })).toMatchObject(incorrect)
  const replies = await Promise.all(
    Array.from({ length: 5 }, () =>
      api.copy().post(path, { credential: new SoftwarePasskey().register(options) }),
    ),
  )
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
})

it('refuses a credential of another site, and values that are no credential', async () => {
  const { api } = await signedIn()
  const options = await creation(api)
  const elsewhere = new SoftwarePasskey().register(options, 'https://hostdesk.example')
  expect(await api.post(path, { credential: elsewhere })).toMatchObject(incorrect)
  for (const credential of [{}, [], 'text', { id: 'x', rawId: 'x', type: 'public-key', response: 7 }]) {
    expect(await api.post(path, { credential })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'invalid', param: 'credential' }] },
    })
  }
  expect(await api.post(path, {})).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'required', param: 'credential' }] },
  })
})

it('a key that may sign in alone must know its owner', async () => {
  const { api } = await signedIn()
  const key = new SoftwarePasskey()
  key.verifiesUser = false
  const credential = key.register(await creation(api, { passwordless: '' }))
  expect(await api.post(path, { credential })).toMatchObject(incorrect)
})

it('A-06 proves with a passkey, each answer once', async () => {
  const { account, api } = await signedIn()
  const { key, data } = await add(api)
  await ageProofs(app, account)
  expect((await api.get(path)).status).toBe(401)
  const options = await proofOptions(api)
  expect(options).toMatchObject({ rpId: 'localhost', allowCredentials: [{ id: key.id }] })
  const credential = key.answer(options)
  const reply = await api.call(contract.reauthenticateByPasskey, { body: { credential } })
  expect(reply).toMatchObject({
    status: 200,
    body: { data: { methods: [{}, {}, { method: 'mfa', type: 'webauthn', id: data.id }] } },
  })
  expect(await api.post(proofPath, { credential })).toMatchObject(incorrect)
  expect((await api.get(path)).status).toBe(200)
})

it('a counter that goes back means a copied key', async () => {
  const { api } = await signedIn()
  const { key } = await add(api)
  expect((await api.post(proofPath, { credential: key.answer(await proofOptions(api)) })).status).toBe(200)
  key.counter = 0
  expect(await api.post(proofPath, { credential: key.answer(await proofOptions(api)) })).toMatchObject(
    incorrect,
  )
})

it('rule 1: another’s passkey proves nothing', async () => {
  const [one, other] = [await signedIn(), await signedIn()]
  const { key } = await add(other.api)
  await add(one.api)
  expect(
    await one.api.post(proofPath, { credential: key.answer(await proofOptions(one.api)) }),
  ).toMatchObject(incorrect)
})

it('renames and removes; the last one takes the recovery codes along', async () => {
  const { api } = await signedIn()
  const { data } = await add(api)
  const renamed = await api.call(contract.renamePasskey, { body: { id: data.id, name: ' Office ' } })
  expect(renamed).toMatchObject({ status: 200, body: { data: { id: data.id, name: 'Office' } } })
  expect((await api.call(contract.removePasskeys, { body: { authenticators: [data.id] } })).status).toBe(200)
  expect((await api.call(contract.listAuthenticators, {})).body).toMatchObject({ data: [] })
})

it('rule 4: an unknown passkey and another’s are refused alike', async () => {
  const [one, other] = [await signedIn(), await signedIn()]
  const { data } = await add(other.api)
  for (const id of [data.id, 999_999]) {
    const rename = await one.api.put(path, { id, name: 'Mine now' })
    expect(rename).toMatchObject({ status: 400, body: { errors: [{ code: 'invalid_choice', param: 'id' }] } })
    const remove = await one.api.delete(path, { authenticators: [id] })
    expect(remove).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'invalid_choice', param: 'authenticators' }] },
    })
  }
  const list = await one.api.delete(path, { authenticators: 'all' })
  expect(list).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'invalid_list', param: 'authenticators' }] },
  })
})

it('rule 20: an old proof neither adds, renames nor removes', async () => {
  const { account, api } = await signedIn()
  const { key, data } = await add(api)
  const credential = new SoftwarePasskey().register(await creation(api))
  await ageProofs(app, account)
  expect((await api.post(path, { credential })).status).toBe(401)
  expect((await api.put(path, { id: data.id, name: 'Other' })).status).toBe(401)
  expect((await api.delete(path, { authenticators: [data.id] })).status).toBe(401)
  await api.call(contract.reauthenticate, { body: { password } })
  expect((await api.post(path, { credential })).status, 'the password alone').toBe(401)
  await api.post(proofPath, { credential: key.answer(await proofOptions(api)) })
  expect((await api.post(path, { credential })).status).toBe(200)
})

const acts = {
  'the activation of an app': async (api: Client) => {
    const { body } = await api.get<{ meta: { secret: string } }>(totpPath)
    return () => api.post(totpPath, { code: totpCode(body.meta.secret) })
  },
  'a passkey': async (api: Client) => {
    const credential = new SoftwarePasskey().register(await creation(api))
    return () => api.post(path, { credential })
  },
}

it.each(Object.entries(acts))(
  'rule 20: %s is judged again under the lock, by the factor that appears while it waits',
  async (_what, prepare) => {
    const { account, api } = await signedIn()
    const act = await prepare(api)
    const [late] = await transaction(app, 'system', async (tx) => {
      await lockUser(tx, account.user_id)
      const running = act()
      await expect.poll(waitingForLocks, { interval: 10 }).toBeGreaterThan(0)
      await updateUser(tx, account.user_id, { factors: ['webauthn'] })
      return [running]
    })
    expect(await late).toMatchObject({
      status: 401,
      body: { data: { flows: [{ id: 'mfa_reauthenticate' }] } },
    })
    expect((await api.call(contract.listAuthenticators, {})).body).toMatchObject({ data: [] })
  },
)

it('rule 20: of an app and a passkey that are added at once, by the password alone, one is the first', async () => {
  const { account, api } = await signedIn()
  const other = client()
  await signIn(other, account)
  const [activate, add] = [await acts['the activation of an app'](api), await acts['a passkey'](other)]
  const replies = await Promise.all([activate(), add()])
  expect(replies.map(({ status }): number => status).toSorted((one, next) => one - next)).toEqual([200, 401])
})

async function waitingForLocks(): Promise<number> {
  const rows = await asOwner(
    { app },
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rows.length
}

it('an unverified address is a reason to refuse', async () => {
  const { account, api } = await signedIn()
  await api.post(`${AUTH}/account/email`, { email: `second-${account.email}` })
  expect(await api.get(path)).toMatchObject({ status: 409, body: { errors: [{ code: 'unverified_email' }] } })
})

it('a passkey signs in without a password only if it was added as passwordless', async () => {
  const { account, api } = await signedIn()
  const [alone, second] = [await add(api, { passwordless: true }), await add(api)]
  const login = `${AUTH}/auth/webauthn/login`
  for (const [key, status] of [
    [alone.key, 200],
    [second.key, 400],
  ] as const) {
    const other = client()
    const options = await other.get<{ data: { request_options: { publicKey: Options } } }>(login)
    const credential = key.answer(options.body.data.request_options.publicKey)
    const reply = await other.post(login, { credential })
    expect(reply.status).toBe(status)
    if (status === 200)
      expect(reply.body).toMatchObject({
        data: {
          user: { id: account.user_id },
          methods: [{ method: 'mfa', type: 'webauthn', passwordless: true }],
        },
      })
  }
})

it('the passkey routes answer 404 where passkeys are switched off', async () => {
  const api = without.client()
  await signIn(api, await makeAccount(without.app))
  expect((await api.get(path)).status).toBe(404)
  expect((await api.post(path, { credential: {} })).status).toBe(404)
  expect((await api.put(path, { id: 1, name: 'x' })).status).toBe(404)
  expect((await api.delete(path, { authenticators: [1] })).status).toBe(404)
  expect((await api.get(proofPath)).status).toBe(404)
})
