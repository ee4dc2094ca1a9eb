import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { AUTH } from '#foundation/session-contract.ts'
import * as contract from '#features/auth/contract.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { keyIn, makeAccount, password, signIn, switchOnTotp, totpCode } from '#tests/contract/accounts.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

watchContract()
const { app, client, mails } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const strict = await startTestApp({ settings: { TRUSTED_PROXIES: '1' } })

type ErrorReply = { errors?: { code: string }[] }
/** Counts the replies by status and error code; a key of the result is like `400 incorrect_code`. */
const tally = (replies: { status: number; body?: unknown }[]) => {
  const counts: Record<string, number> = {}
  for (const { status, body } of replies) {
    const code = (body as ErrorReply | undefined)?.errors?.[0]?.code
    const answer = code ? `${status} ${code}` : String(status)
    counts[answer] = (counts[answer] ?? 0) + 1
  }
  return counts
}
const atOnce = <T>(times: number, act: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, n) => act(n)))

it.each([
  { networks: 1, most: 5 },
  { networks: 13, most: 30 },
])(
  'rule 18: of 200 wrong passwords at once from $networks networks exactly $most are judged',
  async ({ networks, most }) => {
    const account = await makeAccount(strict.app)
    const replies = await atOnce(200, (n) =>
      strict
        .client()
        .call(
          contract.login,
          { body: { email: account.email, password: 'wrong-lantern-1' } },
          { headers: { 'x-forwarded-for': `10.${networks}.${n % networks}.${n}` } },
        ),
    )
    const {
      '400 email_password_mismatch': judged = 0,
      '503 unavailable': shed = 0,
      ...others
    } = tally(replies)
    // A busy machine may refuse some without checking them, but never checks more than the limit.
    expect(judged).toBeLessThanOrEqual(most)
    expect(judged).toBeGreaterThanOrEqual(most - shed)
    expect(others).toEqual({ '400 too_many_login_attempts': 200 - judged - shed })
  },
)

it('rule 17: one reset key posted 100 times at once sets one password', async () => {
  const account = await makeAccount(app)
  await client().call(contract.requestReset, { body: { email: account.email } })
  const key = keyIn((await mails.next(account.email)).text, 'reset')
  // Only 20 run at a time, so that the queue of hashing refuses none; that queue is not under test here.
  const replies: { status: number; body?: unknown }[] = []
  for (let round = 0; round < 5; round += 1) {
    replies.push(
      ...(await atOnce(20, (n) =>
        client().call(contract.resetPassword, {
          body: { key, password: `steady-lantern-${round}-${n}` },
        }),
      )),
    )
  }
  expect(tally(replies)).toEqual({ '401': 1, '400 invalid_password_reset': 99 })
})

it('rule 43: one refresh token posted 100 times at once gives one pair', async () => {
  const browser = client()
  await signIn(browser, await makeAccount(app))
  const body = { refresh_token: must(browser.refresh_token) }
  const replies = await atOnce(100, () => client().call(contract.refreshTokens, { body }))
  expect(tally(replies)).toEqual({ '200': 100 })
  expect(new Set(replies.map(({ body: { data } }) => data.refresh_token)).size).toBe(1)
  const session = await browser.call(contract.getSession, {})
  expect(session.status, 'two tabs that race end no session').toBe(200)
})

it('rule 17: when two accounts prove one address at the same time, exactly one gets the address', async () => {
  for (let round = 0; round < 5; round += 1) {
    const email = anyEmail()
    const keys: string[] = []
    for (const _ of [1, 2]) {
      const account = await makeAccount(app, { email: anyEmail() })
      const browser = client()
      await signIn(browser, account)
      expect((await browser.post(`${AUTH}/account/email`, { email })).status).toBe(200)
      keys.push(keyIn((await mails.next(email)).text, 'verify'))
    }
    const replies = await Promise.all(
      keys.map((key) => client().call(contract.verifyEmail, { body: { key } })),
    )
    expect(tally(replies)).toEqual({ '401': 1, '400 invalid_or_expired_key': 1 })
    const owners = await app.db
      .selectFrom('email_addresses')
      .select('id')
      .where('email', '=', email)
      .where('verified_at', 'is not', null)
      .execute()
    expect(owners).toHaveLength(1)
  }
})

it('rule 17: a second step that is submitted twice at once signs in once', async () => {
  const account = await makeAccount(app)
  const browser = client()
  await signIn(browser, account)
  const secret = await switchOnTotp(browser)
  const half = client()
  await half.call(contract.login, { body: { email: account.email, password } })
  const body = { code: totpCode(secret) }
  const replies = await atOnce(20, () => half.copy().call(contract.authenticateByCode, { body }))
  const { '200': signedIn, ...others } = tally(replies)
  expect(signedIn).toBe(1)
  // The others find the step used up: in the race itself (401), or before it began (the token is gone).
  expect((others['401'] ?? 0) + (others['410'] ?? 0)).toBe(19)
})
