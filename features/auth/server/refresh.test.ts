import { decodeJwt, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { updateUser } from '#foundation/server/session/session.ts'
import { AUTH } from '#foundation/session-contract.ts'
import * as contract from '#features/auth/contract.ts'
import { makeAccount, signIn } from '#tests/contract/accounts.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })

const refresh = (refresh_token: string) => client().call(contract.refreshTokens, { body: { refresh_token } })

it('rule 19: a refresh token gives another pair', async () => {
  const browser = client()
  const account = await makeAccount(app)
  await signIn(browser, account)
  const reply = await refresh(must(browser.refresh_token))
  expect(reply.body).toEqual({
    status: 200,
    data: { access_token: expect.any(String), refresh_token: expect.any(String) },
  })
  const claims = decodeJwt(reply.body.data.access_token)
  expect(claims).toMatchObject({ sub: account.user_id, token_use: 'access', jti: expect.any(String) })
  expect(must(claims.exp) - must(claims.iat)).toBe(300)
  const detail = await client().get('/api/users/detail/', { access_token: reply.body.data.access_token })
  expect(detail.status).toBe(200)
})

it('rule 43: a lost answer is given again, until its tokens were used', async () => {
  const browser = client()
  await signIn(browser, await makeAccount(app))
  const lost = await refresh(must(browser.refresh_token))
  expect((await refresh(must(browser.refresh_token))).body).toEqual(lost.body)
  const next = await refresh(lost.body.data.refresh_token)
  expect(next.status).toBe(200)
  const stolen = await refresh(must(browser.refresh_token))
  expect(stolen).toMatchObject({ status: 400, body: { status: 400 } })
  expect(stolen.body).not.toHaveProperty('errors')
  expect((await browser.call(contract.getSession, {})).status).toBe(410)
  expect((await refresh(next.body.data.refresh_token)).status).toBe(400)
})

it('refuses anything that is not, or is no longer, a refresh token of ours', async () => {
  const browser = client()
  const account = await makeAccount(app)
  await signIn(browser, account)
  const { access_token, refresh_token } = browser
  const forged = await new SignJWT(decodeJwt(must(refresh_token)))
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode('a key of somebody else, long enough'))
  for (const token of ['nonsense', must(access_token), forged])
    expect((await refresh(token)).status).toBe(400)
  const asBearer = await client().get('/api/users/detail/', { access_token: must(refresh_token) })
  expect(asBearer.status, 'a refresh token opens nothing').toBe(401)
  const none = await client().post<{ errors: object[] }>(`${AUTH}/tokens/refresh`, {})
  expect(none.body.errors).toMatchObject([{ code: 'required', param: 'refresh_token' }])
  await transaction(app, 'system', (tx) => updateUser(tx, account.user_id, { is_active: false }))
  expect((await refresh(must(refresh_token))).status).toBe(400)
})
