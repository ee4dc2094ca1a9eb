import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { listTransactions } from '#features/finance/contract.ts'
import {
  SIGNATURE_HEADER,
  signTestEvent,
  type TestEvent,
  type TestMethodEvent,
} from '#features/finance/server/providers/test-events.ts'
import { getCheckout, type Checkout, type createCheckout } from '#features/sales/checkouts.ts'
import type { InputOf } from '#foundation/contract.ts'
import { toMoney } from '#foundation/money.ts'
import type { Customer } from './customer.ts'
import { bodyOf } from './hosts.ts'
import { anyAddress, goods } from './shop.ts'
import type { TestApp } from './test-app.ts'

/** An event of the test provider about a payment. */
export const paymentEvent = (
  top_up: string,
  kind: TestEvent['kind'],
  more: Partial<TestEvent> = {},
): TestEvent => ({ id: randomUUID(), kind, top_up, ...more })

/** Sends an event of a payment or of a saved method as the provider does, signed. Returns the status of the answer. */
export async function postPayment(
  { app, url }: Pick<TestApp, 'app' | 'url'>,
  told: TestEvent | TestMethodEvent,
): Promise<number> {
  const body = JSON.stringify(told)
  const response = await fetch(`${url}/api/payments/test/events/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signTestEvent(app, body) },
    body,
  })
  await response.text()
  return response.status
}

type Wished = Partial<InputOf<typeof createCheckout>['body']> & { key?: string }

/** Begins a checkout: of an order for a new server by default, at the price of the shop. */
export const beginCheckout = (
  { api }: Pick<Customer, 'api'>,
  { key = randomUUID(), ...more }: Wished = {},
  account = '',
) => {
  const ofServer =
    more.host_id === undefined && more.bulk === undefined ? { ipv4: anyAddress(), name: 'paid-at-once' } : {}
  const body = {
    for: 'order',
    provider: 'test',
    plan: 'standard-month',
    expected_total: toMoney(goods['standard-month'].total, 'EUR'),
    ...ofServer,
    ...more,
  } as const
  const query = account === '' ? '' : `?for=${account}`
  return api.post<Checkout>(`/api/finances/checkouts/${query}`, body, { headers: { 'idempotency-key': key } })
}

/** Begins a checkout, and returns it. */
export async function begunCheckout(...wish: Parameters<typeof beginCheckout>): Promise<Checkout> {
  const reply = await beginCheckout(...wish)
  expect(reply).toMatchObject({ status: 201 })
  return reply.body
}

export const checkoutState = async ({ api }: Pick<Customer, 'api'>, id: string): Promise<Checkout> =>
  bodyOf(await api.call(getCheckout, { params: { id } }), 200)

/** The movements of a balance, the oldest first, as 'spend -2368'. */
export const movementsOf = async ({ api }: Pick<Customer, 'api'>): Promise<string[]> =>
  bodyOf(await api.call(listTransactions, { query: { limit: '100' } }), 200)
    .items.map(({ type, amount }) => `${type} ${amount.amount}`)
    .toReversed()

/** The checkouts for somebody else's server, and for one that does not exist. */
export const foreignCheckouts = (theirs: string) =>
  (['renewal', 'upgrade', 'bulk'] as const).map((purpose) => {
    const expected_total = toMoney(goods['standard-month'].total, 'EUR')
    const order = { for: purpose, provider: 'test', plan: 'standard-month', expected_total }
    const server = (id: string) =>
      purpose === 'bulk' ? { bulk: { act: 'renew', host_ids: [id] } } : { host_id: id }
    return {
      method: 'POST',
      path: '/api/finances/checkouts/',
      theirs: { ...order, ...server(theirs) },
      nobodys: { ...order, ...server('A'.repeat(22)) },
    }
  })
