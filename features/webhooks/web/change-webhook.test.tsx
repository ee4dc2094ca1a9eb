import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { lastToast, openAt, refused, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './feature.tsx'
import { routes as staffRoutes } from './staff-feature.tsx'

const AUTH = '/api/allauth/app/v1'
const id = 'b8f0c2d4-5e6a-4b7c-8d9e-0f1a2b3c4d5e'
const endpoint = {
  id,
  url: 'https://hooks.example/first',
  description: '',
  types: [],
  host_ids: [],
  state: 'enabled',
  disabled_why: null,
  created_at: '2026-05-01T10:00:00.000Z',
  last_ok_at: null,
  failing_since: null,
  next_at: null,
  waiting: 0,
  recent: { succeeded: 0, failed: 0 },
  skipped: [],
  missed_at: null,
  old_secret_until: null,
  version: 1,
}

beforeEach(startAnew)

it.each([
  ['own', `/settings/api/${id}`, routes, '/api/webhooks/'],
  ['operator', `/staff-webhooks/${id}`, staffRoutes, '/api/staff/webhooks/'],
] as const)('rule 20: another URL (%s) is saved after a fresh proof', async (_side, address, pages, api) => {
  const me = { id, roles: ['admin'], permissions: ['webhooks.manage'] }
  await reply('GET /api/staff/me/', { status: 200, body: me })
  await reply(`GET ${api}`, { status: 200, body: { items: [endpoint], types: ['host.created'] } })
  await reply(`GET ${api}${id}/`, { status: 200, body: endpoint })
  await reply(`GET ${api}${id}/attempts/`, { status: 200, body: { items: [] } })
  await reply('GET /api/hosts/', { status: 200, body: { items: [], next_cursor: null } })
  await reply(`GET ${AUTH}/account/authenticators`, { status: 200, body: { status: 200, data: [] } })
  await reply(`POST ${AUTH}/auth/reauthenticate`, { status: 200, body: { status: 200 } })
  const url = 'https://hooks.example/second'
  const saved = { status: 200, body: { ...endpoint, url, version: 2 } }
  await reply(`PATCH ${api}${id}/`, refused(403, 'reauthentication_required'), saved)
  await openAt(address, pages)
  await userEvent.click(page.getByRole('button', { name: 'Change', exact: true }))
  await userEvent.fill(page.getByLabelText('URL', { exact: true }), url)
  await userEvent.click(page.getByRole('button', { name: 'Save', exact: true }))
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await userEvent.fill(proof.getByLabelText('Password', { exact: true }), 'secret words')
  await userEvent.click(proof.getByRole('button', { name: 'Confirm', exact: true }))
  await expect.poll(lastToast).toBe('Webhook changed')
  expect(await sent('PATCH', `${api}${id}/`)).toHaveLength(2)
})
