import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { decideApproval, listApprovals, withdrawApproval } from '#features/approvals/contract.ts'
import { giveCredit } from '#features/finance/contract.ts'
import * as contract from '#features/team/contract.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { findUser, setStaffRoles } from '#foundation/server/session/session.ts'
import { keyIn } from '#tests/contract/accounts.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { signedInStaff, signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app, mails } = test

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })

const [olivia, boris] = [await memberWith('owner'), await memberWith('owner')]

const change = (by: Customer, of: Customer, roles: Role[], from?: Role[]) =>
  by.api.call(contract.giveRoles, {
    params: { userId: of.user_id },
    body: { roles, reason: 'New duties', ...(from && { from }) },
  })
const invite = (by: Customer, email: string, roles: Role[]) =>
  by.api.call(contract.createInvitation, { body: { email, roles } })
const decide = (by: Customer, id: string, decision: 'approve' | 'refuse' = 'approve') =>
  by.api.call(decideApproval, { params: { id }, body: { decision } })
const waitingIn = ({ status, body }: { status: number; body: unknown }): string => {
  expect([status, body]).toMatchObject([
    202,
    { approval: { act: 'team.manage', why: 'always', amount: null } },
  ])
  return (body as { approval: { id: string } }).approval.id
}
const refusal = ({ status, body }: { status: number; body?: unknown }) => [
  status,
  (body as { errors?: { code: string }[] }).errors?.[0]?.code,
]
const rolesOf = async ({ user_id }: Customer) => must(await findUser(app.db, user_id)).staff_roles
const team = async () => {
  const { body } = await olivia.api.call(contract.listMembers, {})
  return 'items' in body ? body : { items: [], invitations: [] }
}
const audited = async (act: string, of?: Customer, approval_id?: string) => {
  const rows = await app.db.selectFrom('audit').select(['user_id', 'detail']).where('act', '=', act).execute()
  const isOf = (detail: unknown) =>
    approval_id === undefined || (detail as { approval_id?: string }).approval_id === approval_id
  return rows.find(({ user_id, detail }) => (!of || user_id === of.user_id) && isOf(detail))?.detail
}
const statusOf = async (id: string) =>
  (await app.db.selectFrom('approvals').select('status').where('id', '=', id).executeTakeFirst())?.status

beforeEach(async () => {
  await transaction(app, 'system', async (tx) => {
    for (const one of [olivia, boris]) await setStaffRoles(tx, one.user_id, ['owner'])
  })
})

it('M-01 giving the role of an owner waits for another owner, and is written then with both names', async () => {
  const member = await memberWith('admin')
  const id = waitingIn(await change(olivia, member, ['admin', 'owner']))
  expect(await rolesOf(member)).toEqual(['admin'])
  expect((await team()).items.find((one) => one.id === member.user_id)).toMatchObject({
    roles: ['admin'],
    waiting_roles: ['admin', 'owner'],
  })
  expect(refusal(await change(olivia, member, ['admin', 'owner']))).toEqual([409, 'already_proposed'])
  expect(refusal(await decide(olivia, id))).toEqual([403, 'own_proposal'])
  expect(refusal(await decide(member, id))).toEqual([403, 'not_allowed'])
  expect(await decide(boris, id)).toMatchObject({ status: 200, body: { status: 'approved', amount: null } })
  expect(await rolesOf(member)).toEqual(['admin', 'owner'])
  expect(await audited('staff.roles_changed', member)).toMatchObject({
    by: olivia.user_id,
    approved_by: boris.user_id,
    before: ['admin'],
    reason: 'New duties',
  })
  expect((await mails.about(olivia.email, /^Approved: Owner role$/)).text).toContain('New duties')
  await transaction(app, 'system', (tx) => setStaffRoles(tx, member.user_id, []))
})

it('a role that a second owner confirmed bars nobody; without that neither decides nor is shown what waits for others', async () => {
  const credited = async (by: Customer) => {
    const customer = await signedInCustomer(test)
    const headers = { 'idempotency-key': randomUUID() }
    const body = { amount: '150000', reason: 'Outage' }
    const asked = await by.api.call(giveCredit, { params: { userId: customer.user_id }, headers, body })
    return (asked.body as { approval: { id: string } }).approval.id
  }
  const waitingOf = async ({ api }: Customer) => bodyOf(await api.call(contract.getStaffMe, {}), 200).waiting
  const [alone, confirmed] = [await signedInCustomer(test), await signedInCustomer(test)]
  await change(olivia, alone, ['admin', 'billing'])
  const before = [await waitingOf(olivia), await waitingOf(boris)] as const
  const barred = await credited(alone)
  expect([await waitingOf(olivia), await waitingOf(boris)]).toEqual([before[0], before[1] + 1])
  expect(refusal(await decide(olivia, barred))).toEqual([403, 'introduced_by_proposer'])
  expect((await decide(boris, barred)).status).toBe(200)
  expect((await decide(boris, waitingIn(await change(olivia, confirmed, ['owner'])))).status).toBe(200)
  expect((await decide(olivia, await credited(confirmed))).status).toBe(200)
  await transaction(app, 'system', (tx) => setStaffRoles(tx, confirmed.user_id, []))
})

it('taking it waits, too, and is not confirmed by the owner who would lose it; other roles wait for nobody', async () => {
  const cara = await memberWith('owner')
  const id = waitingIn(await change(olivia, cara, []))
  expect(refusal(await decide(cara, id))).toEqual([403, 'own_account'])
  expect(await change(olivia, cara, ['support', 'owner'])).toMatchObject({ status: 200 })
  expect(await decide(boris, id), 'the roles are others by now').toMatchObject({
    body: { status: 'failed', failure: 'changed' },
  })
  expect(await rolesOf(cara)).toEqual(['support', 'owner'])
  const again = waitingIn(await change(olivia, cara, ['support'], ['support', 'owner']))
  expect((await decide(boris, again)).body).toMatchObject({ status: 'approved' })
  expect(await rolesOf(cara)).toEqual(['support'])
  expect((await cara.api.call(contract.getStaffMe, {})).status).toBe(401)
})

it('a role of an owner that somebody got meanwhile is not taken along by a form that did not show it', async () => {
  const member = await memberWith('admin')
  expect(refusal(await change(olivia, member, ['admin', 'owner'], ['support']))).toEqual([409, 'changed'])
  await transaction(app, 'system', (tx) => setStaffRoles(tx, member.user_id, ['admin', 'owner']))
  expect(refusal(await change(olivia, member, ['support'], ['admin']))).toEqual([409, 'changed'])
  expect(await rolesOf(member)).toEqual(['admin', 'owner'])
  await transaction(app, 'system', (tx) => setStaffRoles(tx, member.user_id, []))
})

it('an invitation to become an owner is mailed once another owner confirmed it', async () => {
  const person = await signedInCustomer(test)
  const id = waitingIn(await invite(olivia, person.email, ['owner']))
  const open = must((await team()).invitations.find(({ email }) => email === person.email))
  expect(open.waits).toBe(true)
  const params = { invitationId: open.id }
  expect((await olivia.api.call(contract.resendInvitation, { params })).status).toBe(404)
  await decide(boris, id)
  const { text } = await mails.about(person.email, /^Invitation to the support team of Hostdesk$/)
  const key = keyIn(text, 'invite')
  expect((await person.api.call(contract.acceptInvitation, { body: { key } })).body).toEqual({
    roles: ['owner'],
  })
  await transaction(app, 'system', (tx) => setStaffRoles(tx, person.user_id, []))
  expect(await audited('staff.invited')).toMatchObject({
    by: olivia.user_id,
    approved_by: boris.user_id,
    roles: ['owner'],
  })
})

it('refused, withdrawn or replaced it ends, and its approval sends nothing; no address stays in the approval', async () => {
  const email = anyEmail()
  const refused = waitingIn(await invite(olivia, email, ['owner', 'support']))
  expect((await decide(boris, refused, 'refuse')).body).toMatchObject({ status: 'refused' })
  const withdrawn = waitingIn(await invite(olivia, email, ['owner']))
  await olivia.api.call(withdrawApproval, { params: { id: withdrawn } })
  expect((await team()).invitations).toEqual([])
  const replaced = waitingIn(await invite(olivia, email, ['owner']))
  expect(await invite(boris, email, ['support'])).toMatchObject({ status: 201, body: { waits: false } })
  expect(refusal(await decide(boris, replaced)), 'taken back with what it would have sent').toEqual([
    409,
    'already_decided',
  ])
  expect(await audited('approval.withdrawn', undefined, replaced)).toMatchObject({ by: boris.user_id })
  expect((await team()).invitations).toMatchObject([{ email, roles: ['support'], waits: false }])
  const rows = await app.db.selectFrom('approvals').selectAll().execute()
  expect(JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? '' : value))).not.toContain(
    email,
  )
})

it('M-01 withdrawing a waiting invitation ends its approval, and the invitation is gone even if approved at the same time', async () => {
  const email = anyEmail()
  const id = waitingIn(await invite(olivia, email, ['owner']))
  const open = must((await team()).invitations.find((one) => one.email === email))
  const params = { invitationId: open.id }
  expect((await boris.api.call(contract.deleteInvitation, { params })).status).toBe(204)
  expect(refusal(await decide(boris, id))).toEqual([409, 'already_decided'])
  const list = await olivia.api.call(listApprovals, { query: { status: 'proposed' } })
  expect((list.body as { items: { id: string }[] }).items.map((one) => one.id)).not.toContain(id)
  for (let round = 0; round < 5; round += 1) {
    const other = waitingIn(await invite(olivia, anyEmail(), ['owner']))
    const last = must((await team()).invitations.find(({ waits }) => waits))
    const [gone, decided] = await Promise.all([
      boris.api.call(contract.deleteInvitation, { params: { invitationId: last.id } }),
      decide(boris, other),
    ])
    // The invitation is withdrawn before it is sent, or it is sent first and withdrawn afterwards.
    expect(gone.status).toBe(204)
    expect([200, 409]).toContain(decided.status)
    expect((await team()).invitations.filter((one) => one.id === last.id)).toEqual([])
  }
})

it('M-01 of two invitations to one address at once only the last waits for an approval, and it can be given', async () => {
  const email = anyEmail()
  const ids = (
    await Promise.all([olivia, boris, olivia, boris].map((one) => invite(one, email, ['owner'])))
  ).map((reply) => waitingIn(reply))
  const statuses = await Promise.all(ids.map((id) => statusOf(id)))
  expect(statuses.filter((status) => status === 'withdrawn')).toHaveLength(3)
  const left = must(ids[statuses.indexOf('proposed')])
  const { proposed_by } = must(
    await app.db.selectFrom('approvals').select('proposed_by').where('id', '=', left).executeTakeFirst(),
  )
  const other = proposed_by === olivia.user_id ? boris : olivia
  expect((await decide(other, left)).body).toMatchObject({ status: 'approved' })
})

it('M-01 taking a role from a person ends their waiting owner invitation and its approval; adding a role does not', async () => {
  const member = await signedInCustomer(test)
  const id = waitingIn(await invite(olivia, member.email, ['owner']))
  expect(await change(boris, member, ['support', 'billing'])).toMatchObject({ status: 200 })
  expect(await statusOf(id), 'more rights end nothing').toBe('proposed')
  expect(await change(boris, member, ['support'])).toMatchObject({ status: 200 })
  expect((await team()).invitations.filter(({ email }) => email === member.email)).toEqual([])
  expect(await statusOf(id)).toBe('withdrawn')
  expect(refusal(await decide(boris, id))).toEqual([409, 'already_decided'])
})

it('M-01 a single owner acts alone: the audit says so, and the owners get a mail', async () => {
  await transaction(app, 'system', (tx) => setStaffRoles(tx, boris.user_id, ['admin']))
  const member = await memberWith('support')
  const given = await change(olivia, member, ['support', 'owner'])
  expect(given).toMatchObject({ status: 200, body: { roles: ['support', 'owner'] } })
  const mail = await mails.about(olivia.email, /^Without a second person: Owner role$/)
  expect(mail.text).toContain('Nobody else on the team could have approved it.')
  expect(await audited('staff.roles_changed', member)).toMatchObject({ by: olivia.user_id, alone: true })
  expect(
    (await invite(olivia, anyEmail(), ['owner'])).status,
    'the second is new, and decides nothing yet',
  ).toBe(201)
  expect(
    waitingIn(await invite(member, anyEmail(), ['owner'])),
    'nor does the new one act alone',
  ).toBeTruthy()
  await asOwner(test, `update introductions set at = at - interval '15 days'`)
  expect(waitingIn(await invite(olivia, anyEmail(), ['owner'])), 'now there are two').toBeTruthy()
})
