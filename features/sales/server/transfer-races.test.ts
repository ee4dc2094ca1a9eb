import { expect, it } from 'vitest'
import { checkLedger } from '#features/finance/server/finance.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { anyAddress, buyer, orderLicence, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { accept, offered, withdraw } from '#tests/harness/transfers.ts'
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
