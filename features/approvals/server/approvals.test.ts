import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as contract from '#features/approvals/contract.ts'
import * as finance from '#features/finance/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import { createProfile, softLinksBetween, updateProfileFields } from '#features/profile/server/profile.ts'
import { getStaffMe, giveRoles, listMembers } from '#features/team/contract.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import { expireDue } from '#foundation/server/approvals/jobs.ts'
import { approvalById } from '#foundation/server/approvals/queries.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { createUser } from '#foundation/server/session/session.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { signedInStaff, signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { ownerOf } from '#tests/harness/owner-rows.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'
import { jobs } from './feature.ts'
import { bodyOf } from '#tests/harness/hosts.ts'

const test = await startTestApp()
const { app, mails, url } = test
const { owner: database } = await ownerOf(test)
await database.query(`select set_config('app.actor', 'system', false)`)

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })

const [jonas, billing, olivia] = [
  await memberWith('support'),
  await memberWith('billing'),
  await memberWith('owner'),
]

const key = () => ({ 'idempotency-key': randomUUID() })
const credit = (by: Customer, user_id: string, amount: string, headers = key()) =>
  untilAnswered(() =>
    by.api.call(finance.giveCredit, {
      params: { userId: user_id },
      headers,
      body: { amount, reason: 'Outage' },
    }),
  )
const proposed = async (by: Customer, user_id: string, amount = '12000') => {
  const { status, body } = await credit(by, user_id, amount)
  expect([status, body]).toMatchObject([202, { approval: { act: 'finance.credit' } }])
  return 'approval' in body ? body.approval.id : ''
}
const decide = (by: Customer, id: string, decision: 'approve' | 'refuse' = 'approve', note?: string) =>
  untilAnswered(() =>
    by.api.call(contract.decideApproval, { params: { id }, body: { decision, ...(note && { note }) } }),
  )
const withdraw = (by: Customer, id: string) =>
  untilAnswered(() => by.api.call(contract.withdrawApproval, { params: { id } }))
const listed = async (by: Customer) => {
  const { body } = await by.api.call(contract.listApprovals, { query: { limit: '100' } })
  return 'items' in body ? body.items : []
}
const refusal = ({ status, body }: { status: number; body?: unknown }) => [
  status,
  (body as { errors?: { code: string }[] }).errors?.[0]?.code,
]
const balance = (user_id: string) => balanceOf(app, app.db, user_id)
const statusOf = async (id: string) => must(await approvalById(app.db, id)).status
const auditOf = async (user_id: string) => {
  const rows = await app.db
    .selectFrom('audit')
    .select(['act', 'detail'])
    .where('user_id', '=', user_id)
    .where((eb) => eb.or([eb('act', 'like', 'approval.%'), eb('act', 'like', 'finance.%')]))
    .orderBy('id')
    .execute()
  return rows.map(({ act, detail }) => ({ act, detail: detail as Record<string, unknown> }))
}
/** An account with a profile, and no session. */
const somebody = () =>
  transaction(app, 'system', async (tx) => {
    const user_id = await createUser(tx, { email: anyEmail(), locale: 'en' })
    await createProfile(tx, user_id)
    return user_id
  })

describe('M-02, rule 63: above an allowance a second member confirms', () => {
  it('within it the call does it; above it nothing happens, and the key answers the same', async () => {
    const customer = await somebody()
    expect((await credit(billing, customer, '10000')).status).toBe(201)
    const headers = key()
    const asked = await credit(jonas, customer, '1', headers)
    expect([asked.status, asked.body]).toMatchObject([
      202,
      { approval: { why: 'allowance', amount: { amount: '1' } } },
    ])
    expect(await credit(jonas, customer, '1', headers)).toMatchObject({ status: 202, body: asked.body })
    expect(refusal(await credit(olivia, customer, '1000001'))).toEqual([400, 'balance_cap'])
    expect(refusal(await credit(jonas, customer, '1'))).toEqual([409, 'already_proposed'])
    expect(await balance(customer)).toBe(100_00n)
    expect((await auditOf(customer)).at(-1)).toMatchObject({
      act: 'approval.proposed',
      detail: { by: jonas.user_id, why: 'allowance', amount: '1', reason: 'Outage' },
    })
  })

  it('of 50 credits at once alone are exactly three times the allowance; the rest waits', async () => {
    const member = await memberWith('billing')
    const customers = await Promise.all(Array.from({ length: 50 }, somebody))
    const statuses = await Promise.all(customers.map(async (id) => (await credit(member, id, '2000')).status))
    expect(statuses.filter((status) => status === 201)).toHaveLength(15)
    expect(statuses.filter((status) => status === 202)).toHaveLength(35)
    const balances = await Promise.all(customers.map(balance))
    expect(balances.reduce((sum, one) => sum + one, 0n)).toBe(300_00n)
    const own = (await listed(member)).filter(({ proposed_by }) => proposed_by.id === member.user_id)
    expect(new Set(own.map(({ why }) => why))).toEqual(new Set(['day']))
    const { body } = await member.api.call(getStaffMe, {})
    expect('allowances' in body && body.allowances[0]).toMatchObject({
      act: 'finance.credit',
      single: { amount: '10000' },
      left_today: { amount: '0' },
      above: 'waits',
    })
  })

  it('refunds and transfers wait, too, with what would happen; approved they are booked', async () => {
    const customer = await signedInCustomer(test)
    await addMoney(app, customer.user_id, 2000_00n)
    const { transaction_id: id } = await move(app, {
      type: 'spend',
      user_id: customer.user_id,
      amount: 600_00n,
      description: { code: 'licence_order', params: { host: 'brave-otter-42', plan: 'Standard' } },
    })
    const params = { userId: customer.user_id, id }
    const asked = await billing.api.call(sales.refundTransaction, {
      params,
      headers: key(),
      body: { reason: 'It did not start' },
    })
    expect([asked.status, asked.body]).toMatchObject([202, { approval: { amount: { amount: '60000' } } }])
    const begun = await customer.api.call(finance.startTopUp, {
      headers: key(),
      body: { amount: '150000', provider: 'bank' },
    })
    const topUp = bodyOf(begun, 201)
    const transfer = await billing.api.call(finance.confirmTopUp, {
      params: { userId: customer.user_id, id: topUp.id },
      headers: key(),
      body: { reason: 'Statement 17' },
    })
    expect(transfer.status).toBe(202)
    const waiting = (await listed(olivia)).filter(({ customer: its }) => its?.id === customer.user_id)
    expect(waiting.map(({ preview }) => preview)).toEqual([
      [
        { code: 'transfer', params: { reference: topUp.bank?.reference, announced: '150000' } },
        { code: 'balance', params: { before: '140000', after: '290000' } },
      ],
      [
        { code: 'refund', params: { spent: '60000' } },
        { code: 'balance', params: { before: '140000', after: '200000' } },
      ],
    ])
    for (const one of waiting)
      expect((await decide(olivia, one.id)).body).toMatchObject({ status: 'approved' })
    expect(await balance(customer.user_id)).toBe(3500_00n)
  })
})

describe('deciding', () => {
  it('runs the action once; the audit has both people, and the member who asked gets a mail', async () => {
    const customer = await somebody()
    const id = await proposed(jonas, customer)
    const stream = await openEvents(url, must(olivia.api.access_token))
    await stream.until(({ type }) => type === 'ready')
    await test.startWorker()
    expect((await decide(olivia, id, 'approve', 'Fine with me')).body).toMatchObject({
      status: 'approved',
      decided_by: { id: olivia.user_id },
      note: 'Fine with me',
      preview: [],
    })
    expect(await balance(customer)).toBe(120_00n)
    expect(refusal(await decide(olivia, id))).toEqual([409, 'already_decided'])
    expect((await auditOf(customer)).slice(1)).toMatchObject([
      {
        act: 'finance.credit_given',
        detail: { by: jonas.user_id, approved_by: olivia.user_id, reason: 'Outage' },
      },
      { act: 'approval.approved', detail: { by: olivia.user_id, approval_id: id } },
    ])
    await stream.until(({ type, data }) => type === 'approval.changed' && data['approval_id'] === id)
    stream.close()
    const mail = await mails.next(jonas.email)
    expect(mail.subject).toBe('Approved: Credit of €120.00')
    expect(mail.text).toContain('Fine with me')
  })

  it('nobody decides on their own, for themselves, for a linked account, or without the right', async () => {
    const customer = await somebody()
    const own = await proposed(billing, customer, '50000')
    expect(refusal(await decide(billing, own))).toEqual([403, 'own_proposal'])
    expect(refusal(await decide(jonas, own))).toEqual([403, 'not_allowed'])
    expect(refusal(await withdraw(olivia, own))).toEqual([404, 'not_found'])
    const member = await memberWith('admin')
    const forMember = await proposed(jonas, member.user_id)
    expect(refusal(await decide(member, forMember))).toEqual([403, 'own_account'])
    await liveTogether(member.user_id, customer)
    expect(refusal(await decide(member, own))).toEqual([403, 'own_account'])
    expect(await Promise.all([own, forMember].map(statusOf))).toEqual(['proposed', 'proposed'])
    expect(refusal(await decide(olivia, randomUUID()))).toEqual([404, 'not_found'])
    expect((await listed(jonas)).every(({ proposed_by }) => proposed_by.id === jonas.user_id)).toBe(true)
    expect((await listed(olivia))[0]?.status).toBe('proposed')
  })

  it('nobody decides on what an account that may be their own asks for', async () => {
    const [one, other] = [await memberWith('support'), await memberWith('admin', 'billing')]
    const id = await proposed(one, await somebody())
    await liveTogether(one.user_id, other.user_id)
    const barredOf = async (by: Customer) => (await listed(by)).find((row) => row.id === id)?.barred
    expect(await barredOf(other)).toEqual({ why: 'linked_with_proposer', until: null })
    for (const decision of ['approve', 'refuse'] as const)
      expect(refusal(await decide(other, id, decision))).toEqual([403, 'linked_with_proposer'])
    expect(await barredOf(olivia)).toBeNull()
    expect((await decide(olivia, id)).status).toBe(200)
  })

  it('nobody decides within 14 days on what somebody asks for who brought them in, or whom they brought in, over others too', async () => {
    const boss = await memberWith('owner')
    const [brought, third] = [await signedInCustomer(test), await signedInCustomer(test)]
    const give = async (by: Customer, to: Customer, roles: Role[]) =>
      expect(
        await by.api.call(giveRoles, { params: { userId: to.user_id }, body: { roles, reason: 'New' } }),
      ).toMatchObject({ status: 200 })
    await give(boss, brought, ['admin', 'billing'])
    await give(boss, third, ['support', 'admin'])
    const id = await proposed(brought, await somebody(), '60000')
    for (const one of [boss, third])
      expect(refusal(await decide(one, id))).toEqual([403, 'introduced_by_proposer'])
    const row = (await listed(boss)).find((one) => one.id === id)
    const { why, until } = must(row?.barred ?? undefined)
    expect(why).toBe('introduced_by_proposer')
    expect((Date.parse(must(until ?? undefined)) - Date.now()) / 86_400_000).toBeCloseTo(14, 1)
    const { items } = bodyOf(await boss.api.call(listMembers, {}), 200)
    expect(items.find((one) => one.id === brought.user_id)?.introduced?.by.id).toBe(boss.user_id)
    await database.query(`update introductions set at = now() - interval '15 days'`)
    expect((await decide(third, id)).status).toBe(200)
  })

  it('what the action’s own rules refuse by then is failed, with their code, and nothing is booked', async () => {
    const customer = await somebody()
    const id = await proposed(jonas, customer)
    await addMoney(app, customer, 9_950_00n)
    expect((await decide(olivia, id)).body).toMatchObject({ status: 'failed', failure: 'balance_cap' })
    expect(await balance(customer)).toBe(9_950_00n)
    expect((await mails.next(jonas.email)).subject).toBe('Not carried out: Credit of €120.00')
  })

  it('refused and withdrawn book nothing, and the same may be asked for again', async () => {
    const customer = await somebody()
    const id = await proposed(jonas, customer)
    expect((await decide(olivia, id, 'refuse', 'Not in this case')).body).toMatchObject({ status: 'refused' })
    const again = await proposed(jonas, customer)
    expect((await withdraw(jonas, again)).status).toBe(204)
    expect(refusal(await withdraw(jonas, again))).toEqual([409, 'already_decided'])
    expect(await balance(customer)).toBe(0n)
  })

  it('who may decide gets a mail while it still waits', async () => {
    const id = await proposed(jonas, await somebody(), '12300')
    const remind = must(jobs.find(({ name }) => name === 'remind_of_approval'))
    await remind.run(app, { approval_id: id }, 'test')
    expect(await Promise.all([olivia, billing, jonas].map((one) => mailed(one, 'approval_waiting')))).toEqual(
      [1, 1, 0],
    )
    const { body } = await olivia.api.call(getStaffMe, {})
    const before = 'waiting' in body ? body.waiting : 0
    await decide(olivia, id, 'refuse')
    expect((await olivia.api.call(getStaffMe, {})).body).toMatchObject({ waiting: before - 1 })
    await remind.run(app, { approval_id: id }, 'test')
    expect(await mailed(olivia, 'approval_waiting')).toBe(1)
  })
})

const ROUNDS = Number(process.env['APPROVAL_ROUNDS'] ?? 6)

describe('rule 63: an approval is decided once', () => {
  const expireNow = (id: string) =>
    database.query(
      `update approvals set status = 'expired', decided_at = now() where id = $1 and status = 'proposed'`,
      [id],
    )
  type Race = [name: string, other: (id: string, by: Customer) => Promise<{ status: number } | void>]
  it.each<Race>([
    ['approve', (id) => decide(billing, id)],
    ['refuse', (id) => decide(billing, id, 'refuse')],
    ['withdraw', (id, by) => withdraw(by, id)],
    ['expiry', async (id) => void (await expireNow(id))],
    ['revocation of the member who asked', (_id, by) => revoke(by)],
  ])(
    'approve against %s',
    async (name, other) => {
      const by = await memberWith('support')
      for (let round = 0; round < ROUNDS; round += 1) {
        const customer = await somebody()
        const proposer = name.startsWith('revocation') ? await memberWith('support') : by
        const id = await proposed(proposer, customer)
        const [approved, beside] = await Promise.all([decide(olivia, id), other(id, proposer)])
        const row = must(await approvalById(app.db, id))
        const isApproved = row.status === 'approved'
        expect(await balance(customer)).toBe(isApproved ? 120_00n : 0n)
        expect(row.status).not.toBe('proposed')
        const isHers = isApproved && row.decided_by === olivia.user_id
        expect(approved.status).toBe(isHers ? 200 : 409)
        // Expiry and revocation return no status to check.
        if (beside) expect([200, 204].includes(beside.status)).toBe(!isHers)
        if (beside && isHers) expect(beside.status).toBe(409)
      }
    },
    20_000 + ROUNDS * 1000,
  )

  it('the database refuses a second decision, a changed proposal, and one’s own decision', async () => {
    const id = await proposed(jonas, await somebody())
    const change = (set: string) => database.query(`update approvals set ${set} where id = '${id}'`)
    await expect(change('amount = 1')).rejects.toThrow('decided once')
    await expect(change(`status = 'withdrawn', decided_at = now(), amount = 1`)).rejects.toThrow(
      'does not change',
    )
    await expect(change(`status = 'approved', decided_at = now(), decided_by = proposed_by`)).rejects.toThrow(
      'approvals_check',
    )
    await decide(olivia, id, 'refuse')
    await expect(change(`status = 'approved'`)).rejects.toThrow('decided once')
    await expect(database.query(`delete from approvals where id = '${id}'`)).rejects.toThrow('append-only')
    await expect(database.query('update allowance_uses set amount = 1')).rejects.toThrow('append-only')
  })
})

describe('a proposal expires', () => {
  it('after 72 hours: at once for who decides, and by the job', async () => {
    const [id, customer] = [randomUUID(), await somebody()]
    await database.query(
      `insert into approvals (id, act, customer_id, amount, input, why, reason, proposed_by, expires_at)
       values ($1, 'finance.credit', $2, 12000, '{}', 'allowance', 'Outage', $3, now() - interval '1 second')`,
      [id, customer, jonas.user_id],
    )
    expect(refusal(await decide(olivia, id))).toEqual([409, 'already_decided'])
    const before = await mailed(jonas, 'approval_decided')
    await expireDue(app)
    expect(await statusOf(id)).toBe('expired')
    expect(await mailed(jonas, 'approval_decided')).toBe(before + 1)
  })

  it('with the permission of the member who asked, however it went', async () => {
    const member = await memberWith('support')
    const [id, other] = [await proposed(member, await somebody()), await proposed(member, await somebody())]
    await revoke(member)
    expect(await statusOf(id)).toBe('expired')
    await database.query(
      `insert into approvals (id, act, customer_id, amount, input, why, reason, proposed_by, expires_at)
       values ($1, 'finance.credit', $2, 700, '{}', 'allowance', 'Outage', $3, now() + interval '1 day')`,
      [randomUUID(), await somebody(), member.user_id],
    )
    const left = must((await listed(olivia)).find(({ amount }) => amount?.amount === '700'))
    expect(refusal(await decide(olivia, left.id))).toEqual([409, 'already_decided'])
    expect(await statusOf(other)).toBe('expired')
  })
})

describe('soft links', () => {
  it('the same surname, street and ZIP: any amount waits, and who decides reads why', async () => {
    const [member, customer] = [await memberWith('billing'), await somebody()]
    await liveTogether(member.user_id, customer)
    const asked = await credit(member, customer, '100')
    expect([asked.status, asked.body]).toMatchObject([202, { approval: { why: 'linked' } }])
    const shown = (await listed(olivia)).find(({ customer: its }) => its?.id === customer)
    expect(shown).toMatchObject({ why: 'linked', links: ['address'] })
  })

  it('the same browser in the same network, outside of the staff’s', async () => {
    const [member, customer] = [await memberWith('billing'), await signedInCustomer(test)]
    const ids = [member.user_id, customer.user_id] as const
    const within = (networks: { check: (ip: string) => boolean } | undefined) =>
      softLinksBetween(
        { ...app, config: { ...app.config, staff: { ...app.config.staff, networks } } } as typeof app,
        app.db,
        ...ids,
      )
    expect(await within(undefined), 'nobody knows the office').toEqual([])
    expect(await within({ check: () => true }), 'at the office').toEqual([])
    expect(await within({ check: () => false })).toEqual(['device'])
  })
})

describe('without a second person', () => {
  it('a single owner acts alone, which the audit says and all owners are told', async () => {
    const single = await memberWith('owner')
    await database.query(
      `update users set staff_roles = '{}', is_staff = false where is_staff and id <> $1`,
      [single.user_id],
    )
    const customer = await somebody()
    const { allowances } = bodyOf(await single.api.call(getStaffMe, {}), 200)
    expect(allowances.map(({ act, above }) => [act, above])).toContainEqual(['finance.credit', 'alone'])
    expect((await credit(single, customer, '500000')).status).toBe(201)
    expect((await auditOf(customer)).at(-1)).toMatchObject({
      act: 'finance.credit_given',
      detail: { by: single.user_id, alone: true },
    })
    expect(await mailed(single, 'money_alone')).toBe(1)
    const admin = await memberWith('admin')
    expect((await credit(single, customer, '499900')).status, 'there is one now').toBe(202)
    expect((await credit(admin, await somebody(), '500000')).status, 'no owner').toBe(202)
  })

  it('STAFF_APPROVALS=off: everybody moves any amount', async () => {
    app.config.staff.needsApprovals = false
    const [member, customer] = [await memberWith('support'), await somebody()]
    expect((await credit(member, customer, '300000')).status).toBe(201)
    expect((await member.api.call(getStaffMe, {})).body).toMatchObject({ allowances: [] })
    app.config.staff.needsApprovals = true
    expect((await credit(member, customer, '300000')).status).toBe(202)
  })
})

const liveTogether = (one: string, other: string) =>
  transaction(app, 'system', async (tx) => {
    const home = { surname: `Berger ${one.slice(0, 8)}`, zip: '22085', address: 'Lindenweg 7' }
    await updateProfileFields(tx, one, home)
    await updateProfileFields(tx, other, { ...home, address: 'LINDENWEG, 7.' })
  })

async function revoke(member: Customer): Promise<void> {
  const { status } = await olivia.api.call(giveRoles, {
    params: { userId: member.user_id },
    body: { roles: [], reason: 'Left' },
  })
  expect(status).toBe(200)
}

/** How many mails of a kind were written to somebody. */
async function mailed({ email }: Customer, letter: string): Promise<number> {
  const rows = await app.db
    .selectFrom('mails')
    .select('id')
    .where('to_address', '=', email)
    .where('letter', '=', letter)
    .execute()
  return rows.length
}
