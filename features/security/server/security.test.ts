import { hash } from '@node-rs/argon2'
import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { deactivate } from '#features/profile/contract.ts'
import { makeAccount, password, signIn, switchOnTotp } from '#tests/contract/accounts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { checkPassword, hashPassword, judgePassword, setPassword, type PasswordHash } from './security.ts'

const { app, client } = await startTestApp()

it.each([
  ['wonderland1', 'wonderland', ['password_too_similar']],
  ['alicexyz', 'alice', ['password_too_similar']],
  ['alice1234', 'alice', ['password_too_similar']],
  ['dlrow-redno', 'wonderlan', ['password_too_similar']],
  ['e-mail12', 'mail', []],
  ['Ann@X.Organ', 'ann@x.org', ['password_too_similar']],
  ['organ-pip', 'ann@organ.example', ['password_too_similar']],
  ['a-very-long-password-of-ann', 'ann', []],
  ['lively-otter-42', '', []],
])('V-02 %s beside the personal %s is refused for %j', (chosen, personal, codes) => {
  expect(judgePassword(chosen, [personal], 'Hostdesk')).toEqual(codes)
})

it.each([
  ['password1', ['password_too_common']],
  ['PassWord1', ['password_too_common']],
  ['iloveyou', ['password_too_common']],
  ['qwertyuiop', ['password_too_common']],
  ['12345678', ['password_too_common', 'password_entirely_numeric']],
  ['73920184756', ['password_entirely_numeric']],
  ['٧٣٩٢٠١٨٤٧', ['password_entirely_numeric']],
  ['²³¹①②③④⑤', ['password_entirely_numeric']],
  ['short7!', ['password_too_short']],
  ['1234', ['password_too_short', 'password_too_common', 'password_entirely_numeric']],
  ['🦊🦊🦊🦊🦊🦊🦊', ['password_too_short']],
  ['🦊🦊🦊🦊🦊🦊🦊🐈', []],
])('V-02 %s is refused for %j', (chosen, codes) => {
  expect(judgePassword(chosen, [], 'Example GmbH')).toEqual(codes)
})

it.each([
  'aaaaaaaa',
  'ыыыыыыыы',
  'linkedin',
  'target123',
  'пароль123',
  'hostdesk',
  'Hostdesk2026!',
  'Example-GmbH 1',
  'Summer2026',
  'März-2025',
  'лето2024!',
  '26december',
  'Passwort!1',
  'qwertzuiop',
])('D23 %s is too common', (chosen) => {
  expect(judgePassword(chosen, [], 'Example GmbH')).toContain('password_too_common')
})

it.each([
  'lively-otter-42',
  'example-lantern-1',
  'summer-harbour-7',
  'may-be-not-2026',
  'maybe42lanterns',
  'august 4729174 x',
  'password of 9 harbours',
])('D23 %s is not', (chosen) => {
  expect(judgePassword(chosen, [], 'Example GmbH')).toEqual([])
})

it('rule 15: passwords are Argon2id with 19 MiB, two passes, one lane', async () => {
  expect(await hashPassword('lively-otter-42')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

it('rule 15: a hash with older parameters still works and is renewed by its use', async () => {
  const { user_id } = await makeAccount(app)
  const old = (await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })) as PasswordHash
  await transaction(app, 'system', (tx) => setPassword(app, tx, user_id, old))
  expect(await checkPassword(app, user_id, 'something-else-9')).toBe(false)
  expect(await checkPassword(app, user_id, password)).toBe(true)
  const row = await app.db
    .selectFrom('passwords')
    .select('hash')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await checkPassword(app, user_id, password)).toBe(true)
})

it.each([
  ['composed, typed decomposed', 'Ümläut-Straße-77'.normalize('NFC'), 'Ümläut-Straße-77'.normalize('NFD')],
  ['decomposed, typed composed', 'Ümläut-Straße-77'.normalize('NFD'), 'Ümläut-Straße-77'.normalize('NFC')],
  ['with a hard blank, typed with a plain one', 'lively\u00a0otter\u202f42', 'lively otter 42'],
  ['with plain blanks, typed with wide ones', 'lively otter 42', 'lively\u3000otter\u202f42'],
])('rule 55: a password chosen %s, is the same', async (_, chosen, typed) => {
  const { user_id } = await makeAccount(app)
  const made = await hashPassword(chosen)
  await transaction(app, 'system', (tx) => setPassword(app, tx, user_id, made))
  expect(await checkPassword(app, user_id, typed)).toBe(true)
  expect(await checkPassword(app, user_id, `${typed}x`)).toBe(false)
})

it('rule 33: hashing is bounded; a request that waits too long is refused and may try again later', async () => {
  const results = await Promise.allSettled(Array.from({ length: 90 }, () => hashPassword('lively-otter-42')))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const { reason } of refused) expect(reason).toMatchObject({ status: 503, retry_after_s: 1 })
  expect(must(refused[0]).reason).toBeInstanceOf(HttpError)
  // The next hash does not wait behind the flood.
  await hashPassword('lively-otter-42')
})

it('P-04 with the account goes all it could be proven with', async () => {
  const account = await makeAccount(app)
  const api = client()
  await signIn(api, account)
  await switchOnTotp(api)
  expect((await api.call(deactivate, { body: {} })).status).toBe(204)
  for (const table of [
    'passwords',
    'totp_authenticators',
    'recovery_sets',
    'recovery_codes',
    'passkeys',
  ] as const) {
    const rows = await app.db
      .selectFrom(table)
      .select('user_id')
      .where('user_id', '=', account.user_id)
      .execute()
    expect(rows).toEqual([])
  }
  const again = await client().post(`${AUTH}/auth/login`, { email: account.email, password })
  expect(again.status).toBe(400)
})

it('rule 2: the database itself refuses to write a proof for another account', async () => {
  const [one, other] = [await makeAccount(app), await makeAccount(app)]
  const known = await hashPassword('lively-otter-43')
  await expect(
    transaction(app, { userId: one.user_id }, (tx) => setPassword(app, tx, other.user_id, known)),
  ).rejects.toThrow()
  expect(await checkPassword(app, other.user_id, password)).toBe(true)
})
