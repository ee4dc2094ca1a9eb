import { describe, expect, it } from 'vitest'
import { buildServer } from '#app/server/server.ts'
import * as contract from '#features/team/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { Client } from '#tests/harness/client.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app } = test

describe('rule 1: the permissions of a member of staff', () => {
  it('are the union of the permissions of their roles', async () => {
    const member = await signedInCustomer(test)
    const ask = async (...roles: Parameters<typeof setStaffRoles>[2]) => {
      await transaction(app, 'system', (tx) => setStaffRoles(tx, member.user_id, roles))
      const { status, body } = await member.api.call(contract.getStaffMe, {})
      return status === 200 ? body : status
    }
    expect(await ask()).toBe(403)
    const support = [
      'finance.read',
      'finance.credit',
      'auto_top_ups.pause',
      'invoices.read',
      'customers.help',
      'help.write',
      'tickets.desk',
      'customers.read',
      'customers.contact',
      'approvals.read',
      'customers.note',
      'customers.sign_out',
      'customers.view',
      'customers.reset_factor',
      'customers.move',
      'customers.merge',
      'announcements.publish',
      'today.read',
    ]
    const none = { amount: '0', currency: 'EUR' }
    expect(await ask('support')).toEqual({
      roles: ['support'],
      permissions: support,
      two_factor: 'ok',
      allowances: [{ act: 'finance.credit', single: none, left_today: none, above: 'waits' }],
      waiting: 0,
    })
    expect(await ask('billing', 'support', 'billing')).toMatchObject({
      roles: ['support', 'billing'],
      permissions: expect.arrayContaining([...support, 'banking.book', 'finance.refund']),
    })
    const all = app.permissions.map(({ name }) => name)
    expect(await ask('owner')).toMatchObject({ permissions: all })
  })

  it('says that a second factor is missing where it is required, and answers nothing else of staff', async () => {
    const strict = { ...app, config: { ...app.config, staff: { ...app.config.staff, needsTwoFactor: true } } }
    const server = await buildServer(strict)
    const url = await server.listen({ port: 0, host: '127.0.0.1' })
    const member = await signedInStaff({ app, client: () => new Client(url) })
    expect((await member.api.call(contract.getStaffMe, {})).body).toMatchObject({ two_factor: 'missing' })
    const desk = await member.api.get<{ errors: { code: string }[] }>('/api/staff/tickets/')
    expect([desk.status, desk.body.errors[0]?.code]).toEqual([403, 'two_factor_required'])
    expect((await member.api.get('/api/users/detail/')).body).toMatchObject({ is_staff: true })
    await server.close()
  })
})

describe('the database keeps roles by itself', () => {
  const write = (author: 'system' | { userId: string }, id: string, change: object) =>
    transaction(app, author, (tx) => tx.updateTable('users').set(change).where('id', '=', id).execute())
  const roles = async (id: string) =>
    (await app.db.selectFrom('users').select(['staff_roles', 'is_staff']).where('id', '=', id).execute())[0]

  it('refuses roles that nobody knows, and roles of somebody who is not staff', async () => {
    const { user_id } = await signedInCustomer(test)
    await expect(write('system', user_id, { staff_roles: ['root'], is_staff: true })).rejects.toThrow(
      'staff_roles_known',
    )
    for (const change of [{ staff_roles: ['support'] }, { is_staff: true }])
      await expect(write('system', user_id, change)).rejects.toThrow('staff_roles_are_staff')
  })

  it('lets no customer give themselves a role, whatever statement they reach', async () => {
    const { user_id } = await signedInCustomer(test)
    const change = { is_staff: true, staff_roles: ['owner'] }
    await expect(write({ userId: user_id }, user_id, change)).rejects.toThrow(
      'roles are given by the system only',
    )
    expect(await roles(user_id)).toEqual({ staff_roles: [], is_staff: false })
  })
})
