import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { login, refreshTokens, requestReset } from '#features/auth/contract.ts'
import * as contract from '#features/customers/contract.ts'
import { redeemVoucher, startTopUp } from '#features/finance/contract.ts'
import { createHost, makeAgentToken, updateHost } from '#features/hosts/contract.ts'
import { listPaidPeriods } from '#features/sales/contract.ts'
import { deactivate, getProfile } from '#features/profile/contract.ts'
import { insertAddress } from '#features/profile/server/profile.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { keyIn, makeAccount, password, signIn } from '#tests/contract/accounts.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { helperOf } from '#tests/harness/grants.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { ownClock } from '#tests/harness/own-clock.ts'
import { anyAddress, buyer, doLicenceJobs, orderHost, passTime, stockShop } from '#tests/harness/shop.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000', SUPPORT_EMAIL: 'help@example.com' } })
await stockShop(test)
const billing = await signedInStaff(test)
const admin = await superuserOf(test)
afterAll(() => admin.end())

type Body = Partial<InputOf<typeof contract.setBlock>['body']>
const put = (user_id: string, body: Body, { api } = billing) =>
  api.call(contract.setBlock, {
    params: { userId: user_id },
    body: {
      level: 'blocked',
      cause: 'fraud',
      reason: 'Card of another',
      message: 'Please call us.',
      ...body,
    },
  })
const codeOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { errors?: { code: string }[] } | undefined)?.errors?.[0]?.code,
]
const stateOf = async (user_id: string) =>
  bodyOf(await billing.api.call(contract.getCustomerAccount, { params: { userId: user_id } }), 200)
const mailsTo = async (user_id: string) =>
  (
    await test.app.db
      .selectFrom('mails')
      .select(['letter', 'to_address'])
      .where('user_id', '=', user_id)
      .execute()
  ).map(({ letter, to_address }) => `${letter} ${to_address}`)

it('C-02 a blocked customer may not buy, may do the rest, and reads why; the same again writes nothing', async () => {
  const customer = await signedInCustomer(test)
  const second = anyEmail()
  await transaction(test.app, 'system', async (tx) => {
    const other = { user_id: customer.user_id, is_primary: false }
    await insertAddress(tx, { ...other, email: second, verified: true })
    await insertAddress(tx, { ...other, email: anyEmail(), verified: false })
  })
  const host = bodyOf(await customer.api.call(createHost, { headers: {}, body: { name: 'here' } }), 201)
  const stream = await openEvents(test.url, must(customer.api.access_token))
  await stream.until(({ type }) => type === 'ready')
  expect(bodyOf(await put(customer.user_id, {}), 200).block).toMatchObject({
    level: 'blocked',
    cause: 'fraud',
    reason: 'Card of another',
    message: 'Please call us.',
  })
  await stream.until(({ type }) => type === 'profile.changed')
  stream.close()

  const key = { 'idempotency-key': randomUUID() }
  const params = { hostId: host.id }
  const refused = [
    await orderHost(customer),
    await customer.api.call(createHost, { headers: {}, body: { name: 'more' } }),
    await customer.api.call(redeemVoucher, { headers: key, body: { code: 'HD-NONE' } }),
    await customer.api.call(makeAgentToken, { params }),
    await customer.api.call(updateHost, { params, body: { ipv4: '203.0.113.9' } }),
  ]
  expect(refused.map(codeOf)).toEqual(refused.map(() => [403, 'account_blocked']))
  expect(JSON.stringify(refused[0]?.body)).toContain('Please call us.')
  const ticket = { subject: 'Why?', message: 'I paid.', topic: 'finances' as const }
  const allowed = [
    await customer.api.call(updateHost, { params, body: { name: 'renamed' } }),
    await customer.api.call(createTicket, { body: ticket }),
    await customer.api.call(startTopUp, {
      headers: { 'idempotency-key': randomUUID() },
      body: { amount: '2500', provider: 'bank' },
    }),
  ]
  expect(allowed.map(({ status }) => status)).toEqual([200, 201, 201])
  expect(bodyOf(await customer.api.call(getProfile, {}), 200).blocked).toEqual({ message: 'Please call us.' })

  const mails = await mailsTo(customer.user_id)
  expect(mails.filter((mail) => mail.startsWith('account_')).toSorted()).toEqual(
    [`account_blocked ${customer.email}`, `account_blocked ${second}`].toSorted(),
  )
  await put(customer.user_id, { reason: 'Said again' })
  expect(await mailsTo(customer.user_id)).toHaveLength(mails.length)
  expect((await stateOf(customer.user_id)).state).toBe('blocked')
  const found = await billing.api.call(contract.listCustomers, { query: { state: 'blocked' } })
  expect(bodyOf(found, 200).items.map(({ id }) => id)).toEqual([customer.user_id])

  expect(bodyOf(await put(customer.user_id, { level: 'none', reason: 'It was them' }), 200)).toEqual({
    block: null,
  })
  expect((await customer.api.call(createHost, { headers: {}, body: {} })).status).toBe(201)
  expect(bodyOf(await customer.api.call(getProfile, {}), 200).blocked).toBeUndefined()
  const { rows } = await admin.query<{ act: string; by: string }>(
    `select act, detail->>'by' as by from audit where user_id = $1 and act like 'customer.%' order by id`,
    [customer.user_id],
  )
  expect(rows).toEqual([
    { act: 'customer.blocked', by: billing.user_id },
    { act: 'customer.unblocked', by: billing.user_id },
  ])
  const change = `update customer_blocks set reason = 'x' where user_id = $1`
  await expect(admin.query(change, [customer.user_id])).rejects.toThrow('append-only')
})

it('locking ends sessions, streams and renewals of tokens at once; unlocking takes the password and mails a link', async () => {
  const account = await makeAccount(test.app)
  const client = test.client()
  await signIn(client, account)
  const streams = await Promise.all(
    Array.from({ length: 8 }, () => openEvents(test.url, must(client.access_token))),
  )
  const took = ownClock()
  expect((await put(account.user_id, { level: 'locked', cause: 'stolen' })).status).toBe(200)
  expect((await client.get('/api/users/detail/')).status).toBe(401)
  await Promise.all(streams.map((stream) => stream.ended()))
  expect(took()).toBeLessThan(2000)
  const refresh_token = must(client.refresh_token)
  expect((await test.client().call(refreshTokens, { body: { refresh_token } })).status).toBe(400)
  const entered = await test.client().call(login, { body: { email: account.email, password } })
  expect(entered).toMatchObject({ status: 401, body: { meta: { is_authenticated: false } } })
  expect(JSON.stringify(entered.body)).not.toContain('is_pending')

  await test.client().call(requestReset, { body: { email: account.email } })
  for (let mail = 0; mail < 2; mail += 1) {
    const { subject, text } = await test.mails.next(account.email)
    expect(subject).toContain('locked')
    expect(text).toContain('help@example.com')
  }
  expect((await put(account.user_id, { level: 'none', reason: 'Spoke to them' })).status).toBe(200)
  const back = [await test.mails.next(account.email), await test.mails.next(account.email)]
  const text = back.map((mail) => mail.text).join('\n')
  expect(keyIn(text, 'reset')).toMatch(/\S{40}/)
  const again = await test.client().call(login, { body: { email: account.email, password } })
  expect(codeOf(again)).toEqual([400, 'email_password_mismatch'])
})

it('no session outlives a lock, however many sign in at that moment', async () => {
  const account = await makeAccount(test.app)
  for (let round = 0; round < 5; round += 1) {
    const clients = Array.from({ length: 8 }, () => test.client())
    const early = test.client()
    await signIn(early, account)
    const entering = clients.map((client) => client.call(login, { body: { email: account.email, password } }))
    await Promise.all([...entering, put(account.user_id, { level: 'locked', message: `round ${round}` })])
    // An open account refuses nobody who has a session.
    await admin.query('begin')
    await admin.query(`select set_config('app.actor', 'system', true)`)
    await admin.query(`update users set access = 'open' where id = $1`, [account.user_id])
    await admin.query('commit')
    const after = await Promise.all([early, ...clients].map((client) => client.get('/api/users/detail/')))
    expect(after.every(({ status }) => status === 401)).toBe(true)
  }
})

it('blocks and opens by many at once follow each other: the account is as its history ends', async () => {
  const customer = await signedInCustomer(test)
  const levels = ['blocked', 'none', 'locked'] as const
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      put(customer.user_id, { level: levels[n % 3] ?? 'none', message: `${n}` }),
    ),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  const { rows } = await admin.query<{ access: string; level: string }>(
    `select u.access, (select level from customer_blocks where user_id = u.id order by at desc limit 1) as level
     from users u where id = $1`,
    [customer.user_id],
  )
  expect(rows[0]?.access).toBe(rows[0]?.level === 'none' ? 'open' : rows[0]?.level)
})

it('the renewal of a blocked customer waits and says why; opened again, it goes on at once', async () => {
  const customer = await buyer(test, 2n * 2368n)
  const { host } = bodyOf(await orderHost(customer, { name: 'otter', ipv4: anyAddress() }), 201)
  const params = { hostId: host.id }
  bodyOf(await customer.api.call(updateHost, { params, body: { auto_renew: true } }), 200)
  await put(customer.user_id, { cause: 'payment' })
  await passTime(test, Math.round(host.licence.remaining_s / 86_400) - 1 + 1 / 1440)
  await doLicenceJobs(test)
  const kinds = async () =>
    bodyOf(await customer.api.call(listPaidPeriods, { params, query: {} }), 200).items.map(({ kind }) => kind)
  // The row of the licence's watch says why the renewal was refused.
  const [row] = (await asOwner(test, 'select refusal from licence_watches where user_id = $1', [
    customer.user_id,
  ])) as { refusal: string }[]
  expect(row?.refusal).toBe('account_blocked')
  expect((await mailsTo(customer.user_id)).join()).toContain('renewal_failed')
  await put(customer.user_id, { level: 'none' })
  await doLicenceJobs(test)
  await expect.poll(kinds, { timeout: 5000 }).toEqual(['auto_renewal', 'order'])
})

it('rule 59: who becomes tied to the customer while a block waits for the account is refused', async () => {
  const customer = await signedInCustomer(test)
  await helperOf(test, customer, {}, billing)
  const untie = `delete from account_grants where grantee_id = '${billing.user_id}' returning *`
  const { rows } = await admin.query<object>(untie)
  await admin.query('begin')
  await admin.query('select from users where id = $1 for update', [customer.user_id])
  const blocked = put(customer.user_id, {})
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await admin.query(waiting)).rowCount, { interval: 10 }).toBeGreaterThan(0)
  await admin.query(
    'insert into account_grants select * from jsonb_populate_record(null::account_grants, $1::jsonb)',
    [JSON.stringify(rows[0])],
  )
  await admin.query('commit')
  expect(codeOf(await blocked)).toEqual([403, 'own_account'])
  await admin.query(untie)
})

it('refuses a block of oneself, of a member, of nobody and of who is gone, by support, and without a cause or reason', async () => {
  const customer = await signedInCustomer(test)
  expect(codeOf(await put(billing.user_id, {}))).toEqual([403, 'own_account'])
  const member = await signedInStaff(test)
  expect(codeOf(await put(member.user_id, {}))).toEqual([403, 'not_allowed'])
  expect(codeOf(await put(randomUUID(), {}))).toEqual([404, 'not_found'])
  const support: Customer = await signedInCustomer(test)
  await transaction(test.app, 'system', (tx) => setStaffRoles(tx, support.user_id, ['support']))
  expect(codeOf(await put(customer.user_id, {}, support))).toEqual([403, 'not_allowed'])
  expect(codeOf(await put(customer.user_id, { cause: undefined }))).toEqual([400, 'required'])
  expect(codeOf(await put(customer.user_id, { reason: ' ' }))).toEqual([400, 'required'])
  const stale = await signedInStaff(test, { proven_s_ago: 400 })
  expect(codeOf(await put(customer.user_id, {}, stale))).toEqual([403, 'reauthentication_required'])
  await customer.api.call(deactivate, { body: {} })
  expect(codeOf(await put(customer.user_id, {}))).toEqual([409, 'deactivated'])
})

// This test failed while a tab that still showed an open account turned the lock of a colleague into a block.
it('rule 45: a level that a colleague has set meanwhile is not undone unseen; the same again is no change', async () => {
  const customer = await signedInCustomer(test)
  const colleague = await signedInStaff(test)
  const locked = { level: 'locked', cause: 'stolen', message: 'We locked it.', from: 'none' } as const
  expect((await put(customer.user_id, locked, colleague)).status).toBe(200)
  const late = await put(customer.user_id, { from: 'none' })
  expect([codeOf(late), late.body]).toMatchObject([
    [409, 'changed'],
    { present: { block: { level: 'locked', message: 'We locked it.' } } },
  ])
  expect((await stateOf(customer.user_id)).state).toBe('locked')
  expect((await put(customer.user_id, locked, colleague)).status).toBe(200)
  expect(bodyOf(await put(customer.user_id, { from: 'locked' }), 200).block).toMatchObject({
    level: 'blocked',
  })
})
