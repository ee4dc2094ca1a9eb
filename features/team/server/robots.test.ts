import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { giveCredit } from '#features/finance/contract.ts'
import { decideApproval } from '#features/approvals/contract.ts'
import { listStaffTickets } from '#features/support/desk/contract.ts'
import { postMessage } from '#features/support/messages/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { reportLeak } from '#features/sharing/token-contract.ts'
import * as team from '#features/team/contract.ts'
import * as contract from '#features/team/robot-contract.ts'
import { isForPeople } from '#foundation/roles.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles, startSession, staffIds, staffMembers } from '#foundation/server/session/session.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { endTokensInTime } from './robot-tokens.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
const olivia = await signedInStaff(test, { roles: ['owner'] })

type Roles = contract.Robot['roles']
const made = async (roles: Roles, by = olivia) => {
  const robot = bodyOf(
    await by.api.call(contract.createRobot, { body: { name: `Triage ${randomUUID().slice(0, 8)}`, roles } }),
    201,
  )
  return { robot, ...(await tokenOf(robot.id, by)) }
}
async function tokenOf(robotId: string, by: Customer) {
  const body = { name: 'night run', ends: '30' as const }
  const { secret, ...token } = bodyOf(
    await by.api.call(contract.createRobotToken, { params: { robotId }, body }),
    201,
  )
  const api = test.client()
  api.access_token = secret
  return { api, secret, token }
}
const robotsSeen = async () => bodyOf(await olivia.api.call(contract.listRobots, {}), 200).items
const credit = ({ api }: Pick<Customer, 'api'>, user_id: string, amount: string) =>
  api.call(giveCredit, {
    params: { userId: user_id },
    headers: { 'idempotency-key': randomUUID() },
    body: { amount, reason: 'Outage' },
  })
const decide = ({ api }: Pick<Customer, 'api'>, id: string) =>
  api.call(decideApproval, { params: { id }, body: { decision: 'approve' } })
/** How many mails about tokens of robots were written to somebody. */
const toldOf = async ({ email }: Customer) =>
  (await asOwner(test, `select from mails where letter = 'robot_token' and to_address = $1`, [email])).length
const auditOf = (user_id: string) =>
  asOwner(test, `select act, actor_kind, actor_id, detail from audit where user_id = $1 order by id`, [
    user_id,
  ])

describe('M-05 robots', () => {
  it('show their secret once, make the calls of their roles, and say when they were used', async () => {
    const { robot, api, secret, token } = await made(['support'])
    expect(secret).toMatch(/^hdp_[0-9A-Za-z]{46}$/)
    expect(token).toMatchObject({ hint: `hdp_…${secret.slice(-4)}`, last_used_at: null })
    expect((await api.call(listStaffTickets, { query: {} })).status).toBe(200)
    const me = bodyOf(await api.call(team.getStaffMe, {}), 200)
    expect(me).toMatchObject({ roles: ['support'], two_factor: 'ok' })
    expect(me.permissions).toContain('tickets.desk')
    const [seen] = (await robotsSeen()).filter(({ id }) => id === robot.id)
    expect(seen).toMatchObject({ name: robot.name, made_by: { id: olivia.user_id } })
    expect(seen?.tokens).toMatchObject([{ id: token.id, last_used_ip: '127.0.0.1' }])
    const customer = await signedInCustomer(test)
    const asked = { subject: 'Slow', message: 'The server is slow.', topic: 'technical' } as const
    const { id: chatId } = bodyOf(await customer.api.call(createTicket, { body: asked }), 201)
    const answer = { client_id: randomUUID(), text: 'A disk was replaced.' }
    const written = bodyOf(await api.call(postMessage, { params: { chatId }, body: answer }), 201)
    expect(written.author).toMatchObject({ id: robot.id, is_staff: true })
    const params = { robotId: robot.id }
    const roles: Roles = ['billing']
    const change = { params, body: { roles, reason: 'Books now' } }
    expect(bodyOf(await olivia.api.call(contract.giveRobotRoles, change), 200).roles).toEqual(['billing'])
    expect(bodyOf(await api.call(team.getStaffMe, {}), 200).roles).toEqual(['billing'])
    const stored = JSON.stringify(await asOwner(test, 'select * from robot_tokens', []))
    expect(stored).not.toContain(secret.slice(4, 20))
  })
  it('are made by owners alone, with a recent proof, and with no role of an owner', async () => {
    const admin = await signedInStaff(test, { roles: ['admin'] })
    const body = { name: 'x', roles: ['support' as const] }
    expect((await admin.api.call(contract.createRobot, { body })).body).toMatchObject(
      refusal(403, 'not_allowed'),
    )
    const stale = await signedInStaff(test, { roles: ['owner'], proven_s_ago: 4000 })
    expect((await stale.api.call(contract.createRobot, { body })).body).toMatchObject(
      refusal(403, 'reauthentication_required'),
    )
    expect((await olivia.api.post('/api/staff/robots/', { name: 'x', roles: ['owner'] })).status).toBe(400)
    const { robot, api } = await made(['admin'])
    expect((await api.call(contract.createRobot, { body })).body).toMatchObject(refusal(403, 'not_allowed'))
    const owner = { params: { userId: robot.id }, body: { roles: ['owner' as const], reason: 'x' } }
    const second = await signedInStaff(test, { roles: ['owner'] })
    expect((await second.api.call(team.giveRoles, owner)).status).toBe(404)
    await expect(transaction(app, 'system', (tx) => setStaffRoles(tx, robot.id, ['owner']))).rejects.toThrow(
      'robots_prove_nothing',
    )
  })
  it('never confirm, whatever their roles: not by a call, and not by a statement', async () => {
    const { robot, api } = await made(['support', 'billing', 'admin'])
    const member = await signedInStaff(test, { roles: ['billing'] })
    const customer = await signedInCustomer(test)
    const asked = bodyOf(await credit(member, customer.user_id, '50000'), 202)
    expect((await decide({ api }, asked.approval.id)).body).toMatchObject(refusal(403, 'session_required'))
    await expect(
      transaction(app, 'system', (tx) =>
        tx
          .updateTable('approvals')
          .set({ status: 'refused', decided_by: robot.id, decided_at: new Date() })
          .where('id', '=', asked.approval.id)
          .execute(),
      ),
    ).rejects.toThrow('a robot is no person')
    expect(
      app.permissions
        .filter(isForPeople)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([
      'approvals.decide',
      'company.change',
      'company.read',
      'customers.confirm_address',
      'customers.merge',
      'customers.move',
      'customers.reset_factor',
      'customers.view',
      'team.manage',
    ])
    const { permissions } = bodyOf(await api.call(team.getStaffMe, {}), 200)
    expect(permissions).not.toContain('approvals.decide')
  })
  it('need a second person, who is none of those who made them or a token of theirs', async () => {
    const { robot, api } = await made(['billing'])
    const second = await signedInStaff(test, { roles: ['owner'] })
    await tokenOf(robot.id, second)
    const third = await signedInStaff(test, { roles: ['owner'] })
    const customer = await signedInCustomer(test)
    expect((await credit({ api }, customer.user_id, '10000')).status).toBe(201)
    const { approval } = bodyOf(await credit({ api }, customer.user_id, '50000'), 202)
    for (const barred of [olivia, second])
      expect((await decide(barred, approval.id)).body).toMatchObject(refusal(403, 'linked_with_proposer'))
    expect((await decide(third, approval.id)).status).toBe(200)
    const rows = await auditOf(customer.user_id)
    expect(rows).toContainEqual(
      expect.objectContaining({ act: 'approval.proposed', actor_kind: 'staff', actor_id: robot.id }),
    )
    // The owner who made it may not use it for an account of their own.
    expect((await credit({ api }, olivia.user_id, '100')).body).toMatchObject(refusal(403, 'own_account'))
    const twin = await signedInCustomer(test, { email: second.email.replace('@', '+twin@') })
    expect((await credit({ api }, twin.user_id, '100')).body).toMatchObject(refusal(403, 'own_account'))
    // They are its makers by no address: also while none of theirs is proven.
    await asOwner(test, 'update email_addresses set verified_at = null where user_id = $1', [second.user_id])
    expect((await credit({ api }, second.user_id, '100')).body).toMatchObject(refusal(403, 'own_account'))
  })
  it('are no people: they sign in nowhere, get no mail, and are no customer, colleague or member', async () => {
    const { robot } = await made(['admin'])
    const from = { ip: '127.0.0.1', user_agent: 'tests' }
    await expect(
      transaction(app, 'system', (tx) => startSession(app, tx, { user_id: robot.id, methods: [], from })),
    ).rejects.toThrow('a robot is no person')
    await expect(
      asOwner(test, 'update users set has_password = true where id = $1', [robot.id]),
    ).rejects.toThrow('robots_prove_nothing')
    await expect(
      asOwner(test, `update users set kind = 'person' where id = $1`, [robot.id]),
    ).rejects.toThrow()
    const { items } = bodyOf(await olivia.api.call(team.listMembers, {}), 200)
    expect(items.map(({ id }) => id)).not.toContain(robot.id)
    expect((await staffMembers(app.db)).map(({ id }) => id)).not.toContain(robot.id)
    expect(await staffIds(app.db)).not.toContain(robot.id)
    const other = await signedInStaff(test, { roles: ['owner'] })
    expect((await credit(other, robot.id, '100')).status).toBe(404)
    const sent = await asOwner(
      test,
      `select to_address from mails where to_address like '%robot.invalid'`,
      [],
    )
    expect(sent).toEqual([])
  })
  it('end at once with their requests, and stay known by name', async () => {
    const { robot, api, secret } = await made(['billing'])
    const customer = await signedInCustomer(test)
    const { approval } = bodyOf(await credit({ api }, customer.user_id, '50000'), 202)
    const params = { robotId: robot.id }
    expect((await olivia.api.call(contract.endRobot, { params, query: { reason: 'Done' } })).status).toBe(204)
    const refused = await test.client().get('/api/staff/me/', { access_token: secret, session_token: null })
    const unknown = await test
      .client()
      .get('/api/staff/me/', { access_token: `${secret}x`, session_token: null })
    expect([refused.status, refused.body]).toEqual([401, unknown.body])
    const [row] = await asOwner(test, 'select status from approvals where id = $1', [approval.id])
    expect(row).toEqual({ status: 'expired' })
    expect((await robotsSeen()).map(({ id }) => id)).not.toContain(robot.id)
    const acts = (await auditOf(robot.id)).map((row) => (row as { act: string }).act)
    expect(acts).toEqual([
      'robot.made',
      'robot.token_made',
      'staff.revoked',
      'robot.token_ended',
      'robot.ended',
    ])
    const entries = await olivia.api.get(`/api/staff/audit/?actor=${robot.id}`)
    expect(JSON.stringify(entries.body)).toContain(robot.name)
    expect((await olivia.api.call(contract.endRobot, { params, query: { reason: 'Done' } })).status).toBe(404)
  })
  it('lose a token by its end, by an owner, and where it is found in the open; the owners are told', async () => {
    const told = await signedInStaff(test, { roles: ['owner'] })
    const { robot, api, secret, token } = await made(['support'])
    const status = async () => (await api.call(team.getStaffMe, {})).status
    expect(await status()).toBe(200)
    await test.client().call(reportLeak, { body: { secret } })
    expect(await status()).toBe(401)
    expect(await toldOf(told), 'made, and found').toBe(2)
    const other = await tokenOf(robot.id, olivia)
    await asOwner(
      test,
      `update robot_tokens set created_at = now() - interval '20 days', expires_at = now() + interval '2 days' where id = $1`,
      [other.token.id],
    )
    await endTokensInTime(app)
    await endTokensInTime(app)
    expect(await toldOf(told), 'another made, and warned once').toBe(4)
    await asOwner(test, `update robot_tokens set expires_at = now() where id = $1`, [other.token.id])
    expect((await other.api.call(team.getStaffMe, {})).status).toBe(401)
    await endTokensInTime(app)
    expect(await toldOf(told)).toBe(5)
    const params = { robotId: robot.id, tokenId: token.id }
    expect((await olivia.api.call(contract.endRobotToken, { params })).status).toBe(404)
    const third = await tokenOf(robot.id, olivia)
    const ending = { params: { ...params, tokenId: third.token.id } }
    expect((await olivia.api.call(contract.endRobotToken, ending)).status).toBe(204)
    expect((await third.api.call(team.getStaffMe, {})).status).toBe(401)
  })
})
