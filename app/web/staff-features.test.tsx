import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import './styles.css'
import { readSystem } from '#features/operations/contract.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { clearSession, seeSession } from '#foundation/web/api/stored-session.ts'
import { storeTokens } from '#tests/web/stored.ts'
import { queryClient, refreshQueries } from '#foundation/web/api/query.ts'
import { inAct, render } from '#tests/web/render.tsx'
import { sent } from '#tests/web/routed-pages.tsx'
import { reply, resetWire } from '#tests/web/wire.ts'
import { createPageRouter } from './router.tsx'

const heading = () => document.querySelector('h1')?.textContent
const rail = () => document.querySelector('.rail')

async function open(path: string) {
  const history = createMemoryHistory({ initialEntries: [`/account${path}`] })
  const router = createPageRouter(undefined, history)
  await render(<RouterProvider router={router} />)
  return { history, router, addresses: () => Object.keys(router.routesByPath) }
}

beforeEach(async () => {
  clearSession(seeSession())
  queryClient.clear()
  await resetWire()
  const person = { id: '1', email: 'ann@example.org', name: 'Ann', is_staff: true, language: '', country: '' }
  await reply('GET /api/users/detail/', { status: 200, body: person })
  const member = { permissions: ['customers.read'], two_factor: 'ok' }
  await reply('GET /api/staff/me/', { status: 200, body: member })
  storeTokens({ access: `x.${btoa('{"exp":9999999999}')}.x`, refresh: 'r' })
})

it('adds the staff pages when one is opened, keeps its full address with query and hash, and keeps the frame', async () => {
  const { history, router, addresses } = await open('/servers/list')
  await expect.poll(heading).toBe('Servers')
  expect(addresses().filter((address) => address.includes('staff'))).toEqual([])
  const frame = rail()
  await inAct(() => router.navigate({ to: '/staff-customers/', search: { q: 'lind' }, hash: 'top' }))
  await expect.poll(heading).toBe('Customers')
  expect(history.location.href).toBe('/account/staff-customers/?q=lind#top')
  expect(history.length).toBe(2)
  expect(rail()).toBe(frame)
  expect(addresses()).toContain('/staff-customers')
  await inAct(() => router.navigate({ to: '/servers/list' }))
  await expect.poll(heading).toBe('Servers')
  expect(rail()).toBe(frame)
})

it.each([
  ['/staff-tickets/', 'Tickets'],
  ['/staff-customers/', 'Customers'],
  ['/staff-nowhere/', 'Page not found'],
])('opens %s as the first page', async (path, title) => {
  const { history } = await open(path)
  await expect.poll(heading).toBe(title)
  expect(history.location.pathname).toBe(`/account${path}`)
})

describe('what is to be set up', () => {
  const item = (name: string, state: string) => ({ name, state })
  const lacking = {
    setup: [item('seller', 'open'), item('plan', 'open'), item('mail', 'done'), item('backup', 'waived')],
    warnings: ['no_plan', 'queue_late'],
    settings: ['PAYMENTS: nobody can pay.', 'STAFF_APPROVALS is off.'],
    missing: ['PAYMENTS: nobody can pay.'],
  }
  const notice = page.getByRole('region', { name: /^Set up/ })
  const system = (body: object) => reply('GET /api/staff/system/', { status: 200, body })
  const member = (...permissions: string[]) =>
    reply('GET /api/staff/me/', { status: 200, body: { permissions, two_factor: 'ok' } })

  it.each(['/servers/list', '/staff-tickets/'])(
    'stands on %s, until all is done or not needed',
    async (path) => {
      await member('system.read')
      await system(lacking)
      await open(path)
      await expect.element(notice).toBeVisible()
      await expect.element(notice.getByText('2 of 4 done')).toBeVisible()
      await expect
        .element(notice.getByRole('link', { name: 'Add a plan' }))
        .toHaveAttribute('href', '/account/staff-catalogue')
      await expect.element(notice.getByText('PAYMENTS: nobody can pay.')).toBeVisible()
      expect(notice.element().textContent).not.toContain('STAFF_APPROVALS')
      await expect
        .element(notice.getByRole('link', { name: 'Show the whole list' }))
        .toHaveAttribute('href', '/account/staff-system')
      const setup = [item('seller', 'done'), item('plan', 'waived')]
      await system({ setup, warnings: ['queue_late'], settings: ['STAFF_APPROVALS is off.'], missing: [] })
      await inAct(() => refreshQueries(readSystem))
      await expect.element(notice).not.toBeInTheDocument()
    },
  )

  it('is told to nobody who may not read System, and on no other page', async () => {
    await system(lacking)
    const { router } = await open('/servers/list')
    await expect.poll(heading).toBe('Servers')
    expect(await sent('GET', '/api/staff/system/')).toEqual([])
    await member('system.read')
    await inAct(() => refreshQueries(getStaffMe))
    await expect.element(notice).toBeVisible()
    await inAct(() => router.navigate({ to: '/finances' }))
    await expect.element(notice).not.toBeInTheDocument()
  })
})
