import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { AccountActivity } from '#features/sharing/contract.ts'
import { makeVoucher } from '#features/finance/server/vouchers.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { endGrant, helperOf as makeHelper, programOf, type Terms } from '#tests/harness/grants.ts'
import { addHost, asOwner, patchHost } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { anyAddress, goods, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { question } from '#tests/harness/tickets.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
const PRICE = goods['standard-month'].total
const helperOf = (owner: Customer, terms?: Terms) => makeHelper(test, owner, terms)
const once = () => ({ headers: { 'idempotency-key': randomUUID() } })

const activityOf = async ({ api }: Customer, account?: string): Promise<AccountActivity[]> => {
  const of = account === undefined ? '' : `&for=${account}`
  const { status, body } = await api.get<{ items: AccountActivity[] }>(`/api/sharing/activity/?limit=50${of}`)
  expect(status).toBe(200)
  return body.items
}

const linesOf = async (reader: Customer, account?: string) =>
  (await activityOf(reader, account)).map(({ act, by, host, amount }) =>
    [act, by?.name, host?.name, amount?.amount].filter(Boolean).join(' '),
  )

describe('O-10 the activity of an account', () => {
  it.each([
    ['people', helperOf, ({ email }: Customer) => `grant.accepted ${email}`],
    [
      'programs by their tokens',
      (owner: Customer, terms?: Terms) => programOf(test, owner, terms),
      (_program: Customer, { email }: Customer) => `token.made ${email}`,
    ],
  ])(
    'says who did what, on which server and for how much, as far as a role goes: %s',
    async (name, made, begun) => {
      const owner = await signedInCustomer(test)
      await addMoney(test.app, owner.user_id, 5n * PRICE)
      const [full, technical] = [await made(owner, { role: 'full' }), await made(owner)]
      const host = await addHost(owner.api, { name: 'shop', ipv4: anyAddress() })
      await patchHost(technical.api, host.id, { name: 'web' })
      const order = { plan: 'standard-month', expected_total: { amount: String(PRICE), currency: 'EUR' } }
      await full.api.post(`/api/hosts/${host.id}/licence/`, order, once())
      await full.api.post(
        `/api/finances/top-ups/?for=${owner.user_id}`,
        { amount: '2500', provider: 'bank' },
        once(),
      )
      const code = await makeVoucher(test.app, { amount: 700n, uses: 1, days: null })
      await full.api.post(`/api/finances/vouchers/?for=${owner.user_id}`, { code }, once())
      await full.api.post(`/api/hosts/?for=${owner.user_id}`, { name: 'added' }, once())
      await technical.api.post(`/api/tickets/?for=${owner.user_id}`, { ...question, host_id: host.id })
      const money = [
        `grant.voucher_redeemed ${full.email} 700`,
        `grant.topped_up ${full.email} 2500`,
        `grant.spent ${full.email} web ${PRICE}`,
      ]
      const servers = [
        `grant.ticket_opened ${technical.email} web`,
        `grant.host_added ${full.email} added`,
        `host.changed_by_helper ${technical.email} web`,
      ]
      const all = [servers[0], servers[1], ...money, servers[2]]
      expect(await linesOf(full, owner.user_id)).toEqual(all)
      expect(await linesOf(technical, owner.user_id)).toEqual(servers)
      expect(JSON.stringify(await activityOf(technical, owner.user_id))).not.toContain('currency')
      const acts = (await activityOf(full, owner.user_id)).map(({ act }) => act).slice(0, 2)
      const own = await linesOf(owner)
      expect(own.filter((line) => all.includes(line))).toEqual(all)
      expect(own).toContain(begun(technical, owner))
      // Without an account a person reads of their own, and a program of the one that its token is of.
      const unnamed = await activityOf(full)
      expect(unnamed.map(({ act }) => act).slice(0, 2)).toEqual(name === 'people' ? [] : acts)
    },
  )
  it('is of the servers of a grant, and ends with it and after 180 days', async () => {
    const owner = await signedInCustomer(test)
    const [given, kept] = [
      await addHost(owner.api, { name: 'given' }),
      await addHost(owner.api, { name: 'kept' }),
    ]
    const [all, some] = [await helperOf(owner), await helperOf(owner, { host_ids: [given.id] })]
    for (const { id, name } of [given, kept]) await patchHost(all.api, id, { name: `${name}-new` })
    await patchHost(some.api, given.id, { name: 'given-newer' })
    expect(await linesOf(some, owner.user_id)).toEqual([
      `host.changed_by_helper ${some.email} given-newer`,
      `host.changed_by_helper ${all.email} given-newer`,
    ])
    await endGrant(owner, some.grantId)
    expect((await some.api.get(`/api/sharing/activity/?for=${owner.user_id}`)).status).toBe(404)
    await asOwner(
      test,
      `insert into audit (user_id, act, at, detail) select user_id, act, now() - interval '181 days', detail from audit
       where user_id = $1 and act = 'host.changed_by_helper'`,
      [owner.user_id],
    )
    expect(await linesOf(all, owner.user_id)).toHaveLength(3)
    const page = await all.api.get<{ items: object[]; next_cursor: string }>(
      `/api/sharing/activity/?for=${owner.user_id}&limit=2`,
    )
    const rest = await all.api.get<{ items: object[] }>(
      `/api/sharing/activity/?for=${owner.user_id}&limit=2&cursor=${page.body.next_cursor}`,
    )
    expect([page.body.items.length, rest.body.items.length]).toEqual([2, 1])
  })
})

it('O-10: what a helper did and was rolled back leaves no line', async () => {
  const owner = await signedInCustomer(test)
  const helping = await helperOf(owner, { role: 'full' })
  const answer = await helping.api.post(
    `/api/finances/vouchers/?for=${owner.user_id}`,
    { code: 'NO-SUCH-CODE' },
    once(),
  )
  expect(answer.status).toBe(400)
  expect(await linesOf(owner)).toEqual([`grant.accepted ${helping.email}`, `grant.invited ${owner.email}`])
})
