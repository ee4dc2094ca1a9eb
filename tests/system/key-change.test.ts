import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, it } from 'vitest'
import { sealed } from '#app/server/features.ts'
import * as finance from '#features/finance/contract.ts'
import { makeVoucher } from '#features/finance/server/finance.ts'
import { requestPayout } from '#features/payouts/contract.ts'
import { signingKey } from '#features/licences/server/signing-keys.ts'
import { rotateKey } from '#features/statements/server/statements.ts'
import { postSecret } from '#features/support/messages/contract.ts'
import * as security from '#features/security/contract.ts'
import { must } from '#foundation/must.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { assertKey } from '#foundation/server/key-change/assert-key.ts'
import { resealAll } from '#foundation/server/key-change/reseal.ts'
import { readRetiredDigests } from '#foundation/server/key-change/retired-digests.ts'
import { deriveKeys } from '#foundation/server/keys.ts'
import { Secret } from '#foundation/server/secret.ts'
import { makeAccount, signIn, switchOnTotp } from '#tests/contract/accounts.ts'
import { savedMethod } from '#tests/harness/methods.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addMoney } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened } from '#tests/harness/tickets.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app, url, client, mails } = test
const first = app.config.secretKey
const second = new Secret('the-second-key-of-the-tests-which-protects-nothing-9876')

it('a key is changed while the product runs: all that was sealed opens, and only with the new one', async () => {
  expect(await assertKey(app)).toBe(false)
  const account = await makeAccount(app)
  const api = client()
  await signIn(api, account)
  await switchOnTotp(api)
  const codes = await api.call(security.getRecoveryCodes, {})
  const [one, other] = codes.status === 200 ? codes.body.data.unused_codes : []
  const webhook = await api.post('/api/webhooks/', { url: 'https://hooks.example.org/' })
  expect(webhook.status).toBe(201)
  expect((await api.get('/api/notifications/push/')).status).toBe(200)
  const payer = await signedInCustomer(test)
  await addMoney(app, payer.user_id, 10_00n)
  const holder = { iban: 'DE89370400440532013000', holder: 'Anna' }
  const paid_out = await payer.api.call(requestPayout, {
    headers: { 'idempotency-key': 'of-the-key-change' },
    body: { amount: '1000', ...holder },
  })
  expect(paid_out.status).toBe(201)
  await savedMethod({ app, url }, payer)
  const { id: chatId } = await opened(payer)
  const secret = { client_id: randomUUID(), text: '', secret: 'wooden-lantern-4711' }
  expect((await payer.api.call(postSecret, { params: { chatId }, body: secret })).status).toBe(201)
  const voucher = await makeVoucher(app, { amount: 10_00n, uses: 2, days: null })
  const { kid } = await signingKey(app)
  await rotateKey(app)
  await api.post(`${AUTH}/auth/password/request`, { email: account.email })
  const redeem = (key: string) =>
    api.call(finance.redeemVoucher, { headers: { 'idempotency-key': key }, body: { code: voucher } })
  const byToken = async () =>
    (await fetch(`${url}/api/users/detail/`, { headers: { authorization: `Bearer ${api.access_token}` } }))
      .status
  const use = (code: string | undefined) =>
    api.call(security.reauthenticateByCode, { body: { code: must(code) } })

  // Both keys count: sessions go on, and codes and vouchers are accepted.
  app.keys = deriveKeys(second, first)
  expect(await assertKey(app)).toBe(true)
  expect(await byToken()).toBe(200)
  expect((await use(one)).status).toBe(200)
  expect((await use(one)).status).toBe(400)

  const done = await resealAll(app, sealed)
  expect(done.map(({ what }) => what)).toEqual([
    'mails',
    'second factors',
    'payment methods',
    'secrets of webhooks',
    'keys of licence documents',
    'secrets in tickets',
    'bank accounts of payouts',
    'keys of statements',
    'keys for push services',
  ])
  for (const { what, rows } of done) expect(rows, what).toBeGreaterThan(0)
  const { boxId } = deriveKeys(first)
  // This fails if a kind of sealed rows is missing in the list `sealed`.
  expect((await everyRow()).filter((row) => row.includes(`"${boxId}.`))).toEqual([])
  expect((await everyRow()).filter((row) => row.includes(`"${app.keys.boxId}.`)).length).toBeGreaterThan(3)

  const alone = deriveKeys(second)
  app.keys = {
    ...alone,
    retiredDigests: await withConnection(app.ownerUrl, (owner) => readRetiredDigests(alone, owner)),
  }
  expect(await assertKey(app)).toBe(false)
  await signIn(client(), await makeAccount(app))
  expect(await byToken(), 'a token that the first key signed').toBe(401)
  expect((await redeem('11111111-1111-4111-8111-111111111111')).status).toBe(201)
  expect((await use(other)).status).toBe(200)
  expect((await signingKey({ ...app })).kid).toBe(kid)
  await mails.about(account.email, 'reset=')
})

it('a process with another key than the database does not start, and says which key the database wants', async () => {
  app.keys = deriveKeys(first)
  const refused = `SECRET_KEY is not the key of this database: its fingerprint is ${app.keys.fingerprint}, and the database's ${deriveKeys(second).fingerprint}`
  await expect(assertKey(app)).rejects.toThrow(refused)
})

async function everyRow(): Promise<string[]> {
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  const tables = await owner.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'",
  )
  const rows: string[] = []
  for (const { name } of tables.rows) {
    const found = await owner.query<{ text: string }>(`select row_to_json(t)::text as text from ${name} t`)
    rows.push(...found.rows.map(({ text }) => `${name} ${text}`))
  }
  await owner.end()
  return rows
}
