import { Client as Connection } from 'pg'
import { expect } from 'vitest'
import * as contract from '#features/hosts/contract.ts'
import { hostOf, setLicence, type Licence } from '#features/hosts/server/hosts.ts'
import type { InputOf } from '#foundation/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Client } from './client.ts'
import type { Customer } from './customer.ts'
import type { TestApp } from './test-app.ts'

type NewHost = InputOf<typeof contract.createHost>['body']

/** The body of a reply that must have this status; what came instead is in the failure. */
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

/** Writes a licence on to a host, as an order does; `paid_ms` from now, which may be past. */
export async function giveLicence(
  { app }: TestApp,
  { user_id }: Customer,
  host_id: string,
  paid_ms: number,
): Promise<void> {
  const now = Date.now()
  const licence: Licence = {
    paid_until: new Date(now + paid_ms),
    plan: 'standard',
    plan_name: { en: 'Standard', de: 'Standard', ru: 'Стандарт' },
    price: 2380n,
    currency: 'EUR',
    term: 'P1M',
    ordered_at: new Date(now),
  }
  await transaction(app, 'system', async (tx) => {
    const { id } = await hostOf(tx, user_id, host_id)
    await setLicence(tx, id, licence)
  })
}

/** A host called `paid` with such a licence. */
export async function paidHost(test: TestApp, customer: Customer, paid_ms: number): Promise<contract.Host> {
  const host = await addHost(customer.api, { name: 'paid', ipv4: '10.0.0.1' })
  await giveLicence(test, customer, host.id, paid_ms)
  return host
}

/** One statement as the owner of the schema; row-level security binds him too, so he says that he is the system. */
export async function asOwner(
  { app }: Pick<TestApp, 'app'>,
  text: string,
  values: unknown[] = [],
): Promise<unknown[]> {
  const owner = new Connection({ connectionString: app.ownerUrl })
  await owner.connect()
  try {
    await owner.query("select set_config('app.actor', 'system', false)")
    return (await owner.query(text, values)).rows
  } finally {
    await owner.end()
  }
}
