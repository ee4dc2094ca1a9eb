import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { beforeEach, expect } from 'vitest'
import { page } from 'vitest/browser'
import '#app/web/styles.css'
import { queryClient } from '#foundation/web/api/query.ts'
import { storeTokens } from '#foundation/web/api/stored-session.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { localized } from '#foundation/web/i18n/localized.tsx'
import { searchOf } from '#foundation/web/navigation.tsx'
import { fillPlaces } from '#foundation/web/places.tsx'
import { ToastList } from '#foundation/web/toasts/toast-list.tsx'
import { clearToasts, currentToasts, toastText } from '#foundation/web/toasts/toasts.ts'
import type { Host } from '#features/hosts/contract.ts'
import { render } from './render.tsx'
import { reply, requests, resetWire } from './wire.ts'

const DAY_ms = 86_400_000
export const inDays = (days: number) => new Date(Date.now() + days * DAY_ms).toISOString()
const euro = (amount: string) => ({ amount, currency: 'EUR' })

const free: Host['licence'] = {
  status: 'free',
  plan: null,
  price: null,
  term: null,
  ordered_at: null,
  paid_until: null,
  remaining_s: 0,
}

/** A host that was just added: free, without an address, never connected. */
export const newHost: Host = {
  id: 'AAAAAAAAAAAAAAAAAAAAAA',
  name: 'brave-otter-42',
  ipv4: null,
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
    plan: { slug: 'standard', name: { en: 'Standard', de: 'Standard', ru: 'Стандарт' } },
    price: euro('1190'),
    term: 'P1M',
    ordered_at: inDays(-10),
    paid_until: inDays(20.01),
    remaining_s: 20.01 * 86_400,
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
export const refused = (status: number, code: string, param?: string) => ({
  status,
  body: { status, errors: [{ code, message: code, ...(param ? { param } : {}) }] },
})

/** Shows a page at its path; the others are plain headings that say where one is. */
export async function openAt(address: string, pages: Readonly<Record<string, () => ReactNode>>) {
  const root = createRootRoute()
  const routes = Object.entries(pages).map(([path, component]) => {
    const Shown = localized(component)
    return createRoute({ getParentRoute: () => root, path, component: () => <Shown /> })
  })
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: searchOf,
    stringifySearch: (search) => {
      const query = new URLSearchParams(search as Record<string, string>).toString()
      return query === '' ? '' : `?${query}`
    },
    defaultNotFoundComponent: () => <h1>Elsewhere</h1>,
  })
  await render(
    <QueryClientProvider client={queryClient}>
      <Suspense>
        <RouterProvider router={router} />
      </Suspense>
      <ToastList />
    </QueryClientProvider>,
  )
  return { address: () => router.history.location.href, back: () => router.history.back() }
}

export const sent = async (method: string, path?: string) =>
  (await requests()).filter(
    (request) => request.method === method && (path === undefined || request.path.split('?')[0] === path),
  )
export const bodies = async (method: string, path?: string) =>
  (await sent(method, path)).map(({ body }) => JSON.parse(body || 'null') as unknown)
export const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const field = (name: string) => page.getByRole('textbox', { name, exact: true })
export const lastToast = () => {
  const shown = currentToasts().at(-1)
  return shown ? toastText(shown.message) : undefined
}
export const visible = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()

beforeEach(async () => {
  clearToasts()
  queryClient.clear()
  fillPlaces([])
  setLocale('en')
  await resetWire()
  storeTokens({ access: `x.${btoa(JSON.stringify({ exp: 9_999_999_999 }))}.x`, refresh: 'x' })
  await reply('GET /api/hosts/', pageWith(paidHost, expiredHost, newHost))
})
