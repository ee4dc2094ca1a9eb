import { expect, it, beforeEach } from 'vitest'
import { page } from 'vitest/browser'
import { getStaffMe } from '#features/team/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { inAct } from '#tests/web/render.tsx'
import { openAt, sent } from '#tests/web/routed-pages.tsx'
import { startServers } from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { StaffOnly } from './staff-only.tsx'

beforeEach(startServers)

const open = () =>
  openAt('/any', [
    { path: '/any', page: () => Promise.resolve(() => <StaffOnly needs={true} />), title: () => 'Any page' },
  ])
const heading = (name: string) => page.getByRole('heading', { level: 1, name })

it.each([
  [
    'a second factor is missing',
    { status: 200, body: { two_factor: 'missing' } },
    'Set up two-factor authentication',
  ],
  ['the code is too old', { status: 200, body: { two_factor: 'stale' } }, 'Confirm it’s you'],
  [
    'the network is another',
    { status: 403, body: { errors: [{ code: 'network_not_allowed', message: '' }] } },
    'This network isn’t allowed',
  ],
])('shows staff a page of its own where %s, until it is mended', async (_, standing, title) => {
  await reply('GET /api/users/detail/', { status: 200, body: { is_staff: true } })
  await reply('GET /api/staff/me/', standing)
  await open()
  await expect.element(heading(title)).toBeVisible()
  await reply('GET /api/staff/me/', { status: 200, body: { two_factor: 'ok' } })
  await inAct(() => refreshQueries(getStaffMe))
  await expect.element(heading(title)).not.toBeInTheDocument()
})

it('G-04 shows a customer that they have no access, and asks nothing of staff', async () => {
  await reply('GET /api/users/detail/', { status: 200, body: { is_staff: false } })
  await open()
  await expect.element(heading('No access')).toBeVisible()
  expect(await sent('GET', '/api/staff/me/')).toEqual([])
})
