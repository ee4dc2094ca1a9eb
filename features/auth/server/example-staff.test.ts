import { expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import * as contract from '#features/auth/contract.ts'
import { makeAccount, password, signIn, switchOnTotp, totpCode } from '#tests/contract/accounts.ts'
import { watchContract } from '#tests/contract/check-contract.ts'
import { startTestApp, type TestApp } from '#tests/harness/test-app.ts'

watchContract()
const here = await startTestApp({ settings: { SMTP_URL: '' } })
const anywhere = await startTestApp({ settings: { SMTP_URL: '', DEMO: 'public', TRUSTED_PROXIES: '1' } })
const proxied = { headers: { 'x-forwarded-for': '127.0.0.1' } }

async function example({ app }: TestApp, is_staff: boolean) {
  const account = await makeAccount(app)
  await transaction(app, 'system', (tx) =>
    tx
      .updateTable('users')
      .set({ is_example: true, is_staff, staff_roles: is_staff ? ['support'] : [] })
      .where('id', '=', account.user_id)
      .execute(),
  )
  return account
}

const login = ({ client }: TestApp, email: string, options = {}) =>
  client().call(contract.login, { body: { email, password } }, options)

it('rule 39: example staff sign in on this machine only, unless DEMO=public', async () => {
  const staff = await example(here, true)
  expect((await login(here, staff.email)).status).toBe(200)
  expect(await login(here, staff.email, proxied)).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'example_staff_elsewhere' }] },
  })
  const customer = await example(here, false)
  expect((await login(here, customer.email, proxied)).status).toBe(200)
  const shown = await example(anywhere, true)
  expect((await login(anywhere, shown.email, proxied)).status).toBe(200)
})

it('rule 39: a second step is no way around it', async () => {
  const staff = await example(here, true)
  const browser = here.client()
  await signIn(browser, staff)
  const secret = await switchOnTotp(browser)
  const other = here.client()
  expect((await other.call(contract.login, { body: { email: staff.email, password } }, proxied)).status).toBe(
    401,
  )
  const second = await other.call(contract.authenticateByCode, { body: { code: totpCode(secret) } }, proxied)
  expect(second).toMatchObject({ status: 400, body: { errors: [{ code: 'example_staff_elsewhere' }] } })
})

it('rule 39: pages under /dev/ answer this machine only, however the address is written', async () => {
  for (const path of ['/dev/mail/', '/%64ev/mail/', '/dev/pay/style.css']) {
    expect((await fetch(here.url + path)).status, path).toBe(200)
    expect((await fetch(here.url + path, proxied)).status, path).toBe(404)
  }
  expect((await fetch(`${anywhere.url}/dev/mail/`, proxied)).status).toBe(200)
})
