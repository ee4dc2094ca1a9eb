import { expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import * as contract from '#features/auth/contract.ts'
import { insertAddress } from '#features/profile/server/profile.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { keyIn, makeAccount, password, signIn, type Account } from '#tests/contract/accounts.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client, mails } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })

type ErrorReply = { errors: { code: string; param?: string }[] }
const codesOf = (reply: { body: unknown }) =>
  (reply.body as ErrorReply).errors.map(({ code, param }) => `${code}@${param}`)
const verify = (key: string) => ({ body: { key } })

/** Signs in with an unproven address. Returns the key that is mailed then. */
async function keyFor({ email }: Account): Promise<string> {
  await client().call(contract.login, { body: { email, password } })
  return keyIn((await mails.next(email)).text, 'verify')
}

it('A-04 a key works once, on any device, and makes all other keys void', async () => {
  const account = await makeAccount(app, { verified: false })
  const first = await keyFor(account)
  const second = await keyFor(account)
  const seen = await client().call(contract.inspectVerification, {
    headers: { 'x-email-verification-key': first },
  })
  expect(seen.body).toMatchObject({ data: { email: account.email }, meta: { is_authenticating: false } })
  expect((await client().call(contract.verifyEmail, verify(first))).status).toBe(401)
  for (const key of [first, second, 'nonsense']) {
    expect(codesOf(await client().call(contract.verifyEmail, verify(key)))).toEqual([
      'invalid_or_expired_key@key',
    ])
    expect(
      codesOf(
        await client().call(contract.inspectVerification, { headers: { 'x-email-verification-key': key } }),
      ),
    ).toEqual(['invalid_or_expired_key@key'])
  }
  await signIn(client(), account)
})

it('takes the key from the header too, and asks for it if there is none (D9)', async () => {
  const account = await makeAccount(app, { verified: false })
  const key = await keyFor(account)
  expect(codesOf(await client().call(contract.inspectVerification, { headers: {} }))).toEqual([
    'required@key',
  ])
  expect(codesOf(await client().call(contract.verifyEmail, { body: {} }))).toEqual(['required@key'])
  const headers = { 'x-email-verification-key': key }
  const reply = await client().call(contract.verifyEmail, { body: {} }, { headers })
  expect(reply.status).toBe(401)
})

it('a signed-in user stays signed in, whichever account the address belongs to', async () => {
  const key = await keyFor(await makeAccount(app, { verified: false }))
  const browser = client()
  const account = await makeAccount(app)
  await signIn(browser, account)
  const reply = await browser.call(contract.verifyEmail, verify(key))
  expect(reply).toMatchObject({ status: 200, body: { data: { user: { id: account.user_id } } } })
  expect(reply.body.meta).toEqual({ is_authenticated: true })
})

it('an address that another account proved is taken', async () => {
  const email = anyEmail()
  const account = await makeAccount(app, { verified: false, email })
  const key = await keyFor(account)
  const other = await makeAccount(app)
  await transaction(app, 'system', (tx) =>
    insertAddress(tx, { user_id: other.user_id, email, is_primary: false, verified: true }),
  )
  expect(codesOf(await client().call(contract.verifyEmail, verify(key)))).toEqual(['email_taken@key'])
  expect(
    codesOf(
      await client().call(contract.inspectVerification, { headers: { 'x-email-verification-key': key } }),
    ),
  ).toEqual(['email_taken@key'])
})

it('a verification key is void after 24 hours, as is the claim to the address that the key proves', async () => {
  const account = await makeAccount(app, { verified: false })
  const key = await keyFor(account)
  await app.db
    .deleteFrom('verification_keys')
    .where('expires_at', '<', new Date(Date.now() + 0.9 * 86_400_000))
    .execute()
  expect(
    (await client().call(contract.inspectVerification, { headers: { 'x-email-verification-key': key } }))
      .status,
  ).toBe(200)
  await app.db
    .deleteFrom('verification_keys')
    .where('expires_at', '<', new Date(Date.now() + 86_400_000))
    .execute()
  expect(codesOf(await client().call(contract.verifyEmail, verify(key)))).toEqual([
    'invalid_or_expired_key@key',
  ])
})

it('a pending sign-up that was proven elsewhere has nothing to send again', async () => {
  const account = await makeAccount(app, { verified: false })
  const browser = client()
  await browser.call(contract.login, { body: { email: account.email, password } })
  const key = keyIn((await mails.next(account.email)).text, 'verify')
  await client().call(contract.verifyEmail, verify(key))
  expect((await browser.call(contract.resendVerification, {})).body).toEqual({ status: 409 })
})
