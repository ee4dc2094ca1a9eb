import { storedSession } from '#foundation/web/api/stored-session.ts'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { BANK_LINES_CHANGED } from '#features/banking/contract.ts'
import { live as bankLive } from '#features/banking/web/staff-feature.tsx'
import { live } from '#features/support/tickets/web/live.ts'
import { inAct } from '#tests/web/render.tsx'
import { openAt, sent } from '#tests/web/routed-pages.tsx'
import { startServers } from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { MobileFooter } from './mobile-footer.tsx'
import { Navigation } from './navigation-items.tsx'
import { RouteAnnouncer } from './route-announcer.tsx'
import { useUnreadInTitle } from './unread.ts'

beforeEach(startServers)

const COUNTS = '/api/staff/tickets/counts/'
const signedIn = (is_staff: boolean) => reply('GET /api/users/detail/', { status: 200, body: { is_staff } })
function AnyPage() {
  useUnreadInTitle()
  return (
    <>
      <Navigation />
      <MobileFooter />
      <RouteAnnouncer />
    </>
  )
}
const open = () =>
  openAt('/any', [{ path: '/any', page: () => Promise.resolve(AnyPage), title: () => 'Any page' }])

beforeEach(async () => {
  await reply('GET /api/staff/me/', { status: 200, body: { two_factor: 'ok' } })
  await reply('GET /api/tickets/unread/', { status: 200, body: { count: 3 } })
  await reply(`GET ${COUNTS}`, {
    status: 200,
    body: { incoming: 120, processing: 5, waiting: 7, mine_unread: 1 },
  })
})

it('counts a customer’s unread messages beside Support and in the title, and follows events', async () => {
  await signedIn(false)
  await open()
  await expect.element(page.getByRole('link', { name: 'Support 3 unread' })).toBeVisible()
  await expect.poll(() => document.title).toMatch(/^\(3\) /)
  await reply('GET /api/tickets/unread/', { status: 200, body: { count: 0 } })
  await inAct(() => live.find(([type]) => type === 'message.read')?.[1]({ by: storedSession.user()?.id }))
  await expect.element(page.getByRole('link', { name: 'Support', exact: true })).toBeVisible()
  await expect.poll(() => document.title).not.toContain('(')
  expect(await sent('GET', COUNTS), 'what is staff’s is not asked for').toEqual([])
})

it('rule 51: shows staff how many parts of bank statements they have to look at, and follows events', async () => {
  await signedIn(true)
  const odd = (open: number) =>
    reply('GET /api/staff/bank-odd-parts/', { status: 200, body: { items: [], next: null, open, done: 0 } })
  const me = { two_factor: 'ok', waiting: 0, permissions: ['banking.read'] }
  await reply('GET /api/staff/me/', { status: 200, body: me })
  await odd(3)
  await open()
  await expect.element(page.getByRole('link', { name: 'Bank transfers 3 to check' })).toBeVisible()
  await odd(0)
  await inAct(() => bankLive.find(([type]) => type === BANK_LINES_CHANGED)?.[1]({}))
  await expect.element(page.getByRole('link', { name: 'Bank transfers', exact: true })).toBeVisible()
})

it('R-12 shows staff, beside Tickets, how many tickets are unassigned and how many of their own have news', async () => {
  await signedIn(true)
  await open()
  await expect.element(page.getByRole('link', { name: 'Tickets 99+ unread' })).toBeVisible()
  await expect.poll(() => document.title).toMatch(/^\(99\+\) /)
})
