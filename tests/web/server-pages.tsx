import { expect } from 'vitest'
import { page } from 'vitest/browser'
import '#app/web/styles.css'
import type { Host } from '#features/hosts/contract.ts'
import { routes } from '#features/hosts/web/feature.tsx'
import { euros, openAt, sent, startAnew } from './routed-pages.tsx'
import { reply } from './wire.ts'

const DAY_ms = 86_400_000
export const inDays = (days: number) => new Date(Date.now() + days * DAY_ms).toISOString()

const free: Host['licence'] = {
  status: 'free',
  plan: null,
  price: null,
  term: null,
  ordered_at: null,
  paid_until: null,
  remaining_s: 0,
  edition: null,
  entitlements: {},
  next: null,
  last_plan: null,
  renewal_plan: null,
  trial_until: null,
  suspended: null,
}

const standard = { slug: 'standard', name: { en: 'Standard', de: 'Standard', ru: 'Стандарт' } }

/** A host that was just added: without a licence or an address, and never connected. */
export const newHost: Host = {
  id: 'AAAAAAAAAAAAAAAAAAAAAA',
  name: 'brave-otter-42',
  ipv4: null,
  ipv6: null,
  ipv4_changes_left: null,
  created_at: inDays(-1),
  auto_renew: false,
  licence_key: 'A1B2C-D3E4F-G5H6J-K7L8M-N9P0Q',
  licence: free,
  connected: false,
  last_seen_at: null,
  address_mismatch: false,
  has_agent_token: false,
  agent: null,
  version: 1,
  account: null,
}

/** A host with a month's licence that runs for 20 more days, connected. */
export const paidHost: Host = {
  ...newHost,
  id: 'BBBBBBBBBBBBBBBBBBBBBB',
  name: 'web-1',
  ipv4: '192.0.2.7',
  ipv4_changes_left: 3,
  auto_renew: true,
  licence: {
    status: 'active',
    plan: standard,
    price: euros('1190'),
    term: 'P1M',
    ordered_at: inDays(-10),
    paid_until: inDays(20.01),
    remaining_s: 20.01 * 86_400,
    edition: 'standard',
    entitlements: {},
    next: null,
    last_plan: standard,
    renewal_plan: standard,
    trial_until: null,
    suspended: null,
  },
  connected: true,
  last_seen_at: new Date().toISOString(),
  has_agent_token: true,
  agent: { version: '1.0.0', hostname: 'web-1.example.com', uptime_s: 90_000, address: '192.0.2.7' },
}

export const expiredHost: Host = {
  ...paidHost,
  id: 'CCCCCCCCCCCCCCCCCCCCCC',
  name: 'old-mail',
  ipv4: '192.0.2.9',
  ipv4_changes_left: null,
  connected: false,
  last_seen_at: inDays(-3),
  licence: { ...paidHost.licence, status: 'expired', paid_until: inDays(-3), remaining_s: 0 },
}

export const oneHost = (host: Host) => `/api/hosts/${host.id}/`
export const pageWith = (...hosts: Host[]) => ({ status: 200, body: { items: hosts, next_cursor: null } })

/** Opens a page of the servers at its address. */
export const openServers = (address: string) => openAt(address, routes)

export const bodies = async (method: string, path: string) =>
  (await sent(method, path)).map(({ body }) => JSON.parse(body || 'null') as unknown)
export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const field = (name: string) => page.getByRole('textbox', { name, exact: true })
export const visible = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()

/** The answer about the alerts of a server that never had one. */
export const noAlerts = {
  own: { offline_minutes: null, disk_percent: null },
  account: { offline_minutes: 5, disk_percent: 90 },
  items: [],
}

/** Prepares a test: signs in a customer with three servers. */
export async function startServers(): Promise<void> {
  await startAnew()
  await reply('GET /api/hosts/', pageWith(paidHost, expiredHost, newHost))
  await reply('GET /api/alerts/', { status: 200, body: { items: [], count: 0 } })
  for (const { id } of [paidHost, expiredHost])
    await reply(`GET /api/hosts/${id}/alerts/`, { status: 200, body: noAlerts })
}
