import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'

/** The part of the server in mollie-server.ts that keeps customers at Mollie with their mandates. */
export type Mandate = {
  id: string
  status: 'valid' | 'pending' | 'invalid'
  method: 'creditcard' | 'directdebit' | 'paypal'
  details: Record<string, string>
  mandateReference?: string
}
type MollieCustomer = { id: string; metadata: unknown; mandates: Mandate[] }
export type MollieCustomers = Map<string, MollieCustomer>

const body = z.strictObject({
  name: z.optional(z.string()),
  email: z.optional(z.email()),
  metadata: z.record(z.string(), z.string()),
})

const nameOf = (prefix: string) => `${prefix}_${randomBytes(6).toString('hex')}`

/** Answers the calls about customers; undefined for any other call. `paymentsOf` lists what a customer has paid. */
export function answerAboutCustomers(
  customers: MollieCustomers,
  { method, path, given }: { method: string; path: string; given: unknown },
  paymentsOf: (customer: string) => object[],
): [number, object] | undefined {
  if (method === 'POST' && path === '/v2/customers') {
    const { data, error } = body.safeParse(given)
    if (!data) return [422, { status: 422, detail: z.prettifyError(error) }]
    const made = { id: nameOf('cst'), metadata: data.metadata, mandates: [] }
    customers.set(made.id, made)
    return [201, { resource: 'customer', ...made }]
  }
  const [, id = '', rest = ''] = /^\/v2\/customers\/(cst_\w+)(.*)$/.exec(path) ?? []
  if (id === '') return undefined
  const customer = customers.get(id)
  if (!customer) return [404, { status: 404, detail: 'No customer exists with token.' }]
  if (method === 'DELETE' && rest === '') return customers.delete(id) ? [204, {}] : undefined
  if (method === 'GET' && rest === '/payments?limit=250')
    return [200, { _embedded: { payments: paymentsOf(id) } }]
  const mandate = customer.mandates.find((one) => rest === `/mandates/${one.id}`)
  if (!mandate) return [404, { status: 404, detail: 'No mandate exists with token.' }]
  if (method === 'GET') return [200, { resource: 'mandate', customerId: id, ...mandate }]
  if (method !== 'DELETE') return undefined
  customer.mandates = customer.mandates.filter((one) => one !== mandate)
  return [204, {}]
}

/** The method of a first payment: what costs nothing needs a card or PayPal; all others cost at least a cent. */
export const isFirst = ({
  amount,
  method,
}: {
  amount: { value: string }
  method: string | string[]
}): boolean => (amount.value === '0.00' ? method === 'creditcard' || method === 'paypal' : true)

export const mandateOf = (
  method: Mandate['method'],
  details: Record<string, string>,
  more: Partial<Mandate> = {},
): Mandate => ({
  id: nameOf('mdt'),
  status: 'valid',
  method,
  details,
  ...more,
})
