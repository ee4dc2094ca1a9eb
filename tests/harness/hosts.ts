import { expect } from 'vitest'
import * as contract from '#features/hosts/contract.ts'
import { insertPlan } from '#features/licences/server/plan-queries.ts'
import type { InputOf } from '#foundation/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Client } from './client.ts'
import type { Customer } from './customer.ts'
import { withConnectionAt } from './pools.ts'
import type { TestApp } from './test-app.ts'

type NewHost = InputOf<typeof contract.createHost>['body']

/** Returns the body of a reply. Fails if the reply does not have this status, and shows the reply. */
export function bodyOf<
  Reply extends { status: number; body?: unknown },
  const Status extends Reply['status'],
>(reply: Reply, status: Status): Extract<Reply, { status: Status }>['body'] {
  expect(reply).toMatchObject({ status })
  return reply.body
}

export const refusal = (status: number, code: string, param?: string) => ({
  status,
  errors: [{ code, message: expect.any(String), ...(param ? { param } : {}) }],
})

export const getHost = (api: Client, hostId: string) => api.call(contract.getHost, { params: { hostId } })

export const patchHost = (api: Client, hostId: string, body: InputOf<typeof contract.updateHost>['body']) =>
  api.call(contract.updateHost, { params: { hostId }, body })

export async function addHost(api: Client, body: NewHost): Promise<contract.Host> {
  return bodyOf(await api.call(contract.createHost, { headers: {}, body }), 201)
}

/** Gives a host a paid period as an order does, without charge and invoice. It ends `paid_ms` from now; a negative time is in the past. */
export async function giveLicence(
  test: TestApp,
  { user_id }: Customer,
  host_id: string,
  paid_ms: number,
): Promise<void> {
  const name = { en: 'Standard', de: 'Standard', ru: 'Стандарт' }
  const plan = { slug: 'standard', name, term: 'P1M', price_net: 2000n, is_active: true, sort: 0 } as const
  await transaction(test.app, 'system', (tx) => insertPlan(tx, plan))
  const paid = `with paid as (
      update hosts set paid_until = date_trunc('milliseconds', now()) + $3::interval
      where public_id = $1 and user_id = $2 returning id, paid_until),
    ordered as (
      insert into licence_orders (id, user_id, host_id, kind, plan, plan_name, term, ipv4, net, vat, total, vat_rate_bp,
        currency, transaction_id, invoice_id, ordered_at)
      select gen_random_uuid(), $2, id, 'order', 'standard', '{"en": "Standard", "de": "Standard", "ru": "Стандарт"}', 'P1M',
        '10.0.0.1', 2000, 380, 2380, 1900, 'EUR', gen_random_uuid(), gen_random_uuid()::text, now() from paid
      returning *)
    insert into paid_periods (user_id, host_id, order_id, starts_at, ends_at, anchor_day, plan, edition, term, net, payer_id,
      invoice_id, transaction_id, term_starts_at, entitlements)
    select $2, host_id, ordered.id, paid_until - interval '2 months', paid_until, 1, plan, 'standard', term, net, $2, invoice_id,
      transaction_id, paid_until - interval '2 months', '{}' from ordered, paid`
  await asOwner(
    test,
    'delete from paid_periods where host_id = (select id from hosts where public_id = $1)',
    [host_id],
  )
  await asOwner(test, paid, [host_id, user_id, `${paid_ms} milliseconds`])
}

/** Makes a host with the name `paid` and a licence by `giveLicence`. */
export async function paidHost(test: TestApp, customer: Customer, paid_ms: number): Promise<contract.Host> {
  const host = await addHost(customer.api, { name: 'paid', ipv4: '10.0.0.1' })
  await giveLicence(test, customer, host.id, paid_ms)
  return host
}

/** Runs a statement as the owner of the schema, with the rights of the system: row-level security binds the owner as well. */
export async function asOwner(
  { app }: Pick<TestApp, 'app'>,
  text: string,
  values: unknown[] = [],
): Promise<unknown[]> {
  return withConnectionAt(app.ownerUrl, async (owner) => {
    await owner.query("select set_config('app.actor', 'system', false)")
    return (await owner.query(text, values)).rows
  })
}
