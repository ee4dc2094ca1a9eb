import { randomUUID } from 'node:crypto'
import * as finance from '#features/finance/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { makeVoucher } from '#features/finance/server/finance.ts'
import { SIGNATURE_HEADER, signTestEvent } from '#features/finance/server/providers/test-events.ts'
import { updateHost } from '#features/hosts/contract.ts'
import { renewTogether, runRenewalStep } from '#features/sales/server/renew.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { leave } from '#tests/harness/leaving.ts'
import { anyAddress, buyer, goods, orderHost, orderLicence } from '#tests/harness/shop.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import type { Traces } from './traces.ts'

export type Answer = { status: number; body?: unknown; headers?: Headers }

/** An act that moves money or ends an account, to be tried while the wire to the database breaks. */
export type MoneyAct = {
  /** The status without a break, and the status of the same call once the act has happened. */
  answers: { first: number; again: number }
  /** Makes a customer and the act, which this customer can do once: further calls of `act` repeat the same act. */
  prepare(): Promise<{ customer: Customer; act(): Promise<Answer> }>
  /** Makes the steps between the cuts of a long act this many times as long. */
  sparsely?: number
  /** The rows that the act leaves, however often the call is repeated. */
  leaves: Partial<Traces>
}

const PRICE = goods['standard-month'].total

/** Returns the acts by name: order, renewal by hand and automatic, top-up and its payment, voucher, refund, account deletion. */
export function moneyActs(test: TestApp): Record<string, MoneyAct> {
  const created = { first: 201, again: 201 }
  return {
    order: {
      answers: created,
      async prepare() {
        const customer = await buyer(test, 3n * PRICE)
        const order = { key: randomUUID(), ipv4: anyAddress() }
        return { customer, act: () => orderHost(customer, order) }
      },
      leaves: { balance: 2n * PRICE, hosts: 1n, periods: 1n, spend: 1n, invoices: 1n },
    },
    renewal: {
      answers: created,
      async prepare() {
        const { customer, host } = await hostOwner(test)
        const renewal = { key: randomUUID() }
        return { customer, act: () => orderLicence(customer, host.id, renewal) }
      },
      leaves: { balance: PRICE, hosts: 1n, periods: 2n, spend: 2n, invoices: 2n },
    },
    'automatic renewal': {
      answers: { first: 200, again: 200 },
      prepare: () => dueRenewals(test, 1),
      leaves: { balance: PRICE, hosts: 1n, periods: 2n, spend: 1n, inner_spending: 1n, invoices: 2n },
    },
    'automatic renewals together': {
      answers: { first: 200, again: 200 },
      prepare: () => dueRenewals(test, 2),
      sparsely: 3,
      leaves: { balance: PRICE, hosts: 2n, periods: 4n, spend: 2n, inner_spending: 2n, invoices: 4n },
    },
    'top-up': {
      answers: created,
      async prepare() {
        const customer = await buyer(test, 0n)
        return { customer, act: beginTopUp(customer) }
      },
      leaves: { balance: 0n, top_ups: 1n, payments: 0n },
    },
    payment: {
      answers: { first: 200, again: 200 },
      prepare: () => announcedPayment(test),
      leaves: { balance: 2500n, top_ups: 1n, payments: 1n },
    },
    voucher: {
      answers: created,
      async prepare() {
        const customer = await buyer(test, 0n)
        const code = await makeVoucher(test.app, { amount: 700n, uses: 5, days: null })
        const headers = { 'idempotency-key': randomUUID() }
        return { customer, act: () => customer.api.call(finance.redeemVoucher, { headers, body: { code } }) }
      },
      leaves: { balance: 700n, redemptions: 1n },
    },
    refund: {
      answers: created,
      prepare: () => refundable(test),
      sparsely: 2,
      leaves: {
        balance: 3n * PRICE,
        periods: 0n,
        spend: 1n,
        return_on_balance: 1n,
        invoices: 1n,
        credit_notes: 1n,
      },
    },
    'account deletion': {
      // The tokens of a deleted account are refused.
      answers: { first: 204, again: 401 },
      async prepare() {
        const { customer } = await hostOwner(test)
        return { customer, act: () => leave(customer) }
      },
      sparsely: 4,
      leaves: {
        balance: 2n * PRICE,
        hosts: 0n,
        periods: 0n,
        sessions: 0n,
        active_accounts: 0n,
        goodbyes: 1n,
        invoices: 1n,
      },
    },
  }
}

/** Makes a customer with the price of three terms who has ordered one. */
async function hostOwner(test: TestApp) {
  const customer = await buyer(test, 3n * PRICE)
  return { customer, ...bodyOf(await orderHost(customer), 201) }
}

/** Licences that end within the day and renew themselves; the act is their job, which the queue does again until it succeeds. */
async function dueRenewals(test: TestApp, count: number) {
  const customer = await buyer(test, BigInt(2 * count + 1) * PRICE)
  const steps: { host_id: string }[] = []
  for (let place = 0; place < count; place += 1) steps.push({ host_id: await renewingHost(test, customer) })
  const [one] = steps
  const act = async (): Promise<Answer> => {
    try {
      if (one && count === 1) await runRenewalStep(test.app, one)
      else await renewTogether(test.app, steps)
      return { status: 200 }
    } catch (error) {
      if (isUnavailable(error)) return unavailable
      throw error
    }
  }
  return { customer, act }
}

async function renewingHost(test: TestApp, customer: Customer): Promise<string> {
  const { host } = bodyOf(await orderHost(customer), 201)
  const params = { hostId: host.id }
  bodyOf(await customer.api.call(updateHost, { params, body: { auto_renew: true } }), 200)
  const moved = "interval '1 hour' * floor(extract(epoch from paid_until - now()) / 3600 - 12)"
  const [row] = (await asOwner(test, 'select id::text from hosts where public_id = $1', [host.id])) as {
    id: string
  }[]
  const host_id = row?.id ?? ''
  for (const statement of [
    `update licence_watches set ends_at = ends_at - t, next_at = next_at - t`,
    `update paid_periods set starts_at = starts_at - t, ends_at = ends_at - t`,
    `update licensed_addresses set starts_at = starts_at - t, ends_at = ends_at - t`,
  ])
    await asOwner(
      test,
      `${statement} from (select ${moved} as t from hosts where id = $1) as by where host_id = $1`,
      [host_id],
    )
  await asOwner(test, `update hosts set paid_until = paid_until - ${moved} where id = $1`, [host_id])
  return host_id
}

/** The refusal of a busy server, as it answers over HTTP. */
const unavailable: Answer = {
  status: 503,
  body: { errors: [{ code: 'unavailable' }] },
  headers: new Headers({ 'retry-after': '2' }),
}

function beginTopUp({ api }: Customer) {
  const headers = { 'idempotency-key': randomUUID() }
  return () => api.call(finance.startTopUp, { headers, body: { amount: '2500', provider: 'test' } })
}

/** A top-up that was begun; the act is the provider's event, sent again until it is answered with 200. */
async function announcedPayment(test: TestApp) {
  const customer = await buyer(test, 0n)
  const { id: top_up } = bodyOf(await beginTopUp(customer)(), 201)
  const event = JSON.stringify({ id: randomUUID(), kind: 'paid', top_up })
  const headers = { [SIGNATURE_HEADER]: signTestEvent(test.app, event) }
  return { customer, act: () => test.api.post('/api/payments/test/events/', event, { headers }) }
}

async function refundable(test: TestApp) {
  const { customer, transaction } = await hostOwner(test)
  const staff = await signedInStaff(test)
  const input = {
    params: { userId: customer.user_id, id: transaction.id },
    headers: { 'idempotency-key': randomUUID() },
    body: { reason: 'ordered by mistake' },
  }
  return { customer, act: () => staff.api.call(sales.refundTransaction, input) }
}
