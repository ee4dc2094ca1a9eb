import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { hotkeys } from '#foundation/web/hotkeys.ts'
import { openAt, sent } from '#tests/web/routed-pages.tsx'
import { pageWith, paidHost, visible, startServers } from '#tests/web/server-pages.tsx'
import { incoming } from '#tests/web/tickets.ts'
import { inAct } from '#tests/web/render.tsx'
import { reply } from '#tests/web/wire.ts'
import { Shortcuts } from './shortcuts.tsx'
import { PaletteButton, PaletteField } from './palette-button.tsx'

beforeEach(startServers)

const listed = (...items: object[]) => ({ status: 200, body: { items, next_cursor: null } })
const AnyPage = () => (
  <>
    <h1>Any page</h1>
    <textarea aria-label="Message" />
    <PaletteField />
    <PaletteButton />
    <Shortcuts />
  </>
)
const open = () =>
  openAt('/any', [{ path: '/any', page: () => Promise.resolve(AnyPage), title: () => 'Any page' }])
const search = page.getByRole('combobox', { name: 'Search or run a command' })

beforeEach(async () => {
  hotkeys.switchTo(true)
  await reply('GET /api/users/detail/', { status: 200, body: { is_staff: true } })
  await reply('GET /api/staff/me/', { status: 200, body: { two_factor: 'ok' } })
  await reply('GET /api/hosts/', pageWith(paidHost))
  await reply('GET /api/tickets/', listed({ ...incoming, number: 1050, subject: 'web-1 is slow' }))
  await reply('GET /api/staff/tickets/', listed(incoming))
  await reply('GET /api/invoices/', listed())
})

it('opens by Ctrl and K also while one writes, finds by a part of a name, and goes there by Enter', async () => {
  const { address } = await open()
  await userEvent.click(page.getByRole('textbox'))
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(search).toHaveFocus()
  await userEvent.fill(search, 'web-1')
  await visible('web-1 is slow')
  await visible('Cannot reach my server')
  await userEvent.fill(search, 'fin')
  await expect.element(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe('/finances')
})

it('shows nothing on top that was found for another text', async () => {
  await reply('GET /api/staff/tickets/', listed(incoming), { ...listed(incoming), hold_ms: 5_000 })
  const { address } = await open()
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(search).toHaveFocus()
  await userEvent.fill(search, 'cannot')
  await visible('Cannot reach my server')
  await userEvent.fill(search, 'cannot reach')
  await visible('Cannot reach my server')
  await userEvent.fill(search, 'Create ticket')
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe('/tickets?tab=open&new=')
})

it('opens by a button too, for people without a keyboard', async () => {
  await open()
  await userEvent.click(page.getByRole('button', { name: 'Search', exact: true }))
  await expect.element(search).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(page.getByRole('button', { name: 'Search or run a command' }))
  await expect.element(search).toHaveFocus()
})

it('shows recent places first and the shortcut of each page, and is only as high as its results', async () => {
  sessionStorage.clear()
  const { address, history } = await open()
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(search).toHaveFocus()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByRole('option', { name: 'Servers' })).toHaveTextContent('Serversgs')
  const high = dialog.element().clientHeight
  await userEvent.fill(search, 'cannot reach')
  await visible('Cannot reach my server')
  await expect.poll(() => dialog.element().clientHeight).toBeLessThan(high / 2)
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe(`/staff-tickets/${incoming.id}`)
  await inAct(() => history.push('/any'))
  await visible('Any page')
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(search).toHaveFocus()
  const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option')
  await expect.element(recent).toHaveTextContent('Cannot reach my server#1042')
  await expect.element(recent).toHaveAttribute('aria-selected', 'true')
})

it('asks the server a moment after the last key, and staff’s search only for staff', async () => {
  await reply('GET /api/users/detail/', { status: 200, body: { is_staff: false } })
  await open()
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(search).toHaveFocus()
  expect(await sent('GET', '/api/hosts/')).toEqual([])
  await inAct(() => {
    for (const typed of ['w', 'we', 'web']) type(search.element() as HTMLInputElement, typed)
  })
  await visible('web-1')
  expect((await sent('GET', '/api/hosts/')).map(({ path }) => path)).toEqual([
    '/api/hosts/?q=web&limit=5&sort=name',
  ])
  expect(await sent('GET', '/api/staff/tickets/')).toEqual([])
})

// This failed while the end of a pasted text was cut off, so that another text was searched for.
it('keeps a pasted query of more than 100 characters, shows that it is too long, and sends no search for it', async () => {
  await open()
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.fill(search, 'x'.repeat(101))
  await expect.element(page.getByRole('status').getByText('101 of 100 characters')).toBeVisible()
  await userEvent.fill(search, 'web-1')
  await visible('web-1 is slow')
  const asked = await sent('GET', '/api/hosts/')
  expect(asked.map(({ path }) => new URL(path, location.origin).searchParams.get('q'))).toEqual(['web-1'])
})

it('does things: lists the keys, where single letters are switched off and on', async () => {
  const { address } = await open()
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.fill(search, 'shortcuts')
  await userEvent.keyboard('{Enter}')
  await userEvent.click(page.getByRole('checkbox', { name: 'Single-letter shortcuts' }))
  await userEvent.keyboard('{Escape}')
  await userEvent.keyboard('gs')
  expect(address()).toBe('/any')
  // The shortcut of the palette has a modifier, so it still works and leads back to the switch.
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.fill(search, 'shortcuts')
  await userEvent.keyboard('{Enter}')
  await userEvent.click(page.getByRole('checkbox', { name: 'Single-letter shortcuts' }))
  await userEvent.keyboard('{Escape}')
  await userEvent.keyboard('gs')
  await expect.poll(address).toBe('/servers/list')
})

/** Sets the text at once, because a test driver may take longer from key to key than a person. */
function type(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
