import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { live } from '#features/support/desk/web/live.ts'
import { inAct } from '#tests/web/render.tsx'
import { lastToast, openAt, refused } from '#tests/web/routed-pages.tsx'
import { bodies, button, startServers, visible } from '#tests/web/server-pages.tsx'
import { storeUser } from '#tests/web/stored.ts'
import { incoming, jonas, olivia } from '#tests/web/tickets.ts'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

beforeEach(startServers)

const VIEWS = '/api/staff/ticket-views/'
const listed = (...items: object[]) => ({ status: 200, body: { items, next_cursor: null } })
const view = (id: string, name: string, shared: boolean, filter: object) => ({
  id,
  name,
  shared,
  filter,
  version: 1,
})
const vip = view('1', 'VIP', true, { tab: 'processing', tag: 'vip', assignee: jonas.id })
const mine = view('2', 'My night', false, { topic: 'technical' })
const item = (name: string) => page.getByRole('menuitemradio', { name, exact: true })
const openMenu = (name = 'Views') => userEvent.click(page.getByRole('button', { name, exact: true }))

beforeEach(async () => {
  storeUser({ id: olivia.id, display: 'Olivia Grant' })
  await reply('GET /api/staff/tickets/', listed(incoming))
  await reply('GET /api/staff/tickets/counts/', {
    status: 200,
    body: { incoming: 1, processing: 3, waiting: 0, mine_unread: 0 },
  })
  await reply('GET /api/staff/colleagues/', listed(jonas, olivia))
  await reply('GET /api/staff/tags/', listed({ name: 'vip' }))
  await reply(`GET ${VIEWS}`, listed(vip, mine))
})

it('shows a view by keyboard, names it, and follows what a colleague changes', async () => {
  const { address } = await openAt('/staff-tickets', routes)
  await visible('Cannot reach my server')
  page.getByRole('button', { name: 'Views', exact: true }).element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(item('VIP')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.poll(address).toBe('/staff-tickets?tab=all&topic=technical')
  await openMenu('View: My night')
  await expect.element(item('My night')).toHaveAttribute('aria-checked', 'true')
  await userEvent.click(item('VIP'))
  await expect.poll(address).toBe(`/staff-tickets?tab=processing&tag=vip&assignee=${jonas.id}`)
  await expect.element(page.getByRole('button', { name: 'View: VIP', exact: true })).toBeVisible()
  await reply(`GET ${VIEWS}`, listed({ ...vip, name: 'Very important', version: 2 }, mine))
  await inAct(() => live.find(([type]) => type === 'desk_views')?.[1]({}))
  await expect.element(page.getByRole('button', { name: 'View: Very important', exact: true })).toBeVisible()
})

it('says what is gone of a filter, and keeps it', async () => {
  await reply('GET /api/staff/colleagues/', listed(olivia))
  await reply('GET /api/staff/tags/', listed())
  const { address } = await openAt('/staff-tickets', routes)
  await openMenu()
  await userEvent.click(item('VIP'))
  await expect.poll(address).toContain('tag=vip')
  await expect
    .element(page.getByRole('button', { name: 'Assignee: Somebody who has left', exact: true }))
    .toBeVisible()
  await expect
    .element(page.getByRole('button', { name: 'Tag: vip (on no ticket)', exact: true }))
    .toBeVisible()
  await openMenu('View: VIP')
  await userEvent.click(page.getByRole('menuitem', { name: 'Manage views…' }))
  await visible('In progress · Somebody who has left · vip (on no ticket)')
})

it('saves the filter that is shown, renames, takes another filter, and deletes after asking', async () => {
  await reply(`POST ${VIEWS}`, refused(409, 'too_many_ticket_views'), { status: 201, body: mine })
  await openAt('/staff-tickets?tab=waiting&priority=high', routes)
  await openMenu()
  await userEvent.click(page.getByRole('menuitem', { name: 'Save this filter…' }))
  await visible('The view keeps: Waiting · High')
  await userEvent.fill(page.getByRole('textbox', { name: 'Name' }), 'Hot')
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Visible to' }), 'The whole team')
  await userEvent.click(button('Save'))
  await visible(/already 30 views/)
  await userEvent.click(button('Save'))
  await expect.poll(lastToast).toBe('View saved')
  const filter = { tab: 'waiting', priority: 'high' }
  expect((await bodies('POST', VIEWS)).at(-1)).toEqual({ name: 'Hot', shared: true, filter })

  await reply(`PATCH ${VIEWS}2/`, { status: 200, body: { ...mine, name: 'Night', version: 2 } })
  await openMenu()
  await userEvent.click(page.getByRole('menuitem', { name: 'Manage views…' }))
  await userEvent.click(button('Change “My night”'))
  await userEvent.fill(page.getByRole('textbox', { name: 'Name' }), 'Night')
  await userEvent.click(page.getByRole('checkbox', { name: 'Replace its filter by the present one' }))
  await userEvent.click(button('Save'))
  await expect.poll(() => bodies('PATCH', `${VIEWS}2/`)).toEqual([{ name: 'Night', filter, version: 1 }])

  await reply(`DELETE ${VIEWS}1/`, { status: 204 })
  await userEvent.click(button('Delete “VIP”'))
  await userEvent.click(button('Delete for the whole team?'))
  await expect.poll(lastToast).toBe('View deleted')
})

it('rule 45: a change of a colleague while one edits goes into the fields that one leaves alone', async () => {
  const theirs = { ...vip, name: 'Very important', version: 2 }
  await reply(`PATCH ${VIEWS}1/`, { status: 200, body: { ...theirs, shared: false, version: 3 } })
  await openAt('/staff-tickets', routes)
  await openMenu()
  await userEvent.click(page.getByRole('menuitem', { name: 'Manage views…' }))
  await userEvent.click(button('Change “VIP”'))
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Visible to' }), 'Only me')
  await reply(`GET ${VIEWS}`, listed(theirs, mine))
  await inAct(() => live.find(([type]) => type === 'desk_views')?.[1]({}))
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Very important')
  await userEvent.click(button('Save'))
  await expect.poll(() => bodies('PATCH', `${VIEWS}1/`)).toEqual([{ shared: false, version: 2 }])
})
