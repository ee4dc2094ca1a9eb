import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { lastToast, openAt, sent } from '#tests/web/routed-pages.tsx'
import { bodies, button, startServers, visible } from '#tests/web/server-pages.tsx'
import { storeUser } from '#tests/web/stored.ts'
import { another, incoming, jonas, olivia } from '#tests/web/tickets.ts'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

const LIST = '/api/staff/tickets/'
const ACTS = '/api/staff/ticket-acts/'
const act_id = 'd0000000-0000-4000-8000-000000000004'
const listed = (...items: object[]) => ({ status: 200, body: { items, next_cursor: null } })

beforeEach(startServers)
beforeEach(async () => {
  storeUser({ id: olivia.id, display: 'Olivia Grant' })
  await reply(`GET ${LIST}`, listed({ ...incoming, tags: ['vip', 'slow disk'] }, another))
  await reply('GET /api/staff/tickets/counts/', {
    status: 200,
    body: { incoming: 2, processing: 0, waiting: 0, snoozed: 4, mine_unread: 0 },
  })
  await reply('GET /api/staff/colleagues/', listed(jonas, olivia))
  await reply('GET /api/staff/tags/', listed({ name: 'vip' }, { name: 'migration' }))
  await openAt('/staff-tickets', routes)
  await visible('Cannot reach my server')
})

it('selects by keyboard, closes several at once, names those that could not be, and takes it back', async () => {
  const focus = (subject: string) => {
    const row = page.getByRole('link', { name: subject }).element()
    if (row instanceof HTMLElement) row.focus()
  }
  focus(incoming.subject)
  await userEvent.keyboard('x')
  focus(another.subject)
  await userEvent.keyboard('X')
  const bar = page.getByRole('region', { name: 'Selected tickets' })
  await expect.element(bar.getByText('2 selected')).toBeVisible()
  const results = [
    { id: incoming.id, done: true, error: null },
    { id: another.id, done: false, error: 'own_ticket' },
  ]
  await reply(`POST ${ACTS}`, { status: 200, body: { act_id, results } })
  await reply(`DELETE ${ACTS}${act_id}/`, { status: 200, body: { act_id, results: results.slice(0, 1) } })
  await userEvent.click(bar.getByRole('button', { name: 'Close' }))
  await expect.poll(lastToast).toBe('Tickets changed: 1')
  expect(await bodies('POST', ACTS)).toEqual([{ ids: [incoming.id, another.id], acts: { status: 'closed' } }])
  // The ticket on which it could not be done stays selected, with its reason.
  await expect
    .poll(() => bar.getByRole('alert').element().textContent)
    .toMatch(/#1043 Invoice without my company: ./)
  await expect.element(bar.getByText('1 selected')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Undo' }))
  await expect.poll(lastToast).toBe('Undone, tickets: 1')
  expect(await sent('DELETE', `${ACTS}${act_id}/`)).toHaveLength(1)
})

it('tags several: known tags are offered, new ones are added as typed', async () => {
  await userEvent.click(page.getByRole('checkbox', { name: 'Select ticket #1042' }))
  await userEvent.click(button('Tags…'))
  const field = page.getByRole('combobox', { name: 'Add a tag' })
  await userEvent.fill(field, 'MIGR')
  await userEvent.click(page.getByRole('option', { name: 'migration', exact: true }))
  await userEvent.fill(field, ' #Hard  Disk ')
  await reply(`POST ${ACTS}`, { status: 200, body: { act_id, results: [] } })
  await userEvent.click(button('Save'))
  await expect
    .poll(() => bodies('POST', ACTS))
    .toEqual([{ ids: [incoming.id], acts: { add_tags: ['migration', 'hard disk'], remove_tags: [] } }])
})

it('shows tags in the rows, filters by one, and has a tab for tickets that sleep', async () => {
  const row = page.getByRole('listitem').first()
  await expect.element(row.getByRole('list', { name: 'Tags' })).toHaveTextContent('vipslow disk')
  await userEvent.click(page.getByRole('button', { name: /^Tag:/ }))
  await userEvent.click(page.getByRole('menuitemradio', { name: 'vip' }))
  await expect.poll(async () => (await sent('GET', LIST)).at(-1)?.path).toBe(`${LIST}?tab=incoming&tag=vip`)
  await userEvent.click(page.getByRole('link', { name: 'Snoozed4' }))
  await expect.poll(async () => (await sent('GET', LIST)).at(-1)?.path).toContain('tab=snoozed')
})
