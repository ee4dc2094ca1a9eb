import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { decideProposal, listProposals, type Proposal } from '#features/assistants/contract.ts'
import { insertProposal } from '#features/assistants/server/queries.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import { listPaidPeriods } from '#features/sales/contract.ts'
import { listTickets } from '#features/support/tickets/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { programOf } from '#tests/harness/grants.ts'
import { addHost, asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { anyAddress, goods, stockShop } from '#tests/harness/shop.ts'
import { startInstallation } from './installation.ts'

/** The number of kills; 20 by `npm run test:faults -- kills`. */
const KILLS = Number(process.env['KILLS'] ?? 1)
const LANES = 4
const OF_EACH = 6
const PRICE = goods['standard-month'].total
const order = { plan: 'standard-month', expected_total: { amount: String(PRICE), currency: 'EUR' } }

const installation = await startInstallation({ ASSISTANTS: 'on' })
afterAll(() => installation.close())
await stockShop(installation)

/** A customer with the token of an assistant, the servers for which it has proposed an order, and how many tickets it has proposed. */
type Lane = { customer: Customer; token_id: string; hosts: string[]; tickets: number }

it(
  `O-14 kill -9 of everything ${KILLS} times while owners confirm what assistants propose: each is done once, or shown as lost and done by another confirmation, never twice`,
  async () => {
    const lanes: Lane[] = []
    for (let made = 0; made < LANES; made += 1) {
      const customer = await signedInCustomer(installation)
      const { grantId: token_id } = await programOf(installation, customer)
      lanes.push({ customer, token_id, hosts: [], tickets: 0 })
    }
    let [lost, cut] = [0, 0]
    for (let round = 0; round < KILLS; round += 1) {
      for (const lane of lanes) await proposeMore(lane)
      const confirming = lanes.map((lane) => confirmAll(lane).catch(() => {}))
      await sleep(20 + Math.random() * 400)
      await installation.kill()
      await Promise.all(confirming)
      await installation.start()
      for (const lane of lanes) {
        const left = (await proposals(lane)).filter(({ status }) => status === 'undone')
        lost += left.length
        cut += left.length > 0 ? 1 : 0
        await expectNothingTwice(lane)
      }
      // A minute later its owner may try again what was lost.
      await asOwner(installation, `update assistant_proposals set tried_at = now() - interval '61 s'`, [])
      for (const lane of lanes) {
        await confirmAll(lane)
        expect((await proposals(lane)).filter(({ status }) => status !== 'confirmed')).toEqual([])
        await expectAllOnce(lane)
      }
    }
    expect(await mistakesIn(installation)).toEqual([])
    process.stdout.write(
      `  ${KILLS} kills: ${LANES * OF_EACH * KILLS} proposals, ${lost} of them lost and done again\n`,
    )
    if (KILLS >= 10) expect(cut, 'the kills have to meet confirmations').toBeGreaterThan(0)
  },
  120_000 + KILLS * 60_000,
)

/** Asks again what a process that falls behind has put off: it does so on a busy machine, right after its start. */
async function patient<Reply extends { status: number }>(ask: () => Promise<Reply>): Promise<Reply> {
  for (let attempt = 0; ; attempt += 1) {
    const reply = await ask()
    if (reply.status !== 503 || attempt === 20) return reply
    await sleep(500)
  }
}

const proposals = async ({ customer: { api } }: Lane): Promise<Proposal[]> =>
  bodyOf(await patient(() => api.call(listProposals, {})), 200).items

/** Proposes orders for new servers, and tickets, by a token of the customer: what was confirmed before is forgotten. */
async function proposeMore(lane: Lane): Promise<void> {
  const { app } = installation
  const { api, user_id: owner_id } = lane.customer
  await asOwner(installation, 'delete from assistant_proposals where owner_id = $1', [owner_id])
  await addMoney(app, owner_id, PRICE * BigInt(OF_EACH / 2))
  for (let place = 0; place < OF_EACH / 2; place += 1) {
    const { id } = await addHost(api, { name: `web-${lane.hosts.length}`, ipv4: anyAddress() })
    lane.hosts.push(id)
    lane.tickets += 1
    const ticket = { subject: `Question ${lane.tickets}`, message: 'How?', topic: 'technical' }
    const by = { owner_id, token_id: lane.token_id }
    await transaction(app, { userId: owner_id }, async (tx) => {
      await insertProposal(tx, {
        ...by,
        tool: 'orderLicence',
        path: `/api/hosts/${id}/licence/`,
        input: order,
      })
      await insertProposal(tx, { ...by, tool: 'createTicket', path: '/api/tickets/', input: ticket })
    })
  }
}

/** Confirms all that waits or was lost, each twice at once, as somebody who presses again. */
async function confirmAll(lane: Lane): Promise<void> {
  const open = (await proposals(lane)).filter(({ status }) => status === 'proposed' || status === 'undone')
  for (const { id: proposalId } of open) {
    const input = { params: { proposalId }, body: { decision: 'confirm' as const } }
    const answers = await Promise.all([0, 1].map(() => lane.customer.api.call(decideProposal, input)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  }
}

async function doneOf({ customer: { api, user_id }, hosts }: Lane) {
  const orders: number[] = []
  for (const hostId of hosts) {
    const paid = await patient(() => api.call(listPaidPeriods, { params: { hostId }, query: {} }))
    const { items } = bodyOf(paid, 200)
    orders.push(items.length)
  }
  const { items } = bodyOf(await patient(() => api.call(listTickets, { query: { limit: '100' } })), 200)
  const subjects = items.map(({ subject }) => subject)
  return { orders, subjects, balance: await balanceOf(installation.app, installation.app.db, user_id) }
}

async function expectNothingTwice(lane: Lane): Promise<void> {
  const { orders, subjects } = await doneOf(lane)
  expect(Math.max(...orders)).toBeLessThanOrEqual(1)
  expect(new Set(subjects).size).toBe(subjects.length)
}

async function expectAllOnce(lane: Lane): Promise<void> {
  const { orders, subjects, balance } = await doneOf(lane)
  expect(orders).toEqual(lane.hosts.map(() => 1))
  expect(new Set(subjects).size).toBe(subjects.length)
  expect(subjects).toHaveLength(Math.min(lane.tickets, 100))
  expect(balance).toBe(0n)
}
