import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { hotkeys } from '#foundation/web/hotkeys.ts'
import { Link } from '#foundation/web/navigation.tsx'
import { inAct } from '#tests/web/render.tsx'
import { reply } from '#tests/web/wire.ts'
import { openAt } from '#tests/web/routed-pages.tsx'
import { visible, startServers } from '#tests/web/server-pages.tsx'
import { pagesInMenu } from '../staff-features.ts'
import { EarlyShortcuts } from './early-shortcuts.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { PaletteButton } from './palette-button.tsx'

beforeEach(startServers)

const Rows = () => (
  <main id="content">
    <h1>Rows</h1>
    {['one', 'two', 'three'].map((name) => (
      <Link key={name} to={`/row/${name}`} data-row>
        {name}
      </Link>
    ))}
    <Shortcuts />
  </main>
)
const Row = () => <h1>One row</h1>

beforeEach(() => hotkeys.switchTo(true))

it('j and k walk through the rows of a list, and Enter opens one', async () => {
  const { address } = await openAt('/rows', [
    { path: '/rows', page: () => Promise.resolve(Rows), title: () => 'Rows' },
    { path: '/row/$name', page: () => Promise.resolve(Row), title: () => 'Row' },
  ])
  await visible('three')
  await userEvent.keyboard('jjkj')
  await expect.element(page.getByRole('link', { name: 'two' })).toHaveFocus()
  await userEvent.keyboard('kkk')
  await expect.element(page.getByRole('link', { name: 'one' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe('/row/one')
})

const Many = () => (
  <main id="content">
    <h1 tabIndex={-1}>Many</h1>
    {Array.from({ length: 60 }, (_, index) => (
      <div key={index} style={{ height: '3rem' }}>
        <Link to="/row" data-row>{`row ${index}`}</Link> <button type="button">{`act ${index}`}</button>
      </div>
    ))}
    <Shortcuts />
  </main>
)

it('j and k begin at the first row in view where no row has the focus, and beside a button that has it', async () => {
  await openAt('/many', [{ path: '/many', page: () => Promise.resolve(Many), title: () => 'Many' }])
  await visible('row 0')
  const focusOn = (name: string) =>
    inAct(() =>
      (page.getByText(name, { exact: true }).element() as HTMLElement).focus({ preventScroll: true }),
    )
  // The heading has the focus after the way back to a list.
  await focusOn('Many')
  page.getByText('row 30', { exact: true }).element().scrollIntoView({ block: 'start' })
  await userEvent.keyboard('j')
  await expect.element(page.getByText('row 30', { exact: true })).toHaveFocus()
  await focusOn('act 32')
  await userEvent.keyboard('j')
  await expect.element(page.getByText('row 33', { exact: true })).toHaveFocus()
  await focusOn('act 32')
  await userEvent.keyboard('k')
  await expect.element(page.getByText('row 32', { exact: true })).toHaveFocus()
})

describe('keys of pages of staff', () => {
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const elsewhere = pagesInMenu.map(({ path }) => ({
    path,
    page: () => Promise.resolve(Row),
    title: () => 'Staff',
  }))
  const open = () =>
    openAt('/rows', [{ path: '/rows', page: () => Promise.resolve(Rows), title: () => 'Rows' }, ...elsewhere])
  const listed = () => [...document.querySelectorAll('dialog[open] dd')].map((one) => one.textContent.trim())
  const signInAs = async (is_staff: boolean, permissions: readonly string[] = []) => {
    await reply('GET /api/users/detail/', { status: 200, body: { is_staff } })
    await reply('GET /api/staff/me/', { status: 200, body: { two_factor: 'ok', permissions } })
  }

  it('do nothing for customers, and are not in their list', async () => {
    await signInAs(false)
    const { address } = await open()
    await visible('three')
    for (const key of 'dcbplir') await userEvent.keyboard(`g${key}`)
    await userEvent.keyboard('?')
    await expect.element(dialog).toBeVisible()
    expect(address()).toBe('/rows')
    expect(listed().filter((keys) => keys.startsWith('g'))).toHaveLength(4)
  })

  it('lead members to the pages that they may open, and the list has these alone', async () => {
    await signInAs(true, ['customers.read'])
    const { address } = await open()
    await visible('three')
    await userEvent.keyboard('?')
    await expect.element(dialog.getByText('Go to Customers')).toBeVisible()
    expect(dialog.getByText('Go to Reports').elements()).toEqual([])
    await userEvent.keyboard('{Escape}')
    await userEvent.keyboard('gr')
    expect(address()).toBe('/rows')
    await userEvent.keyboard('gc')
    await expect.poll(address).toBe('/staff-customers')
  })

  it('are all in the list of a member who may open all pages', async () => {
    await signInAs(
      true,
      pagesInMenu.flatMap(({ staffOnly }) => (staffOnly === true ? [] : [staffOnly])),
    )
    await open()
    await visible('three')
    await userEvent.keyboard('?')
    await expect.element(dialog.getByText('Go to Reports')).toBeVisible()
    const wanted = pagesInMenu.flatMap(({ menu: { keys } }) => (keys ? [keys] : []))
    const shown = listed().map((keys) => keys.replace('then', ' ').replaceAll(/\s+/gu, ' '))
    expect(shown).toEqual(expect.arrayContaining(wanted))
  })
})

const Early = () => (
  <main id="content">
    <h1>Early</h1>
    <PaletteButton />
    <EarlyShortcuts />
  </main>
)
const openEarly = () =>
  openAt('/early', [
    { path: '/early', page: () => Promise.resolve(Early), title: () => 'Early' },
    { path: '/servers/list', page: () => Promise.resolve(Row), title: () => 'Servers' },
  ])

/** Delays the browser's idle callbacks until `do()` is called, as on a slow phone. */
function busyBrowser() {
  const waiting: (() => void)[] = []
  const { requestIdleCallback } = window
  window.requestIdleCallback = (run) => waiting.push(run as () => void)
  return {
    do: () => waiting.splice(0).forEach((run) => run()),
    [Symbol.dispose]: () => void (window.requestIdleCallback = requestIdleCallback),
  }
}

it.each([
  [
    'g s',
    'gs',
    async ({ address }: Awaited<ReturnType<typeof openEarly>>) => expect.poll(address).toBe('/servers/list'),
  ],
  ['?', '?', () => expect.element(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()],
  ['Ctrl+K', '{Control>}k{/Control}', () => expect.element(page.getByRole('combobox')).toHaveFocus()],
])('%s is heard also when it was pressed before the code for it was there', async (_, keys, happens) => {
  using browser = busyBrowser()
  const opened = await openEarly()
  await visible('Early')
  await userEvent.keyboard(keys)
  browser.do()
  await happens(opened)
})

it('the palette button works even when it is pressed before the code of the palette is loaded', async () => {
  using browser = busyBrowser()
  await openEarly()
  await page.getByRole('button', { name: 'Search or run a command' }).click()
  browser.do()
  await expect.element(page.getByRole('combobox')).toHaveFocus()
})
