import { expect, it } from 'vitest'
import * as contract from '#features/security/contract.ts'
import { must } from '#foundation/must.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { makeAccount, signIn, switchOnTotp, totpCode } from '#tests/contract/accounts.ts'
import type { Reply } from '#tests/harness/client.ts'
import { startTestApp, type TestApp } from '#tests/harness/test-app.ts'

const loose = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const strict = await startTestApp()
const path = `${AUTH}/auth/2fa/reauthenticate`

async function withTotp({ app, client }: TestApp) {
  const account = await makeAccount(app)
  const api = client()
  await signIn(api, account)
  return { account, api, secret: await switchOnTotp(api) }
}

type Refused = { errors?: { code: string }[] }

/** Counts the replies by error code, or by status if there is none. A machine under load may refuse some as `unavailable`. */
function tally(replies: Reply<Refused>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of replies) {
    const answer = body.errors?.[0]?.code ?? String(status)
    counts[answer] = (counts[answer] ?? 0) + 1
  }
  return counts
}

const atOnce = (times: number, call: (place: number) => Promise<Reply<Refused>>) =>
  Promise.all(Array.from({ length: times }, (_, place) => call(place))).then(tally)

it('rule 17: when one TOTP code is posted 100 times at once, exactly one post is accepted', async () => {
  const { api, secret } = await withTotp(loose)
  const code = totpCode(secret)
  const { unavailable = 0, ...judged } = await atOnce(100, () => api.copy().post<Refused>(path, { code }))
  expect(judged).toEqual({ '200': 1, incorrect_code: 99 - unavailable })
})

it('rule 17: when one recovery code is posted 100 times at once, exactly one post is accepted', async () => {
  const { api } = await withTotp(loose)
  const codes = await api.call(contract.getRecoveryCodes, {})
  if (codes.status !== 200) throw new Error('no codes')
  const code = must(codes.body.data.unused_codes[0])
  const { unavailable = 0, ...judged } = await atOnce(100, () => api.copy().post<Refused>(path, { code }))
  expect(judged).toEqual({ '200': 1, incorrect_code: 99 - unavailable })
  const after = await api.call(contract.getRecoveryCodes, {})
  expect(after.body).toMatchObject({ data: { unused_code_count: 9 } })
})

it('rule 18: of 200 wrong codes at once exactly five are judged, and the right one is refused too', async () => {
  const { api, secret } = await withTotp(strict)
  const wrong = totpCode(secret, 50)
  const answers = await atOnce(200, () => api.copy().post<Refused>(path, { code: wrong }))
  const { unavailable = 0, incorrect_code = 0 } = answers
  expect(incorrect_code).toBeLessThanOrEqual(5)
  expect(incorrect_code + unavailable).toBeGreaterThanOrEqual(5)
  const right = await api.post(path, { code: totpCode(secret) })
  expect(right).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'too_many_login_attempts', param: 'code' }] },
  })
})

it('D14 a right code clears the window of the user, not the one of the address', async () => {
  const { app, client } = await startTestApp()
  const people = await Promise.all([
    withTotp({ app, client } as TestApp),
    withTotp({ app, client } as TestApp),
  ])
  const [one, other] = people
  const wrong = (person: typeof one, steps: number) =>
    person.api.post<Refused>(path, { code: totpCode(person.secret, steps) })
  for (let place = 0; place < 4; place += 1) await wrong(one, 40 + place)
  expect((await one.api.post(path, { code: totpCode(one.secret) })).status).toBe(200)
  // Five more wrong codes of this user: with the four before, these are nine of the ten that its IP address has.
  for (let place = 0; place < 5; place += 1) {
    expect(tally([await wrong(one, 60 + place)])).toEqual({ incorrect_code: 1 })
  }
  expect(tally([await wrong(other, 40)])).toEqual({ incorrect_code: 1 })
  expect(tally([await wrong(other, 41)])).toEqual({ too_many_login_attempts: 1 })
})
