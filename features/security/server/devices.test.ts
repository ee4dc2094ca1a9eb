import { expect, it } from 'vitest'
import * as contract from '#features/security/contract.ts'
import { must } from '#foundation/must.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { makeAccount, signIn } from '#tests/contract/accounts.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import type { Client } from '#tests/harness/client.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const path = `${AUTH}/auth/sessions`

async function twoDevices() {
  const account = await makeAccount(app)
  const [one, other] = [client(), client()]
  await signIn(one, account)
  await signIn(other, account)
  return { account, one, other }
}

async function devicesOf(api: Client): Promise<contract.Device[]> {
  const reply = await api.call(contract.listDevices, {})
  if (reply.status !== 200) throw new Error(`not 200 but ${reply.status}`)
  return reply.body.data
}

it("lists the devices the account is signed in on, and marks the caller's", async () => {
  const { one, other } = await twoDevices()
  const devices = await devicesOf(other)
  expect(devices).toMatchObject([
    { ip: '127.0.0.1', is_current: false, user_agent: 'node', created_at: expect.any(Number) },
    { is_current: true },
  ])
  for (const at of [must(devices[0]).created_at, must(devices[0]).last_seen_at])
    expect(Math.abs(Date.now() / 1000 - at)).toBeLessThan(30)
  expect((await devicesOf(one)).map((device) => device.is_current)).toEqual([true, false])
})

it('rule 5: a device that was signed out is out at its next call, with all its tokens', async () => {
  const { one, other } = await twoDevices()
  const [first] = await devicesOf(other)
  const reply = await other.call(contract.endDevices, { body: { sessions: [must(first).id] } })
  expect(reply).toMatchObject({ status: 200, body: { data: [{ is_current: true }] } })
  expect((await one.get(`${AUTH}/auth/session`)).status).toBe(410)
  expect((await one.get('/api/users/detail/', { session_token: null })).status).toBe(401)
  const refresh = await one.post(
    `${AUTH}/tokens/refresh`,
    { refresh_token: one.refresh_token },
    { session_token: null },
  )
  expect(refresh.status).toBe(400)
})

it('signing out all devices, including the one in use, answers 401 and ends every session', async () => {
  const { one, other } = await twoDevices()
  const sessions = (await devicesOf(one)).map((device) => device.id)
  const reply = await one.call(contract.endDevices, { body: { sessions } })
  expect(reply).toMatchObject({ status: 401, body: { meta: { is_authenticated: false } } })
  for (const api of [one, other]) expect((await api.get(`${AUTH}/auth/session`)).status).toBe(410)
})

it('rule 4: an unknown id and another’s refuse the whole call alike', async () => {
  const [mine, theirs] = [await twoDevices(), await twoDevices()]
  const [own, foreign] = [await devicesOf(mine.one), await devicesOf(theirs.one)]
  const bodies = await Promise.all(
    [must(foreign[0]).id, 999_999_999].map((id) =>
      mine.one.delete(path, { sessions: [must(own[1]).id, id] }),
    ),
  )
  for (const reply of bodies) {
    expect(reply).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'invalid_choice', param: 'sessions' }] },
    })
  }
  expect(must(bodies[0]).body).toEqual(must(bodies[1]).body)
  expect(await devicesOf(mine.one)).toHaveLength(2)
  expect(await devicesOf(theirs.one)).toHaveLength(2)
})

it.each([
  [{}, 'required'],
  [{ sessions: null }, 'required'],
  [{ sessions: [] }, 'required'],
  [{ sessions: 7 }, 'invalid_list'],
  [{ sessions: { id: 7 } }, 'invalid_list'],
  [{ sessions: ['abc'] }, 'invalid_pk_value'],
  [{ sessions: [1.5] }, 'invalid_pk_value'],
  [{ sessions: [null] }, 'invalid_pk_value'],
])('V-03 %j is refused as %s', async (body, code) => {
  const { one } = await twoDevices()
  expect(await one.delete(path, body)).toMatchObject({
    status: 400,
    body: { errors: [{ code, param: 'sessions' }] },
  })
})
