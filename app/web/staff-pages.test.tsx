import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { beforeEach, expect, it } from 'vitest'
import './styles.css'
import { clearSession, seeSession } from '#foundation/web/api/stored-session.ts'
import { storeTokens } from '#tests/web/stored.ts'
import { queryClient } from '#foundation/web/api/query.ts'
import { inAct, render } from '#tests/web/render.tsx'
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
