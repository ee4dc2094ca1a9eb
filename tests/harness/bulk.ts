import { randomUUID } from 'node:crypto'
import * as contract from '#features/sales/bulk-orders.ts'
import { must } from '#foundation/must.ts'
import type { Customer } from './customer.ts'
import { addHost, bodyOf } from './hosts.ts'
import { anyAddress } from './shop.ts'

type Named = Parameters<typeof previewOf>[1]
type By = Pick<Customer, 'api'>

export const previewOf = (
  { api }: By,
  body: {
    act: 'order' | 'renew' | 'upgrade' | 'auto_renew' | 'renewal_plan'
    host_ids?: string[]
    hosts?: { name?: string; ipv4?: string; extras?: { extra: string; quantity: number }[] }[]
    plan?: string
    promo?: string
  },
  forAccount?: string,
) => api.call(contract.previewBulk, { body }, forAccount === undefined ? {} : { query: { for: forAccount } })

type More = Record<string, unknown> & { key?: string; for?: string }

/** Sends an act for many servers, with the total that its preview shows unless `more` gives another. */
export async function bulk(by: By, body: Named, { key = randomUUID(), for: account, ...more }: More = {}) {
  const total = 'expected_total' in more ? {} : await shownTotal(by, body, account)
  return by.api.call(
    contract.orderBulk,
    { headers: { 'idempotency-key': key }, body: { ...body, ...total, ...more } },
    account === undefined ? {} : { query: { for: account } },
  )
}

async function shownTotal(by: By, body: Named, account: string | undefined) {
  if (body.act === 'auto_renew') return {}
  const { expected_total, as_of } = bodyOf(await previewOf(by, body, account), 200)
  return body.act === 'upgrade' ? { expected_total, as_of } : { expected_total }
}

/** Returns the names and addresses of new servers, as a customer would type them. */
export const newServers = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ name: `bulk-${place + 1}`, ipv4: anyAddress() }))

/** Makes servers without a licence. Returns their ids. */
export async function freeServers({ api }: By, count: number): Promise<string[]> {
  const ids: string[] = []
  for (const server of newServers(count)) ids.push((await addHost(api, server)).id)
  return ids
}

/** Orders servers with a licence of this plan, in one call. Returns their ids. */
export async function paidServers(by: By, count: number, plan = 'standard-month'): Promise<string[]> {
  const ordered = bodyOf(await bulk(by, { act: 'order', hosts: newServers(count), plan }), 200)
  return ordered.servers.map(({ id }) => must(id))
}

/** Returns the calls for many servers, each with the id of somebody else's server and with an id that does not exist. */
export const foreignBulks = (theirs: string) => [
  {
    method: 'POST',
    path: '/api/hosts/licence-keys/',
    theirs: { host_ids: [theirs], at_once: true },
    nobodys: { host_ids: ['A'.repeat(22)], at_once: true },
  },
  ...['preview/', ''].map((rest) => {
    const total = rest === '' ? { expected_total: { amount: '1', currency: 'EUR' } } : {}
    const renew = (id: string) => ({ act: 'renew', host_ids: [id], plan: 'starter-month', ...total })
    const path = `/api/hosts/bulk/${rest}`
    return { method: 'POST', path, theirs: renew(theirs), nobodys: renew('A'.repeat(22)) }
  }),
]
