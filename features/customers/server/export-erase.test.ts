import { unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { decideApproval } from '#features/approvals/contract.ts'
import * as contract from '#features/customers/contract.ts'
import { downloadExport } from '#features/profile/contract.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { findUser, setStaffRoles } from '#foundation/server/session/session.ts'
import { signedInStaff, signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app, client, mails, url } = test

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })

const owner = await memberWith('owner')
const admin = await memberWith('admin')
const support = await memberWith('support')

const exportOf = (by: Customer, { user_id }: { user_id: string }) =>
  by.api.call(contract.exportCustomer, { params: { userId: user_id }, body: { reason: 'Asked by phone' } })
const erase = (by: Customer, { user_id, email }: { user_id: string; email: string }, forfeit?: string) =>
  by.api.call(contract.eraseCustomer, {
    params: { userId: user_id },
    body: {
      email,
      reason: 'Asked by phone',
      ...(forfeit === undefined ? {} : { forfeit: { amount: forfeit, currency: 'EUR' } }),
    },
  })
const body = { decision: 'approve' } as const
const decide = (by: Customer, id: string) => by.api.call(decideApproval, { params: { id }, body })
const refusal = ({ status, body }: { status: number; body?: unknown }) => [
  status,
  (body as { errors?: { code: string }[] }).errors?.[0]?.code,
]
const waitingIn = ({ status, body }: { status: number; body: unknown }): string => {
  expect([status, body]).toMatchObject([202, { approval: { act: 'customers.erase', why: 'always' } }])
  return (body as { approval: { id: string } }).approval.id
}
const keyOf = (text = '') => must(/[?&]key=([\w-]+)/.exec(text)?.[1])
const spend = (user_id: string, amount: bigint) =>
  move(app, {
    type: 'spend',
    user_id,
    amount,
    description: { code: 'licence_order', params: { host: 'brave-otter-42', plan: 'Standard' } },
  })
const audited = async ({ user_id }: { user_id: string }, act: string) => {
  const rows = app.db.selectFrom('audit').select(['act', 'detail']).where('user_id', '=', user_id)
  return (await rows.where('act', '=', act).execute()).map(({ detail }) => detail)
}

it('C-04 mails the customer alone a link to all their data; it works without a sign-in, for seven days', async () => {
  const customer = await signedInCustomer(test)
  const block = { level: 'blocked', cause: 'fraud', reason: 'FOR-STAFF', message: 'Please call us' } as const
  const params = { userId: customer.user_id }
  await owner.api.call(contract.setBlock, { params, body: block })
  const answer = await exportOf(admin, customer)
  expect([answer.status, answer.body]).toMatchObject([202, { email: customer.email }])
  const key = keyOf((await mails.about(customer.email, /^Your data at Hostdesk$/)).text)
  expect(JSON.stringify(answer.body)).not.toContain(key)
  const take = (sent: string) =>
    fetch(`${url}/api/data-export/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key: sent }),
    })
  const response = await take(key)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const files = Object.fromEntries(
    Object.entries(unzipSync(new Uint8Array(await response.arrayBuffer()))).map(([path, bytes]) => [
      path,
      Buffer.from(bytes).toString(),
    ]),
  )
  expect(JSON.parse(must(files['profile.json']))).toMatchObject({ email: customer.email })
  expect(JSON.parse(must(files['blocks.json']))).toMatchObject([
    { level: 'blocked', message: 'Please call us' },
  ])
  const mailed = JSON.parse(must(files['mails.json'])) as { kind: string; to: string; text: string | null }[]
  expect(mailed).toContainEqual(
    expect.objectContaining({ kind: 'account_blocked', to: customer.email, text: null }),
  )
  const acts = (JSON.parse(must(files['activity.json'])) as { act: string }[]).map(({ act }) => act)
  expect(acts).toEqual(
    expect.arrayContaining(['customer.exported', 'customer.blocked', 'account.data_downloaded']),
  )
  expect(Object.values(files).join('')).not.toContain('FOR-STAFF')
  expect((await take(`${key}x`)).status).toBe(400)
  await asOwner(test, `update data_exports set expires_at = now() where user_id = $1`, [customer.user_id])
  expect(refusal(await client().call(downloadExport, { body: { key } }))).toEqual([
    400,
    'invalid_or_expired_key',
  ])
  expect(await audited(customer, 'customer.exported')).toMatchObject([
    { by: admin.user_id, reason: 'Asked by phone' },
  ])
})

it('refuses an export to an address that nobody has proven, of members, and by support', async () => {
  const claimed = await signedInCustomer(test, { verified: false })
  expect(refusal(await exportOf(admin, claimed))).toEqual([409, 'no_proven_address'])
  expect(refusal(await exportOf(admin, support))).toEqual([403, 'not_allowed'])
  expect(refusal(await exportOf(support, claimed))).toEqual([403, 'not_allowed'])
})

it('C-05 deletes an account for its customer once a second person confirms; address and balance are judged twice', async () => {
  const customer = await signedInCustomer(test)
  const { user_id } = customer
  expect(refusal(await erase(admin, { user_id, email: support.email }))).toEqual([
    400,
    'email_does_not_match',
  ])
  await owner.api.call(contract.signOutCustomer, { params: { userId: user_id }, body: { reason: 'x' } })
  await mails.next(customer.email)
  await addMoney(app, user_id, 5_00n)
  const left = await erase(admin, customer)
  expect([left.status, left.body]).toMatchObject([
    409,
    { errors: [{ code: 'customer_balance_left' }], balance: { amount: '500' } },
  ])
  await spend(user_id, 5_00n)
  const first = waitingIn(await erase(admin, customer))
  expect(refusal(await erase(admin, customer))).toEqual([409, 'already_proposed'])
  expect(refusal(await decide(admin, first))).toEqual([403, 'own_proposal'])
  expect(refusal(await decide(support, first))).toEqual([403, 'not_allowed'])
  await addMoney(app, user_id, 1_00n)
  expect((await decide(owner, first)).body).toMatchObject({
    status: 'failed',
    failure: 'customer_balance_left',
  })
  expect((await findUser(app.db, user_id))?.is_active).toBe(true)
  await spend(user_id, 1_00n)
  const second = waitingIn(await erase(admin, customer))
  expect((await decide(owner, second)).body).toMatchObject({ status: 'approved' })
  expect(await findUser(app.db, user_id)).toMatchObject({
    is_active: false,
    email: `${user_id}@deleted.invalid`,
  })
  expect((await customer.api.get('/api/users/detail/')).status).toBe(401)
  const { text } = await mails.about(customer.email, /^Your account has been deleted$/)
  expect(text).toContain('As you requested')
  const left_of = app.db.selectFrom('mails').select('letter').where('user_id', '=', user_id)
  expect(await left_of.where('state', '=', 'sent').execute(), 'what was mailed to the account').toEqual([])
  expect(await audited(customer, 'customer.erased')).toMatchObject([
    { by: admin.user_id, approved_by: owner.user_id, reason: 'Asked by phone' },
  ])
  const kept = await app.db
    .selectFrom('approvals')
    .select(['input', 'reason'])
    .where('id', '=', second)
    .execute()
  expect(JSON.stringify(kept)).not.toContain(customer.email)
  expect(refusal(await erase(admin, customer))).toEqual([409, 'deactivated'])
})

it('rule 61: deletes an account whose money its customer gives up by the typed sum, and none with a debt', async () => {
  const customer = await signedInCustomer(test)
  const { user_id } = customer
  await addMoney(app, user_id, 5_00n)
  for (const wrong of ['499', '0'])
    expect(refusal(await erase(admin, customer, wrong))[1]).toBe('customer_balance_left')
  const first = waitingIn(await erase(admin, customer, '500'))
  await addMoney(app, user_id, 1n)
  expect((await decide(owner, first)).body).toMatchObject({ failure: 'customer_balance_left' })
  const second = waitingIn(await erase(admin, customer, '501'))
  expect((await decide(owner, second)).body).toMatchObject({ status: 'approved' })
  expect(await audited(customer, 'customer.erased')).toMatchObject([{ forfeit: '501' }])
  expect((await findUser(app.db, user_id))?.is_active).toBe(false)

  const debtor = await signedInCustomer(test)
  const paid = await addMoney(app, debtor.user_id, 5_00n)
  await spend(debtor.user_id, 5_00n)
  await move(app, {
    type: 'charge_back',
    user_id: debtor.user_id,
    amount: 500n,
    provider: 'test',
    description: {
      code: 'charge_back',
      params: {},
    },
    reverses: paid.transaction_id,
  })
  for (const sum of [undefined, '500', '-500'])
    expect(refusal(await erase(admin, debtor, sum))).toEqual([409, 'customer_debt_left'])
})

it('deletes no member, neither then nor later, and not oneself; support may not', async () => {
  expect(refusal(await erase(admin, support))).toEqual([403, 'not_allowed'])
  expect(refusal(await erase(admin, admin))).toEqual([403, 'own_account'])
  const customer = await signedInCustomer(test)
  expect(refusal(await erase(support, customer))).toEqual([403, 'not_allowed'])
  const id = waitingIn(await erase(owner, customer))
  await transaction(app, 'system', (tx) => setStaffRoles(tx, customer.user_id, ['support']))
  expect((await decide(admin, id)).body).toMatchObject({ status: 'failed', failure: 'not_allowed' })
})
