import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { buildServer } from '#app/server/server.ts'
import * as auth from '#features/auth/contract.ts'
import * as profile from '#features/profile/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { assignTicket } from '#features/support/desk/contract.ts'
import * as contract from '#features/team/contract.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { findUser, setStaffRoles, updateUser } from '#foundation/server/session/session.ts'
import { keyIn, password } from '#tests/contract/accounts.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { Client } from '#tests/harness/client.ts'
import { signedInStaff, signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { invite } from './team.ts'

const test = await startTestApp({ settings: { SIGNUP_OPEN: 'off' } })
const { app, client, mails } = test

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })

const owner = await memberWith('owner')

/** Invites an address as the command line does, without the limit for a person. Returns the id, and the key of the mailed link. */
async function invited(email: string, roles: Role[] = ['support'], by: string | null = null) {
  const wanted = { email, roles, by, locale: 'en' as const }
  const { invitation, link } = await transaction(app, 'system', (tx) => invite(app, tx, wanted))
  return { id: invitation.id, key: keyIn(link, 'invite') }
}

const send = (by: Customer, email: string, roles: Role[] = ['support']) =>
  by.api.call(contract.createInvitation, { body: { email, roles } })
const accept = ({ api }: Pick<Customer, 'api'>, key: string) =>
  api.call(contract.acceptInvitation, { body: { key, first_page: 'today' } })
const inspect = ({ api }: Customer, key: string) =>
  api.call(contract.inspectInvitation, { headers: { 'x-invitation-key': key } })
const refusal = ({ status, body }: { status: number; body?: unknown }) => [
  status,
  (body as { errors?: { code: string }[] } | undefined)?.errors?.[0]?.code,
]
const rolesOf = async ({ user_id }: Customer) => must(await findUser(app.db, user_id)).staff_roles
const openOnes = async () => {
  const { body } = await owner.api.call(contract.listMembers, {})
  return 'invitations' in body ? body.invitations : []
}

describe('inviting', () => {
  it('mails a link, keeps its hash alone, and is listed; the audit has no address', async () => {
    const email = anyEmail()
    const made = await send(owner, email, ['billing', 'support'])
    expect(made).toMatchObject({ status: 201, body: { email, roles: ['support', 'billing'] } })
    const mail = await mails.next(email)
    expect(mail.subject).toBe('Invitation to the support team of Hostdesk')
    expect(mail.text).toContain('Support, Billing')
    const key = keyIn(mail.text, 'invite')
    const rows = await app.db.selectFrom('invitations').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(must((await openOnes()).find((one) => one.email === email))).toEqual(made.body)
    const audited = await app.db
      .selectFrom('audit')
      .select('detail')
      .where('act', '=', 'staff.invited')
      .execute()
    expect(audited.at(-1)).toMatchObject({ detail: { by: owner.user_id, roles: ['support', 'billing'] } })
    expect(JSON.stringify(audited)).not.toContain(email)
  })

  it('answers alike whether the address has an account, and refuses members and nonsense', async () => {
    const admin = await memberWith('admin')
    const shape = ({ status, body }: { status: number; body: unknown }) => [
      status,
      Object.keys(body as object),
    ]
    const customer = await signedInCustomer(test)
    const other = await memberWith('owner')
    expect(shape(await send(other, customer.email))).toEqual(shape(await send(other, anyEmail())))
    expect(refusal(await send(other, admin.email))).toEqual([409, 'already_member'])
    expect(refusal(await send(other, other.email, ['owner']))).toEqual([409, 'already_member'])
    const wrong = await other.api.post('/api/staff/invitations/', { email: 'x', roles: ['root'] })
    expect([wrong.status, wrong.body]).toMatchObject([
      400,
      { errors: [{ param: 'roles.0' }, { param: 'email' }] },
    ])
    expect((await send(other, anyEmail(), [])).status).toBe(400)
    expect(refusal(await send(admin, anyEmail()))).toEqual([403, 'not_allowed'])
    const stale = await signedInCustomer(test, { proven_s_ago: 400 })
    await transaction(app, 'system', (tx) => setStaffRoles(tx, stale.user_id, ['owner']))
    expect(refusal(await send(stale, anyEmail()))).toEqual([403, 'reauthentication_required'])
    for (const one of [other, stale])
      await transaction(app, 'system', (tx) => setStaffRoles(tx, one.user_id, []))
  })

  it('sends ten an hour for each member', async () => {
    const other = await memberWith('owner')
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) statuses.push((await send(other, anyEmail())).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429])
    await transaction(app, 'system', (tx) => setStaffRoles(tx, other.user_id, []))
  })

  it('keeps one open for an address, however many invite at once; the keys before are void', async () => {
    const customer = await signedInCustomer(test)
    const all = await Promise.all(Array.from({ length: 20 }, () => invited(customer.email)))
    expect((await openOnes()).filter(({ email }) => email === customer.email)).toHaveLength(1)
    const answers = await Promise.all(all.map(({ key }) => inspect(customer, key)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('sends again with another key, also what has expired, and withdraws', async () => {
    const customer = await signedInCustomer(test)
    const { id, key } = await invited(customer.email)
    await mails.next(customer.email)
    await asOwner(test, `update invitations set expires_at = now() - interval '1 second' where id = $1`, [id])
    expect(refusal(await inspect(customer, key))).toEqual([400, 'invalid_or_expired_key'])
    expect(refusal(await accept(customer, key))).toEqual([400, 'invalid_or_expired_key'])
    const params = { invitationId: id }
    expect((await owner.api.call(contract.resendInvitation, { params })).status).toBe(200)
    const again = keyIn((await mails.next(customer.email)).text, 'invite')
    expect(refusal(await inspect(customer, key))).toEqual([400, 'invalid_or_expired_key'])
    expect((await inspect(customer, again)).status).toBe(200)
    expect((await owner.api.call(contract.deleteInvitation, { params })).status).toBe(204)
    expect(refusal(await accept(customer, again))).toEqual([400, 'invalid_or_expired_key'])
    expect((await owner.api.call(contract.deleteInvitation, { params })).status).toBe(404)
    expect((await owner.api.call(contract.resendInvitation, { params })).status).toBe(404)
    expect(await rolesOf(customer)).toEqual([])
  })
})

describe('accepting', () => {
  it('M-04 gives the roles once, of twenty tries at once, and tells the owners', async () => {
    const customer = await signedInCustomer(test)
    const { key, id } = await invited(customer.email, ['support', 'billing'], owner.user_id)
    expect((await inspect(customer, key)).body).toMatchObject({
      email: customer.email,
      roles: ['support', 'billing'],
      invited_by: owner.email,
      two_factor: 'ok',
    })
    const tries = await Promise.all(Array.from({ length: 20 }, () => accept(customer, key)))
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(tries.map(refusal).filter(([status]) => status === 400)).toHaveLength(19)
    expect((await customer.api.call(contract.getStaffMe, {})).body).toMatchObject({
      roles: ['support', 'billing'],
    })
    expect((await customer.api.call(profile.getProfile, {})).body).toMatchObject({ first_page: 'today' })
    const rows = await app.db
      .selectFrom('audit')
      .select(['user_id', 'detail'])
      .where('act', '=', 'staff.accepted')
      .execute()
    expect(rows).toMatchObject([
      {
        user_id: customer.user_id,
        detail: { by: customer.user_id, invited_by: owner.user_id, invitation_id: id, before: [] },
      },
    ])
    const subject = `${customer.email}’s roles have changed`
    expect((await mails.about(owner.email, subject)).subject).toBe(subject)
  })

  it('brings nobody in by a second account of theirs, unless another owner confirmed it', async () => {
    const second = await signedInCustomer(test, { email: owner.email.replace('@', '+second@') })
    const { key } = await invited(second.email, ['support'], owner.user_id)
    expect(refusal(await accept(second, key))).toEqual([403, 'own_account'])
    expect(await rolesOf(second)).toEqual([])
    const give = { params: { userId: second.user_id }, body: { roles: ['support' as const], reason: 'Mine' } }
    expect(refusal(await owner.api.call(contract.giveRoles, give))).toEqual([403, 'own_account'])
  })

  it('is for the account that has proven the invited address: a claim, or the key alone, gives nothing', async () => {
    const email = anyEmail()
    const { key } = await invited(email, ['owner'])
    const reader = await signedInCustomer(test)
    const claimant = await signedInCustomer(test)
    await claimant.api.call(profile.addAddress, { body: { email } })
    const unproven = await signedInCustomer(test, { email, verified: false })
    for (const person of [reader, claimant, unproven]) {
      expect(refusal(await inspect(person, key))).toEqual([409, 'other_address'])
      expect(refusal(await accept(person, key))).toEqual([409, 'other_address'])
      expect(await rolesOf(person)).toEqual([])
    }
    expect(refusal(await accept({ api: client() }, key))).toEqual([401, 'not_authenticated'])
    await asOwner(test, 'update email_addresses set verified_at = now() where id = $1', [unproven.address.id])
    expect(await accept(unproven, key), 'refused, it stayed open').toMatchObject({ status: 200 })
    await transaction(app, 'system', (tx) => setStaffRoles(tx, unproven.user_id, []))
  })

  it('asks for a second factor first where staff must have one', async () => {
    const strict = { ...app, config: { ...app.config, staff: { ...app.config.staff, needsTwoFactor: true } } }
    const server = await buildServer(strict)
    const url = await server.listen({ port: 0, host: '127.0.0.1' })
    const person = await signedInCustomer({ app, client: () => new Client(url) })
    const { key } = await invited(person.email)
    expect((await inspect(person, key)).body).toMatchObject({ two_factor: 'missing' })
    expect(refusal(await accept(person, key))).toEqual([403, 'two_factor_required'])
    await transaction(app, 'system', (tx) => updateUser(tx, person.user_id, { factors: ['totp'] }))
    expect((await accept(person, key)).status).toBe(200)
    await server.close()
  })
})

it('opens the sign-up to the invited address where it is closed to others: sign up, prove, sign in, accept', async () => {
  const email = anyEmail()
  const { key } = await invited(email)
  await mails.next(email)
  const browser = client()
  const signUp = (address: string, invitation?: string) =>
    browser.call(auth.signup, { body: { email: address, password, ...(invitation && { invitation }) } })
  for (const [address, sent] of [[email], [email, 'made up'], [anyEmail(), key]] as const)
    expect((await signUp(address, sent)).status).toBe(403)
  expect((await signUp(email, key)).status).toBe(401)
  const { text } = await mails.next(email)
  // In whichever browser the link is opened, it leads on to the invitation.
  expect(keyIn(text, 'invite')).toBe(key)
  const proof = keyIn(text, 'verify')
  await browser.call(auth.verifyEmail, { body: { key: proof } })
  expect((await browser.call(auth.login, { body: { email, password } })).status).toBe(200)
  expect(await accept({ api: browser }, key)).toMatchObject({ status: 200, body: { roles: ['support'] } })
  expect((await browser.get('/api/staff/tickets/')).status).toBe(200)
})

describe('rights taken', () => {
  const revoke = (member: Customer) =>
    owner.api.call(contract.giveRoles, {
      params: { userId: member.user_id },
      body: { roles: [], reason: 'Left the company' },
    })

  it('ends the invitations that a former owner sent, and those to their own addresses', async () => {
    const former = await memberWith('owner')
    const friend = await signedInCustomer(test)
    const sent = await invited(friend.email, ['admin'], former.user_id)
    // The invitation is sent while the person is no member, and the key is kept.
    await transaction(app, 'system', (tx) => setStaffRoles(tx, former.user_id, []))
    const kept = await invited(former.email, ['owner'], owner.user_id)
    await transaction(app, 'system', (tx) => setStaffRoles(tx, former.user_id, ['owner']))
    const untouched = await invited(anyEmail(), ['support'], owner.user_id)
    expect((await revoke(former)).status).toBe(200)
    expect(refusal(await accept(friend, sent.key))).toEqual([400, 'invalid_or_expired_key'])
    const open = (await openOnes()).map(({ id }) => id)
    expect(open).not.toContain(kept.id)
    expect(open).toContain(untouched.id)
  })

  it('a member who deletes their account leaves no ticket behind, and the owners are told', async () => {
    const member = await signedInCustomer(test)
    await accept(member, (await invited(member.email)).key)
    const customer = await signedInCustomer(test)
    const opened = await customer.api.call(createTicket, {
      body: { subject: 'Slow', message: 'It is slow.', topic: 'technical' },
    })
    const chatId = must('id' in opened.body ? opened.body.id : undefined)
    expect((await member.api.call(assignTicket, { params: { chatId }, body: {} })).status).toBe(200)
    expect((await member.api.call(profile.deactivate, { body: {} })).status).toBe(204)
    const ticket = await owner.api.get(`/api/tickets/${chatId}/`)
    expect(ticket.body).toMatchObject({ assignee: null, status: 'opened' })
    const [row] = await app.db
      .selectFrom('audit')
      .select('detail')
      .where('user_id', '=', member.user_id)
      .where('act', '=', 'staff.revoked')
      .execute()
    expect(row).toMatchObject({ detail: { by: member.user_id, released: 1 } })
    const left = await app.db
      .selectFrom('invitations')
      .select('id')
      .where('accepted_by', '=', member.user_id)
      .execute()
    expect(left).toEqual([])
  })

  it('no statement of a customer invites, whatever it reaches', async () => {
    const { user_id, email } = await signedInCustomer(test)
    const values = { email, roles: ['owner'], token_hash: Buffer.from(randomUUID()), expires_at: new Date() }
    await expect(
      transaction(app, { userId: user_id }, (tx) => tx.insertInto('invitations').values(values).execute()),
    ).rejects.toThrow('row-level security')
  })
})
