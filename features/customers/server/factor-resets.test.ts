import { afterAll, expect, it } from 'vitest'
import { decideApproval } from '#features/approvals/contract.ts'
import { login, requestReset } from '#features/auth/contract.ts'
import * as contract from '#features/customers/contract.ts'
import { mergeAccount, moveAccount, undoMerge } from '#features/customers/merge-contract.ts'
import { addressesOf, insertAddress } from '#features/profile/server/profile.ts'
import { reauthenticateByCode } from '#features/security/contract.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import {
  makeAccount,
  password,
  signIn,
  switchOnTotp,
  totpCode,
  type Account,
} from '#tests/contract/accounts.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { endPendingReset, stepFactorReset } from './factor-resets.ts'

/** The number of rounds; `npm run test:faults -- races` takes 100. */
const ROUNDS = Number(process.env['VETO_ROUNDS'] ?? 12)

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const admin = await superuserOf(test)
afterAll(() => admin.end())

async function member(...roles: Role[]): Promise<Customer> {
  const person = await signedInCustomer(test)
  await transaction(test.app, 'system', (tx) => setStaffRoles(tx, person.user_id, roles))
  return person
}
const support = await member('support')
const office = await member('admin')
const owner = await member('owner')

type Locked = Account & { secret: string; client: ReturnType<typeof test.client> }

/** Somebody with an authenticator app, and a second proven address. */
async function withFactor(): Promise<Locked & { second: string }> {
  const account = await makeAccount(test.app)
  const second = anyEmail()
  await transaction(test.app, 'system', (tx) =>
    insertAddress(tx, { user_id: account.user_id, email: second, is_primary: false, verified: true }),
  )
  const client = test.client()
  await signIn(client, account)
  const secret = await switchOnTotp(client)
  expect((await test.mails.next(account.email)).subject).toContain('Two-factor')
  return { ...account, second, secret, client }
}

const body = { reason: 'Lost the phone, knows the last invoice' }
const ask = ({ user_id }: { user_id: string }, { api } = support) =>
  api.call(contract.requestFactorReset, { params: { userId: user_id }, body })
const accountOf = async ({ user_id }: { user_id: string }) =>
  bodyOf(await support.api.call(contract.getCustomerAccount, { params: { userId: user_id } }), 200)
const codeOf = ({ status, body }: { status: number; body?: unknown }) => [
  status,
  (body as { errors?: { code: string }[] } | undefined)?.errors?.[0]?.code,
]
const veto = (key: string) => test.client().call(contract.vetoFactorReset, { body: { key } })
const keyOf = (text: string | undefined) => must(/factor-reset&key=([\w-]+)/.exec(text ?? '')?.[1])
const resetOf = async ({ user_id }: { user_id: string }) =>
  (
    await admin.query<{ id: string; status: string }>(
      'select id, status from factor_resets where user_id = $1 order by requested_at desc limit 1',
      [user_id],
    )
  ).rows[0]
const due = ({ user_id }: { user_id: string }, hours: number) =>
  admin.query(
    `update factor_resets set due_at = now() + make_interval(hours => $2) where user_id = $1 and status = 'requested'`,
    [user_id, hours],
  )

it('C-03 a lost factor goes after the waiting time, with the password and all sessions; nothing is weaker before', async () => {
  const person = await withFactor()
  const asked = bodyOf(await ask(person), 201)
  expect(Math.round((Date.parse(asked.due_at) - Date.parse(asked.requested_at)) / 3_600_000)).toBe(72)
  expect(codeOf(await ask(person))).toEqual([409, 'reset_pending'])
  for (const to of [person.email, person.second])
    expect((await test.mails.next(to)).subject).toContain('will be reset')
  const id = must(await resetOf(person)).id

  await stepFactorReset(test.app, { id })
  // Three days early it may only warn.
  expect((await accountOf(person)).factor_reset?.due_at).toBe(asked.due_at)
  for (const to of [person.email, person.second])
    expect((await test.mails.next(to)).subject).toContain('tomorrow')
  await stepFactorReset(test.app, { id })
  const halfway = await test.client().call(login, { body: { email: person.email, password } })
  expect(JSON.stringify(halfway.body)).toContain('mfa_authenticate')

  await due(person, -1)
  await Promise.all([stepFactorReset(test.app, { id }), stepFactorReset(test.app, { id })])
  expect(await accountOf(person)).toMatchObject({ two_factor: [], sessions: [], factor_reset: null })
  expect((await person.client.get('/api/users/detail/')).status).toBe(401)
  const again = await test.client().call(login, { body: { email: person.email, password } })
  expect(codeOf(again)).toEqual([400, 'email_password_mismatch'])
  const last = [await test.mails.next(person.email), await test.mails.next(person.email)]
  expect(last.map(({ text }) => text).join()).toMatch(/reset=/)
  expect((await test.mails.next(person.second)).subject).toContain('has been reset')
  expect(codeOf(await ask(person))).toEqual([409, 'no_factor'])
})

const move = ({ user_id }: { user_id: string }, email: string, { api } = support) =>
  api.call(moveAccount, {
    params: { userId: user_id },
    body: { email, identity: 'Called back on the number of the invoice', reason: 'Lost phone and mailbox' },
  })
const moved = async (person: { user_id: string }, email: string) => {
  const asked = await move(person, email)
  expect([asked.status, asked.body]).toMatchObject([
    202,
    { approval: { act: 'customers.move', why: 'always' } },
  ])
  const { id } = (asked.body as { approval: { id: string } }).approval
  const decision = { params: { id }, body: { decision: 'approve' as const } }
  expect((await support.api.call(decideApproval, decision)).status).toBe(403)
  return office.api.call(decideApproval, decision)
}
const addressesNow = async ({ user_id }: { user_id: string }) =>
  (await addressesOf(test.app.db, user_id)).map(({ email, verified, is_primary }) => [
    email,
    verified,
    is_primary,
  ])

it('C-03 an account moves to another address once a second person confirms and the waiting time is over, and is told so at the old ones', async () => {
  const person = await withFactor()
  const email = anyEmail()
  expect(bodyOf(await moved(person, email), 200).status).toBe('approved')
  for (const to of [person.email, person.second])
    expect((await test.mails.next(to)).subject).toContain('account will change')
  expect((await accountOf(person)).factor_reset).toMatchObject({ new_email: email })
  const [{ id }, before] = [must(await resetOf(person)), await addressesNow(person)]
  await stepFactorReset(test.app, { id })
  expect((await test.mails.next(person.second)).subject).toContain('tomorrow')
  expect(await addressesNow(person), 'nothing changes before').toEqual(before)
  expect(codeOf(await ask(person))).toEqual([409, 'reset_pending'])

  await due(person, -1)
  await Promise.all([stepFactorReset(test.app, { id }), stepFactorReset(test.app, { id })])
  expect(await addressesNow(person)).toEqual([[email, true, true]])
  expect(await accountOf(person)).toMatchObject({ two_factor: [], sessions: [], factor_reset: null })
  expect((await test.mails.next(person.second)).subject).toContain('account has changed')
  const mails = [await test.mails.next(email), await test.mails.next(email)]
  expect(mails.map(({ text }) => text).join()).toMatch(/reset=/)
  const old = await test.client().call(requestReset, { body: { email: person.email } })
  expect(old.status).toBe(200)
  expect(
    await asOwner(test, 'select from password_reset_keys where user_id = $1', [person.user_id]),
  ).toHaveLength(1)
})

it('a move is stopped by a link, refused for an address of another account, and ends where that one was faster', async () => {
  const [person, other] = [await withFactor(), await makeAccount(test.app)]
  expect(codeOf(await move(person, other.email))).toEqual([409, 'proven_elsewhere'])
  expect(codeOf(await move(support, anyEmail()))[0]).toBe(403)
  bodyOf(await moved(person, anyEmail()), 200)
  expect((await veto(keyOf((await test.mails.next(person.second)).text))).status).toBe(204)
  expect(await resetOf(person)).toMatchObject({ status: 'vetoed' })

  const [email, before] = [anyEmail(), await addressesNow(person)]
  bodyOf(await moved(person, email), 200)
  await transaction(test.app, 'system', (tx) =>
    insertAddress(tx, { user_id: other.user_id, email, is_primary: false, verified: true }),
  )
  await due(person, -1)
  await stepFactorReset(test.app, { id: must(await resetOf(person)).id })
  expect(await addressesNow(person)).toEqual(before)
  expect((await accountOf(person)).two_factor).toEqual(['totp'])
})

const mergeOf = ({ user_id }: { user_id: string }, email: string, { api } = support) =>
  api.call(mergeAccount, {
    params: { userId: user_id },
    body: { email, identity: 'Called back on both numbers', reason: 'Two accounts by mistake' },
  })
const unmerge = ({ user_id }: { user_id: string }, { api } = support) =>
  api.call(undoMerge, { params: { userId: user_id }, body: { reason: 'Two people after all' } })

it('C-03 two accounts of one person become one: a second member confirms, both are mailed, and it is undone within 7 days', async () => {
  const [from, into] = [await withFactor(), await signedInCustomer(test)]
  const asked = await mergeOf(from, into.email)
  expect(asked).toMatchObject({ status: 202, body: { approval: { act: 'customers.merge', why: 'always' } } })
  expect(codeOf(await mergeOf(from, into.email))).toEqual([409, 'already_proposed'])
  const decision = {
    params: { id: (asked.body as { approval: { id: string } }).approval.id },
    body: { decision: 'approve' as const },
  }
  const wrong = await member('admin')
  await asOwner(test, `update profiles set vat_id = 'DE136695976' where user_id = any($1::uuid[])`, [
    [wrong.user_id, into.user_id],
  ])
  expect(bodyOf(await wrong.api.call(decideApproval, decision), 200)).toMatchObject({
    status: 'failed',
    failure: 'own_account',
  })
  await asOwner(test, `update profiles set vat_id = '' where user_id = $1`, [into.user_id])
  const again = (await mergeOf(from, into.email)).body as { approval: { id: string } }
  const confirmed = { ...decision, params: { id: again.approval.id } }
  expect(bodyOf(await office.api.call(decideApproval, confirmed), 200).status).toBe('approved')
  for (const to of [from.email, from.second, into.email])
    expect(await test.mails.next(to)).toMatchObject({
      subject: expect.stringContaining('will be merged') as string,
      text: expect.not.stringMatching(`${into.email}|${from.email}`) as string,
    })
  expect((await accountOf(from)).factor_reset).toMatchObject({ merge_into: into.email })

  // The person goes on using both accounts until then.
  await from.client.call(reauthenticateByCode, { body: { code: totpCode(from.secret, 1) } })
  const { id } = must(await resetOf(from))
  await due(from, -1)
  await Promise.all([stepFactorReset(test.app, { id }), stepFactorReset(test.app, { id })])
  expect(await accountOf(from)).toMatchObject({
    state: 'locked',
    sessions: [],
    merged_into: { id: into.user_id, email: into.email },
  })
  for (const to of [from.email, from.second, into.email])
    expect((await test.mails.next(to)).text).toContain(`Sign in with ${into.email}`)
  await test.client().call(requestReset, { body: { email: from.email } })
  expect((await test.mails.next(from.email)).text).toContain(`Sign in with ${into.email}`)

  expect(codeOf(await mergeOf(into, from.email))).toEqual([409, 'merge_blocked'])
  const blocked = {
    level: 'blocked' as const,
    from: 'none' as const,
    cause: 'terms' as const,
    ...body,
    message: '',
  }
  const opened = { params: { userId: from.user_id }, body: blocked }
  expect(codeOf(await office.api.call(contract.setBlock, opened))).toEqual([409, 'account_merged'])
  expect(codeOf(await unmerge(from, into))[0]).toBe(403)
  expect(await unmerge(from)).toMatchObject({ status: 200, body: { servers_left: [], balance_left: false } })
  expect(codeOf(await unmerge(from))).toEqual([404, 'not_found'])
  for (const to of [from.email, from.second, into.email])
    expect((await test.mails.next(to)).subject).toContain('undone')
  expect(await accountOf(from)).toMatchObject({ state: 'active', merged_into: null })
})

it('a merge is stopped by a link in any of its mails, and refused for what is not settled, by name', async () => {
  const [from, into] = [await makeAccount(test.app), await signedInCustomer(test)]
  const refusalOf = async (email = into.email, by = support) => codeOf(await mergeOf(from, email, by))
  expect(await refusalOf('nobody@example.org')).toEqual([400, 'merge_no_account'])
  expect(await refusalOf(from.email)).toEqual([409, 'merge_same'])
  expect(await refusalOf(support.email)).toEqual([403, 'own_account'])
  expect(await refusalOf(office.email)).toEqual([403, 'not_allowed'])
  const unless = async (code: string, set: string, back: string, person: { user_id: string } = from) => {
    await asOwner(test, set, [person.user_id])
    expect(await refusalOf()).toEqual([409, code])
    await asOwner(test, back, [person.user_id])
  }
  const access = (word: string) => `update users set access = '${word}' where id = $1`
  await unless('merge_blocked', access('blocked'), access('open'))
  await unless('merge_blocked', access('blocked'), access('open'), into)
  const approval = `insert into approvals (act, customer_id, input, reason, why, links, proposed_by, expires_at)
    values ('customers.erase', $1, '{}', 'x', 'always', '{}', '${support.user_id}', now() + interval '1 hour')`
  await unless(
    'merge_erasure',
    approval,
    `update approvals set status = 'withdrawn', decided_at = now() where customer_id = $1`,
    into,
  )
  const topUp = `insert into top_ups (public_id, user_id, provider, amount, currency) values ('${'t'.repeat(22)}', $1, 'stripe', 100, 'EUR')`
  await unless('merge_unsettled', topUp, `update top_ups set status = 'expired' where user_id = $1`)
  const event = `insert into unbooked_events (provider, event_id, kind, cause, user_id) values ('stripe', 'x', 'charged_back', 'unknown', $1)`
  await unless('merge_unsettled', event, `update unbooked_events set done_at = now() where user_id = $1`)
  const credit = `insert into approvals (act, customer_id, amount, input, reason, why, links, proposed_by, expires_at)
    values ('finance.credit', $1, 100, '{}', 'x', 'allowance', '{}', '${support.user_id}', now() + interval '1 hour')`
  await unless(
    'merge_approval',
    credit,
    `update approvals set status = 'withdrawn', decided_at = now() where customer_id = $1`,
  )
  const reset = `insert into factor_resets (user_id, reason, due_at, token_hashes) values ($1, 'x', now() + interval '1 day', '{}')`
  await unless('reset_pending', reset, `delete from factor_resets where user_id = $1`, into)

  const asked = (await mergeOf(from, into.email)).body as { approval: { id: string } }
  const decision = { params: { id: asked.approval.id }, body: { decision: 'approve' as const } }
  bodyOf(await office.api.call(decideApproval, decision), 200)
  const { id } = must(await resetOf(from))
  expect((await veto(keyOf((await test.mails.next(into.email)).text))).status).toBe(204)
  await due(from, -1)
  await stepFactorReset(test.app, { id })
  expect(await accountOf(from)).toMatchObject({ state: 'active', merged_into: null })
})

it('a veto by either mail stops it, once; and so does any use of the factor, and staff', async () => {
  const person = await withFactor()
  bodyOf(await ask(person), 201)
  const first = keyOf((await test.mails.next(person.email)).text)
  await stepFactorReset(test.app, { id: must(await resetOf(person)).id })
  const second = keyOf((await test.mails.next(person.email)).text)
  expect(second).not.toBe(first)
  expect((await veto(first)).status).toBe(204)
  expect(codeOf(await veto(second))).toEqual([400, 'invalid_or_expired_key'])
  expect(codeOf(await veto('made-up'))).toEqual([400, 'invalid_or_expired_key'])
  expect(await resetOf(person)).toMatchObject({ status: 'vetoed' })

  bodyOf(await ask(person), 201)
  const used = await person.client.call(reauthenticateByCode, { body: { code: totpCode(person.secret, 1) } })
  expect(used.status).toBe(200)
  expect(await resetOf(person)).toMatchObject({ status: 'cancelled' })
  expect(await cancelledBy(person)).toEqual([{ detail: { by_use: true } }])

  bodyOf(await ask(person), 201)
  const params = { userId: person.user_id }
  expect((await office.api.call(contract.cancelFactorReset, { params, body })).status).toBe(204)
  expect(codeOf(await office.api.call(contract.cancelFactorReset, { params, body }))).toEqual([
    404,
    'not_found',
  ])
  expect((await accountOf(person)).two_factor).toEqual(['totp'])
})

it(
  `a veto against the due job, ${ROUNDS} times: one of them counts, and the factor is as the row says`,
  async () => {
    let person = await withFactor()
    for (let round = 0; round < ROUNDS; round += 1) {
      bodyOf(await ask(person), 201)
      const key = keyOf((await test.mails.next(person.email)).text)
      const { id } = must(await resetOf(person))
      await due(person, -1)
      const [vetoed] = await Promise.all([veto(key), stepFactorReset(test.app, { id })])
      const { status } = must(await resetOf(person))
      const has = (await accountOf(person)).two_factor.length > 0
      expect([vetoed.status, status, has]).toEqual(
        vetoed.status === 204 ? [204, 'vetoed', true] : [400, 'done', false],
      )
      if (!has) person = await withFactor()
    }
  },
  60_000 + ROUNDS * 3_000,
)

it('only owners may reset a colleague’s second factor or sign a colleague out; nobody may reset their own', async () => {
  const colleague = await withFactor()
  await transaction(test.app, 'system', (tx) => setStaffRoles(tx, colleague.user_id, ['support']))
  expect(codeOf(await ask(colleague))).toEqual([403, 'not_allowed'])
  expect(codeOf(await ask(support))).toEqual([403, 'own_account'])
  expect(codeOf(await ask(colleague, await member('billing')))).toEqual([403, 'not_allowed'])
  expect((await ask(colleague, owner)).status).toBe(201)
  const out = (by: Customer) =>
    by.api.call(contract.signOutCustomer, { params: { userId: colleague.user_id }, body })
  expect(codeOf(await out(support))).toEqual([403, 'not_allowed'])
  expect((await out(owner)).status).toBe(200)
})

it('signs a customer out everywhere, with a mail; where nobody is signed in, nothing is written', async () => {
  const account = await makeAccount(test.app)
  const clients = [test.client(), test.client(), test.client()]
  for (const client of clients) await signIn(client, account)
  const out = () => support.api.call(contract.signOutCustomer, { params: { userId: account.user_id }, body })
  expect(bodyOf(await out(), 200)).toEqual({ ended: 3 })
  for (const client of clients) expect((await client.get('/api/users/detail/')).status).toBe(401)
  expect((await test.mails.next(account.email)).subject).toContain('signed out')
  expect(bodyOf(await out(), 200)).toEqual({ ended: 0 })
  const { rows } = await admin.query<{ detail: object }>(
    `select detail from audit where user_id = $1 and act = 'customer.signed_out'`,
    [account.user_id],
  )
  expect(rows).toEqual([{ detail: { by: support.user_id, ended: 3, ...body } }])
})

it('confirms an address where none is proven, and none that another account has proven', async () => {
  const email = anyEmail()
  const unproven = async (address: string) => makeAccount(test.app, { verified: false, email: address })
  const account = await unproven(email)
  const confirm = async ({ user_id }: { user_id: string }, { api } = office, id?: string) => {
    const [address] = (await accountOf({ user_id })).addresses
    const params = { userId: user_id, addressId: id ?? String(must(address).id) }
    return api.call(contract.confirmAddress, { params, body })
  }
  expect(codeOf(await confirm(account, support))).toEqual([403, 'not_allowed'])
  expect(codeOf(await confirm(account, office, '999999999'))).toEqual([404, 'not_found'])
  expect((await confirm(account)).status).toBe(200)
  expect((await accountOf(account)).addresses).toMatchObject([{ email, primary: true, proven: true }])
  expect((await test.mails.next(email)).subject).toContain('confirmed')
  expect(codeOf(await confirm(account))).toEqual([409, 'has_proven_address'])
  const late = await unproven(email)
  expect(codeOf(await confirm(late))).toEqual([409, 'proven_elsewhere'])
})

// This test failed while the audit log said of a deleted account that its factor was used.
it('a reset ends with its account, and not by use of the factor', async () => {
  const person = await withFactor()
  bodyOf(await ask(person), 201)
  await transaction(test.app, 'system', (tx) => endPendingReset(tx, person.user_id, {}))
  expect(await resetOf(person)).toMatchObject({ status: 'cancelled' })
  expect(await cancelledBy(person)).toEqual([{ detail: {} }])
})

const cancelledBy = ({ user_id }: { user_id: string }) =>
  asOwner(test, "select detail from audit where user_id = $1 and act = 'factor_reset.cancelled'", [user_id])
