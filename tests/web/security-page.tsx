import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import '#app/web/styles.css'
import { queryClient } from '#foundation/web/api/query.ts'
import { seeSession, storeAnswer } from '#foundation/web/api/stored-session.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { localized } from '#foundation/web/i18n/localized.tsx'
import { ToastList } from '#foundation/web/toasts/toast-list.tsx'
import { clearToasts, currentToasts, toastText } from '#foundation/web/toasts/toasts.ts'
import { render } from '#tests/web/render.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { ProfileSecurityPage } from '#features/security/web/profile-security-page.tsx'

export const AUTH = '/api/allauth/app/v1'
export const authenticators = `${AUTH}/account/authenticators`
export const totpPath = `${authenticators}/totp`
export const codesPath = `${authenticators}/recovery-codes`
export const passkeyPath = `${authenticators}/webauthn`

export const user = {
  id: '1',
  display: 'anna@example.com',
  email: 'anna@example.com',
  has_usable_password: true,
}
export const totp = { type: 'totp', created_at: 1_790_000_000, last_used_at: null }
export const codes = {
  type: 'recovery_codes',
  created_at: 1_790_000_000,
  last_used_at: null,
  total_code_count: 10,
  unused_code_count: 10,
}
export const unused_codes = ['01234567', '11111112', '22222223', '33333334']
export const blueKey = {
  type: 'webauthn',
  id: 7,
  name: 'Blue key',
  is_passwordless: true,
  created_at: 1_790_000_000,
  last_used_at: null,
}
export const ok = (data: unknown, meta?: unknown) => ({
  status: 200,
  body: { status: 200, data, ...(meta ? { meta } : {}) },
})
export const refused = (code: string, param?: string) => ({
  status: 400,
  body: { status: 400, errors: [{ code, message: code, ...(param ? { param } : {}) }] },
})
export const proven = ok({ user, methods: [] }, { is_authenticated: true })
export const stale = (...flows: object[]) => ({
  status: 401,
  body: { status: 401, data: { user, methods: [], flows }, meta: { is_authenticated: true } },
})
export const byPassword = { id: 'reauthenticate' }
export const byCode = { id: 'mfa_reauthenticate', types: ['recovery_codes', 'totp'] }

// The router is only for the links; the page itself is rendered without a route.
const router = createRouter({ routeTree: createRootRoute() })
const Localized = localized(ProfileSecurityPage)

/** Opens the page for a person with these second factors, with scripted answers. */
export async function open(...factors: object[]) {
  await reply(`GET ${authenticators}`, ok(factors))
  await render(
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router}>
        <Localized />
        <ToastList />
      </RouterContextProvider>
    </QueryClientProvider>,
  )
  await expect.element(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
}

export const sent = async (method: string, path: string) =>
  (await requests()).filter((request) => request.method === method && request.path.split('?')[0] === path)
export const bodies = async (method: string, path: string) =>
  (await sent(method, path)).map(({ body }) => JSON.parse(body || 'null') as unknown)
export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const field = (name: string) => page.getByLabelText(name, { exact: true })
export const dialog = (name: string) => page.getByRole('dialog', { name })
export const lastToast = () => {
  const shown = currentToasts().at(-1)
  return shown ? toastText(shown.message) : undefined
}

/** Prepares a test: signs a person in, on one device. */
export async function startSecurity(): Promise<void> {
  clearToasts()
  queryClient.clear()
  setLocale('en')
  await resetWire()
  storeAnswer(seeSession(), { user: user })
  storeAnswer(seeSession(), {
    tokens: { access: `x.${btoa(JSON.stringify({ exp: 9_999_999_999 }))}.x`, refresh: 'x' },
  })
  await reply('GET /api/users/activity/', { status: 200, body: { items: [], next_cursor: null } })
  await reply(
    `GET ${AUTH}/auth/sessions`,
    ok([
      {
        id: 3,
        user_agent: navigator.userAgent,
        ip: '192.0.2.7',
        created_at: 1_790_000_000,
        is_current: true,
      },
    ]),
  )
}
