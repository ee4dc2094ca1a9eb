import { insertTransfer } from '#features/hosts/server/transfer-queries.ts'
import { findHost } from '#features/hosts/server/hosts.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'

const nowhere = { ipv4: '10.0.0.1', ipv6: null }

/** The calls about a server that its owner offers to another account, and about its keys, its addresses and its suspension. */
export const hostCalls: { method: string; path: string; body?: object }[] = [
  { method: 'POST', path: '/api/hosts/{hostId}/transfer/', body: { email: 'x@example.org', name: 'x' } },
  { method: 'POST', path: '/api/hosts/{hostId}/licence-key/', body: { at_once: true } },
  { method: 'PATCH', path: '/api/hosts/{hostId}/alerts/', body: { disk_percent: 95 } },
  { method: 'POST', path: '/api/staff/webhooks/', body: { url: 'https://hooks.example.org/' } },
  ...[
    { method: 'POST', path: 'transfer/', body: { email: 'x@example.org', note: 'mine now' } },
    { method: 'POST', path: 'suspension/', body: { reason: 'abuse', note: 'mine now' } },
    {
      method: 'PUT',
      path: 'addresses/',
      body: { ipv4: null, ipv6: null, from: nowhere, note: 'mine now' },
    },
    ...['suspension/', 'address-changes/', 'releases/'].map((path) => ({
      method: 'DELETE',
      path: `${path}?note=mine+now`,
    })),
  ].map(({ path, ...call }) => ({ ...call, path: `/api/staff/hosts/{hostId}/${path}` })),
]

/** Offers a host to another account. Returns the id of the offer. */
export const offeredHost = async (app: App, user_id: string, host_id: string): Promise<string> =>
  transaction(app, 'system', async (tx) => {
    const { id } = must(await findHost(tx, user_id, host_id))
    return must(await insertTransfer(tx, { host_id: id, user_id, email: 'next@example.org' }))
  })
