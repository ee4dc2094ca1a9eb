import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as profile from '#features/profile/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { assignTicket } from '#features/support/desk/contract.ts'
import * as contract from '#features/team/contract.ts'
import type { Role } from '#foundation/roles.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { findUser, setStaffRoles } from '#foundation/server/session/session.ts'
import { signedInStaff, signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { ownClock } from '#tests/harness/own-clock.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app, mails, url } = test

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })

const change = (by: Customer, of: Customer, roles: Role[], reason = 'New duties') =>
  by.api.call(contract.giveRoles, { params: { userId: of.user_id }, body: { roles, reason } })
const refusal = ({ status, body }: { status: number; body?: unknown }) => [
  status,
  (body as { errors?: { code: string }[] }).errors?.[0]?.code,
]
const rolesOf = async ({ user_id }: Customer) => must(await findUser(app.db, user_id)).staff_roles

const owner = await memberWith('owner')

it('lists the members with their roles, and each permission with the roles that hold it', async () => {
  const member = await memberWith('support', 'billing')
  const { status, body } = await owner.api.call(contract.listMembers, {})
  expect(status).toBe(200)
  if (status !== 200) return
  expect(body.items).toContainEqual({
    id: member.user_id,
    name: member.email,
    email: member.email,
    roles: ['support', 'billing'],
    two_factor: false,
    last_seen_at: expect.any(String) as string,
    open_tickets: 0,
    introduced: null,
    waiting_roles: null,
  })
  expect(body.permissions).toContainEqual({ name: 'finance.refund', roles: ['billing', 'admin', 'owner'] })
  expect(body.permissions).toContainEqual({ name: 'team.manage', roles: ['owner'] })
  expect(refusal(await member.api.call(contract.listMembers, {}))).toEqual([403, 'not_allowed'])
  expect((await (await memberWith('admin')).api.call(contract.listMembers, {})).status).toBe(200)
})

it('every permission has a text in three languages and a place on the page', () => {
  const page = readFileSync('features/team/web/role-texts.ts', 'utf8')
  for (const { name } of app.permissions) {
    const key = `team_may_${name.replaceAll('.', '_')}`
    expect(page, name).toContain(`'${name}': m.${key},`)
  }
})

describe('changing roles', () => {
  it('gives and takes; the member and all owners get a mail, and the audit says who, what and why', async () => {
    const member = await memberWith('support')
    expect(await change(owner, member, ['billing', 'support'])).toMatchObject({
      status: 200,
      body: { roles: ['support', 'billing'] },
    })
    expect((await member.api.call(contract.getStaffMe, {})).status, 'nothing was taken').toBe(200)
    const own = await mails.next(member.email)
    expect(own.subject).toBe('Your roles at Hostdesk have changed')
    expect(own.text).toContain('For 14 days, you and ')
    const told = await mails.next(owner.email)
    expect(told.text).toContain('For 14 days, ')
    expect(told.text).toContain('Support, Billing')
    expect(told.text).toContain('New duties')
    const [row] = await app.db
      .selectFrom('audit')
      .select(['act', 'detail', 'ip'])
      .where('user_id', '=', member.user_id)
      .where('act', '=', 'staff.roles_changed')
      .execute()
    expect(row).toMatchObject({
      detail: { by: owner.user_id, before: ['support'], roles: ['support', 'billing'], reason: 'New duties' },
      ip: '127.0.0.1',
    })
    expect((await change(owner, member, ['support', 'billing'])).status, 'the same again').toBe(200)
    const late = await owner.api.put(`/api/staff/members/${member.user_id}/roles/`, {
      roles: ['admin'],
      from: ['support'],
      reason: 'Two owners at once',
    })
    expect([late.status, late.body]).toMatchObject([409, { errors: [{ code: 'changed' }] }])
    await change(owner, member, ['support'])
    expect((await member.api.get('/api/users/detail/')).status, 'a taken role ends the sessions').toBe(401)
  })

  it('refuses an unknown role, an empty reason, one’s own account, nobody, and everybody but owners', async () => {
    const member = await memberWith('support')
    const wrong = await owner.api.put(`/api/staff/members/${member.user_id}/roles/`, {
      roles: ['root'],
      reason: ' ',
    })
    expect([wrong.status, wrong.body]).toMatchObject([
      400,
      { errors: [{ param: 'roles.0' }, { code: 'required' }] },
    ])
    expect(refusal(await change(owner, owner, ['support']))).toEqual([403, 'own_account'])
    const nobody = { ...member, user_id: '00000000-0000-4000-8000-000000000000' }
    expect(refusal(await change(owner, nobody, ['support']))).toEqual([404, 'not_found'])
    expect(refusal(await change(await memberWith('admin'), member, ['owner']))).toEqual([403, 'not_allowed'])
  })

  it('M-03, rule 5: revoking ends sessions and eight streams within 2 s, and gives the tickets back', async () => {
    const member = await memberWith('support')
    const customer = await signedInCustomer(test)
    const opened = await customer.api.call(createTicket, {
      body: { subject: 'Slow', message: 'It is slow.', topic: 'technical' },
    })
    const chatId = must('id' in opened.body ? opened.body.id : undefined)
    await member.api.call(assignTicket, { params: { chatId }, body: {} })
    const streams = await Promise.all(
      Array.from({ length: 8 }, () => openEvents(url, must(member.api.access_token))),
    )
    const took = ownClock()
    expect((await change(owner, member, [], 'Left the company')).status).toBe(200)
    expect((await member.api.get('/api/staff/tickets/')).status).toBe(401)
    await Promise.all(streams.map((stream) => stream.ended()))
    expect(took()).toBeLessThan(2000)
    const ticket = await owner.api.get<{ assignee: unknown; status: string }>(`/api/tickets/${chatId}/`)
    expect(ticket.body).toMatchObject({ assignee: null, status: 'opened' })
    expect(await rolesOf(member)).toEqual([])
  })

  it('gives no ticket to somebody who leaves at that moment', async () => {
    const customer = await signedInCustomer(test)
    for (let round = 0; round < 5; round += 1) {
      const member = await memberWith('support')
      const opened = await customer.api.call(createTicket, {
        body: { subject: 'Slow', message: 'It is slow.', topic: 'technical' },
      })
      const chatId = must('id' in opened.body ? opened.body.id : undefined)
      const body = { user_id: member.user_id }
      await Promise.all([
        owner.api.call(assignTicket, { params: { chatId }, body }),
        change(owner, member, []),
      ])
      const ticket = await owner.api.get(`/api/tickets/${chatId}/`)
      expect(ticket.body).toMatchObject({ assignee: null })
    }
  })
})

describe('the last owner stays', () => {
  // The fault tests run more rounds.
  const rounds = Number(process.env['APPROVAL_ROUNDS'] ?? 10)

  it('M-03 of two owners who revoke each other at once one goes, again and again', async () => {
    let one = owner
    for (let round = 0; round < rounds; round += 1) {
      const other = await memberWith('owner')
      const statuses = await Promise.all([change(one, other, []), change(other, one, [])])
      expect(statuses.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
      const left = (await rolesOf(one)).length > 0 ? one : other
      expect(await rolesOf(left)).toEqual(['owner'])
      one = left
    }
    await transaction(app, 'system', async (tx) => setStaffRoles(tx, owner.user_id, ['owner']))
    if (one !== owner) await transaction(app, 'system', (tx) => setStaffRoles(tx, one.user_id, []))
  })

  it('cannot delete the account, nor be deactivated by any statement', async () => {
    const last = await signedInCustomer(test)
    await transaction(app, 'system', async (tx) => {
      await setStaffRoles(tx, last.user_id, ['owner'])
      await setStaffRoles(tx, owner.user_id, [])
    })
    expect(refusal(await last.api.call(profile.deactivate, { body: {} }))).toEqual([409, 'last_owner'])
    const update = (set: object) =>
      transaction(app, 'system', (tx) =>
        tx.updateTable('users').set(set).where('id', '=', last.user_id).execute(),
      )
    for (const set of [
      { is_active: false },
      { is_staff: false, staff_roles: [] },
      { staff_roles: ['support'] },
    ])
      await expect(update(set)).rejects.toThrow('the last owner stays')
    await memberWith('owner')
    expect((await last.api.call(profile.deactivate, { body: {} })).status).toBe(204)
  })
})
