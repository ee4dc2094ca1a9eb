import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { live } from '#features/support/desk/web/live.ts'
import { inAct } from '#tests/web/render.tsx'
import { lastToast, openAt, refused } from '#tests/web/routed-pages.tsx'
import { bodies, button, startServers, visible } from '#tests/web/server-pages.tsx'
import { storeUser } from '#tests/web/stored.ts'
import { incoming, jonas, olivia, taken } from '#tests/web/tickets.ts'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

beforeEach(startServers)

const PATH = '/api/staff/absence/'
const listed = (...items: object[]) => ({ status: 200, body: { items, next_cursor: null } })
const away = { until: '2026-12-03', note: 'Ask Olivia' }

beforeEach(async () => {
  storeUser({ id: olivia.id, display: 'Olivia Grant' })
  await reply('GET /api/staff/tickets/', listed(incoming))
  await reply('GET /api/staff/tickets/counts/', {
    status: 200,
    body: { incoming: 1, processing: 3, waiting: 0, mine_unread: 0 },
  })
  await reply('GET /api/staff/colleagues/', listed({ ...jonas, away }, { ...olivia, away: null }))
})

it('says until when one is away, returns open tickets where asked, and ends it', async () => {
  await openAt('/staff-tickets', routes)
  await visible('Cannot reach my server')
  await reply(`PUT ${PATH}`, refused(400, 'past_time', 'until'), { status: 200, body: away })
  await reply('POST /api/staff/ticket-acts/', {
    status: 200,
    body: { act_id: 'a', results: [{ id: taken.id, done: true, error: null }] },
  })
  await userEvent.click(button('Away…'))
  await userEvent.fill(page.getByLabelText('Last day away'), '2026-12-03')
  await userEvent.click(page.getByRole('checkbox', { name: 'Return my open tickets to the queue' }))
  await userEvent.click(button('Save'))
  await visible(/within the coming year/)
  await reply('GET /api/staff/tickets/', listed(taken))
  await userEvent.click(button('Save'))
  await expect.poll(lastToast).toBe('Tickets changed: 1')
  expect((await bodies('PUT', PATH)).at(-1)).toEqual({ until: '2026-12-03', from: null })
  expect(await bodies('POST', '/api/staff/ticket-acts/')).toEqual([
    { ids: [taken.id], acts: { assignee: 'none' } },
  ])
  await reply('GET /api/staff/colleagues/', listed(jonas, { ...olivia, away }))
  await inAct(() => live.find(([type]) => type === 'absences')?.[1]({}))
  await reply(`DELETE ${PATH}`, { status: 204 })
  await userEvent.click(page.getByRole('button', { name: /^Away until .*3/ }))
  await userEvent.click(button('I’m back'))
  await expect.poll(lastToast).toBe('Your absence has ended')
})

it('is read at the name where tickets are filtered and assigned', async () => {
  await openAt('/staff-tickets?tab=processing', routes)
  await userEvent.click(page.getByRole('button', { name: /^Assignee:/ }))
  await expect
    .element(page.getByRole('menuitemradio', { name: /^Jonas Keller .away until .*3.*.$/ }))
    .toBeVisible()
})
