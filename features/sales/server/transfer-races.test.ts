import { expect, it } from 'vitest'
import { checkLedger, credit } from '#features/finance/server/finance.ts'
import { byCommand } from '#features/customers/server/customers.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { getInvoice, listInvoices } from '#features/invoices/contract.ts'
import { addHost, asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { anyAddress, buyer, orderLicence, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { accept, offered, transferred, withdraw } from '#tests/harness/transfers.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'
import { deactivate } from '#features/profile/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '100000' } })
await stockShop(test)
const ROUNDS = 30

const [one, other] = [await buyer(test, 0n), await buyer(test, 0n)]
for (const { user_id } of [one, other]) await addMoney(test.app, user_id, 500_000n)

type Rows = { host: string; periods: string[]; orders: string[]; tickets: string[]; state: string }
/** The owners of a server, its periods, orders and tickets, and the way in which its last offer ended. */
const rowsOf = async (public_id: string): Promise<Rows> =>
  (
    await asOwner(
      test,
      `select h.user_id as host,
        array(select distinct user_id::text from paid_periods where host_id = h.id) as periods,
        array(select user_id::text from licence_orders where host_id = h.id) as orders,
        array(select user_id::text from tickets where host_id = h.id) as tickets,
        (select state from host_transfers where host_id = h.id order by created_at desc limit 1) as state
      from hosts h where h.public_id = $1`,
      [public_id],
    )
  )[0] as Rows
const ascending = (a: number, b: number) => a - b
const server = async (owner: Customer) => (await addHost(owner.api, { ipv4: anyAddress() })).id

it('O-05 of an acceptance and a withdrawal at once one counts, and of many acceptances one', async () => {
  const ends = new Set<string>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const host = await server(one)
    const { id } = await offered(one, other, host)
    const answers = await Promise.all([
      untilAnswered(() => accept(other, id)),
      untilAnswered(() => withdraw(one, host)),
      untilAnswered(() => accept(other, id)),
    ])
    const { host: owner, state } = await rowsOf(host)
    const [first, taken, second] = answers.map(({ status }) => status)
    ends.add(state)
    if (state === 'withdrawn') expect([first, taken, second, owner]).toEqual([409, 204, 409, one.user_id])
    else {
      expect([state, taken, owner]).toEqual(['accepted', 404, other.user_id])
      expect([first ?? 0, second ?? 0].toSorted(ascending)).toEqual([200, 409])
    }
  }
  expect(ends.size).toBeGreaterThan(0)
})

it('O-06 an order by the owner of before counts as a whole before the transfer, or not at all', async () => {
  const seen = { before: 0, after: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const host = await server(one)
    const { id } = await offered(one, other, host)
    const ticket = { subject: 'x', message: 'x', topic: 'technical', host_id: host } as const
    const [ordered, accepted, written] = await Promise.all([
      untilAnswered(() => orderLicence(one, host)),
      untilAnswered(() => accept(other, id)),
      untilAnswered(() => one.api.call(createTicket, { body: ticket })),
    ])
    expect(accepted.status).toBe(200)
    const rows = await rowsOf(host)
    expect(rows.host).toBe(other.user_id)
    seen[ordered.status === 201 ? 'before' : 'after'] += 1
    if (ordered.status === 201) expect([rows.periods, rows.orders]).toEqual([[other.user_id], [one.user_id]])
    else expect([ordered.status, rows.periods, rows.orders]).toEqual([404, [], []])
    expect([written.status, rows.tickets]).toEqual(written.status === 201 ? [201, [one.user_id]] : [400, []])
  }
  expect(seen.before + seen.after).toBe(ROUNDS)
  expect(await checkLedger(test.app.ownerUrl)).toMatchObject({ damages: [] })
})

it('O-05 nothing goes to an account that is deleted at the same time', async () => {
  for (let round = 0; round < 10; round += 1) {
    const receiver = await signedInCustomer(test)
    const host = await server(one)
    const { id } = await offered(one, receiver, host)
    const [accepted] = await Promise.all([
      untilAnswered(() => accept(receiver, id)),
      untilAnswered(() => receiver.api.call(deactivate, { body: { email: receiver.email } })),
    ])
    const rows = (await asOwner(
      test,
      `select h.user_id, h.deleted_at is not null as deleted from hosts h where h.public_id = $1`,
      [host],
    )) as { user_id: string; deleted: boolean }[]
    // Either the server was transferred first, and is deleted with the account, or it stays with its owner.
    const mine = { user_id: one.user_id, deleted: false }
    const gone = { user_id: receiver.user_id, deleted: true }
    expect(rows).toEqual([accepted.status === 200 ? gone : mine])
  }
})

/** The things that accounts hold: balances and gifts, owners and paid time of their servers, owners of their tickets. */
const holdings = async (ids: readonly string[]) =>
  asOwner(
    test,
    `select u.id as account,
      (select coalesce(sum(b.balance), 0)::text from balances b where b.user_id = u.id) as balance,
      (select coalesce(sum(b.gift), 0)::text from balances b where b.user_id = u.id) as gift,
      array(select h.public_id || coalesce(h.paid_until::text, '') || h.licence_key || h.auto_renew from hosts h
        where h.user_id = u.id and h.deleted_at is null order by 1) as servers,
      array(select p.starts_at::text || p.ends_at::text from paid_periods p where p.user_id = u.id order by 1) as periods,
      array(select t.public_id || (select count(*) from ticket_messages m where m.ticket_id = t.id and m.user_id = u.id)
        from tickets t where t.user_id = u.id order by 1) as tickets
    from users u where u.id = any($1::uuid[]) order by array_position($1::uuid[], u.id)`,
    [ids],
  ) as Promise<Holding[]>
type Holding = { balance: string; gift: string } & Record<'servers' | 'periods' | 'tickets', string[]>

/** The sums of all accounts of a list, in which a merge and its undoing change nothing. */
const summed = (held: readonly Holding[]) => ({
  balance: held.reduce((sum, { balance }) => sum + BigInt(balance), 0n),
  gift: held.reduce((sum, { gift }) => sum + BigInt(gift), 0n),
  ...Object.fromEntries(
    (['servers', 'periods', 'tickets'] as const).map((what) => [
      what,
      held.flatMap((one) => one[what]).toSorted(),
    ]),
  ),
})

/** The sums of the operator's accounts, by kind and payment provider. */
const operatorsSums = () =>
  asOwner(
    test,
    `select a.kind, a.name, sum(e.amount)::text as sum from entries e join ledger_accounts a on a.id = e.account_id
      where a.user_id is null group by 1, 2 having sum(e.amount) <> 0 order by 1, 2`,
  )

/** Two accounts with random money, gifts, servers and tickets. */
async function twins(): Promise<[Customer, Customer]> {
  const pair = [await buyer(test, 0n), await buyer(test, 0n)] as [Customer, Customer]
  for (const person of pair) {
    for (let piece = Math.floor(Math.random() * 3); piece >= 0; piece -= 1)
      await addMoney(test.app, person.user_id, BigInt(5_000 + Math.floor(Math.random() * 9_999)))
    if (Math.random() < 0.6)
      await transaction(test.app, 'system', (tx) =>
        credit(test.app, tx, { user_id: person.user_id, amount: 777n, reason: 'sorry' }),
      )
    for (let count = Math.floor(Math.random() * 3); count > 0; count -= 1) {
      const host = await server(person)
      if (Math.random() < 0.7) expect((await orderLicence(person, host)).status).toBe(201)
    }
    await person.api.call(createTicket, { body: { subject: 'x', message: 'x', topic: 'technical' } })
  }
  return pair
}
const merge = ({ user_id }: Customer, into: Customer) =>
  byCommand.mergeByCommand(test.app, { user_id, reason: 'one person' }, { into: into.user_id, now: true })
const unmerge = ({ user_id }: Customer) =>
  byCommand.unmergeByCommand(test.app, { user_id, reason: 'two after all' })

it('rule 61: a merge moves all that one account has to the other, the sums stay, and undone all is as it was', async () => {
  for (let round = 0; round < 6; round += 1) {
    const [from, into] = await twins()
    const ids = [from.user_id, into.user_id]
    const [before, operators] = [await holdings(ids), await operatorsSums()]
    await merge(from, into)
    expect(await operatorsSums(), 'nothing is left between').toEqual(operators)
    const merged = await holdings(ids)
    expect(summed(merged)).toEqual(summed(before))
    expect(merged[0]).toMatchObject({ balance: '0', gift: '0', servers: [], periods: [], tickets: [] })
    expect(await unmerge(from)).toEqual({ servers_left: [], balance_left: false })
    expect(await holdings(ids)).toEqual(before)
  }
  expect(await checkLedger(test.app.ownerUrl)).toMatchObject({ damages: [] })
})

it('rule 61: undone, what was spent, deleted or given away since stays and is named; documents are read by who may', async () => {
  const [from, into, third] = [await buyer(test, 9_000n), await buyer(test, 0n), await buyer(test, 0n)]
  const [kept, sold, gone] = [await server(from), await server(from), await server(from)]
  const { invoice } = bodyOf(await orderLicence(from, kept), 201)
  await asOwner(test, `update hosts set name = 'gone' where public_id = $1`, [gone])
  await asOwner(test, `update hosts set name = 'sold' where public_id = $1`, [sold])
  const pdf = ({ api }: Customer) => api.call(getInvoice, { params: { publicId: invoice.id } })
  expect((await pdf(into)).status).toBe(404)
  await merge(from, into)
  const listed = bodyOf(await into.api.call(listInvoices, { query: {} }), 200).items
  expect(listed).toMatchObject([{ number: invoice.number, is_merged: true }])
  expect(bodyOf(await pdf(into), 200)).toMatchObject({ number: invoice.number })
  expect((await pdf(third)).status).toBe(404)
  await transferred(into, third, sold)
  await asOwner(test, 'update hosts set deleted_at = now() where public_id = $1', [gone])
  const spare = await server(into)
  expect((await orderLicence(into, spare)).status).toBe(201)
  expect(await unmerge(from)).toEqual({ servers_left: ['gone', 'sold'], balance_left: true })
  const [was, is] = await holdings([from.user_id, into.user_id])
  expect([was?.servers, was?.balance]).toMatchObject([[expect.stringContaining(kept)], '0'])
  expect(is?.balance).not.toBe('0')
  expect((await pdf(into)).status).toBe(404)
  expect(await checkLedger(test.app.ownerUrl)).toMatchObject({ damages: [] })

  // After its days it stays.
  await merge(from, into)
  await asOwner(
    test,
    `update account_merges set merged_at = now() - interval '8 days' where user_id = $1 and undone_at is null`,
    [from.user_id],
  )
  await expect(unmerge(from)).rejects.toMatchObject({ errors: [{ code: 'merge_over' }] })
  await expect(merge(into, third)).rejects.toMatchObject({ errors: [{ code: 'merge_merged' }] })
})

it('rule 61: an account with a suspended server, a debt or a withdrawal that waits is merged into none', async () => {
  const into = await buyer(test, 0n)
  const refusal = (from: Customer) => merge(from, into).catch((error: { errors: object[] }) => error.errors)
  const suspended = await buyer(test, 0n)
  const host = await server(suspended)
  const suspend = `insert into suspensions (host_id, user_id, reason, text_public, text_internal)
    select id, user_id, 'abuse', '', 'x' from hosts where public_id = $1`
  await asOwner(test, suspend, [host])
  expect(await refusal(suspended)).toEqual([{ code: 'merge_suspended' }])

  const { user_id } = await buyer(test, 0n)
  const paid = await addMoney(test.app, user_id, 500n)
  const description = { code: 'charge_back', params: { provider: 'test', reason: '' } } as const
  const rest = { user_id, amount: 500n, description }
  await move(test.app, { type: 'inner_spending', ...rest })
  await move(test.app, { type: 'charge_back', provider: 'test', reverses: paid.transaction_id, ...rest })
  expect(await refusal({ ...into, user_id })).toEqual([{ code: 'merge_debt' }])

  const withdrawn = await buyer(test, 5_000n)
  bodyOf(await orderLicence(withdrawn, await server(withdrawn)), 201)
  await asOwner(
    test,
    `insert into withdrawals (user_id, order_id, transaction_id, declared_at, proposed_refund, currency)
      select user_id, id, transaction_id, now(), 100, 'EUR' from licence_orders where user_id = $1`,
    [withdrawn.user_id],
  )
  expect(await refusal(withdrawn)).toEqual([{ code: 'merge_withdrawal' }])
})

it('rule 9: merges in both directions, orders and undoing at once lose and double nothing', async () => {
  for (let round = 0; round < 8; round += 1) {
    const [one, other] = await twins()
    const ids = [one.user_id, other.user_id]
    const [host, before] = [await server(one), summed(await holdings(ids))]
    const [there, back, ordered] = await Promise.all([
      merge(one, other).then(
        () => true,
        () => false,
      ),
      merge(other, one).then(
        () => true,
        () => false,
      ),
      untilAnswered(() => orderLicence(one, host)),
    ])
    expect([there, back].filter(Boolean), 'one of them counts').toHaveLength(1)
    const undone = await Promise.allSettled([unmerge(there ? one : other), unmerge(there ? one : other)])
    expect(
      undone.filter(({ status }) => status === 'fulfilled'),
      'undone once',
    ).toHaveLength(1)
    const after = summed(await holdings(ids))
    expect(before.balance - after.balance, 'nothing but the order was charged').toBe(
      ordered.status === 201
        ? BigInt(ordered.body.invoice.total.amount) + BigInt(ordered.body.invoice.gift.amount)
        : 0n,
    )
  }
  expect(await checkLedger(test.app.ownerUrl)).toMatchObject({ damages: [] })
})
