import { describe, expect, it, beforeEach } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Host } from '#features/hosts/contract.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import {
  bodies,
  button,
  expiredHost,
  field,
  newHost,
  oneHost,
  openServers,
  pageWith,
  paidHost,
  visible,
  startServers,
} from '#tests/web/server-pages.tsx'
import { lastToast, refused, sent } from '#tests/web/routed-pages.tsx'
import { inAct } from '#tests/web/render.tsx'
import { reply } from '#tests/web/wire.ts'
import { live } from './live.ts'

beforeEach(startServers)

const open = (address = '/servers/list') => openServers(address)
const row = (host: Host) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: host.name }) })
const reads = (host: Host, words: RegExp) =>
  expect.poll(() => row(host).element().textContent.replaceAll('\u00A0', ' ')).toMatch(words)
const asked = async () => (await sent('GET', '/api/hosts/')).map(({ path }) => path)
const menu = (host: Host) => button(`Actions for ${host.name}`)

describe('the list', () => {
  it('H-01 shows name, IPv4, connection, and licence', async () => {
    await open()
    await reads(paidHost, /web-1192\.0\.2\.7.*Connected.*Active20 days left.*Standard€11\.90 for 1 month/)
    await reads(expiredHost, /Not connected.*ExpiredEnded 3 days ago/)
    await reads(newHost, /No address.*Never connected.*Free/)
    const status = row(paidHost).getByText('Active')
    expect(status.element().closest('[title]')?.getAttribute('title')).toMatch(/^Paid until /)
  })

  it('L-32 shows an IPv6 beside the IPv4, or alone', async () => {
    const both = { ...paidHost, ipv6: '2001:db8:0:1::/64' }
    await reply('GET /api/hosts/', pageWith(both, { ...expiredHost, ipv4: null, ipv6: '2001:db8::1' }))
    await open()
    await reads(both, /192\.0\.2\.7 · 2001:db8:0:1::\/64/)
    await reads(expiredHost, /2001:db8::1/)
  })

  it('speaks of the remaining time in each language', async () => {
    await open()
    await inAct(() => setLocale('ru'))
    await visible('Осталось: 20 дней')
    await inAct(() => setLocale('de'))
    await visible('Noch 20 Tage')
  })

  it('a whole row leads to the page of its host', async () => {
    const { address } = await open()
    await visible('web-1')
    await userEvent.click(row(expiredHost).getByText('Not connected'))
    await expect.poll(address).toBe(`/servers/host/${expiredHost.id}`)
  })

  it('searches as one types, keeps search, filter and order in the address, and finds them there', async () => {
    const { address } = await open()
    await visible('web-1')
    await userEvent.fill(page.getByRole('searchbox'), 'web')
    await expect.poll(address).toBe('/servers/list?q=web')
    await userEvent.click(page.getByRole('button', { name: 'Expired' }))
    await userEvent.click(page.getByRole('button', { name: 'Not connected' }))
    await userEvent.click(page.getByRole('button', { name: 'Sort by: Newest first' }))
    await userEvent.click(page.getByRole('menuitemradio', { name: 'Name' }))
    await expect.poll(address).toBe('/servers/list?q=web&licence=expired&connected=no&sort=name')
    await expect
      .poll(async () => (await asked()).at(-1))
      .toBe('/api/hosts/?q=web&licence=expired&connected=no&sort=name')
    expect(
      (await asked()).filter((path) => /q=(w|we)(&|$)/.test(path)),
      'not for every letter',
    ).toEqual([])
  })

  it('a name has its own direction, and stays at its side', async () => {
    await reply('GET /api/hosts/', pageWith({ ...paidHost, name: 'שרת 3 (web)' }))
    await open()
    await visible('שרת 3 (web)')
    const { direction, textAlign } = getComputedStyle(page.getByText('שרת 3 (web)').element())
    expect([direction, textAlign]).toEqual(['rtl', 'left'])
  })

  it('keeps a search that is too long, shows an error, and searches for nothing', async () => {
    await open()
    const search = page.getByRole('searchbox')
    await userEvent.fill(search, 'x'.repeat(101))
    await expect.element(search).toHaveAccessibleDescription('101 of 100 characters')
    await userEvent.fill(search, 'web')
    await expect.element(search).not.toHaveAccessibleDescription()
    await expect
      .poll(async () => (await sent('GET', '/api/hosts/')).filter(({ path }) => path.includes('q=')).length)
      .toBe(1)
  })

  it('starts with the filter of the address, and ignores impossible values', async () => {
    await open('/servers/list?licence=free&sort=nonsense')
    await expect.element(page.getByRole('button', { name: 'Free' })).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(async () => asked()).toEqual(['/api/hosts/?licence=free'])
  })

  it('loads more after the last, and shows when nothing matches', async () => {
    await reply(
      'GET /api/hosts/',
      { status: 200, body: { items: [paidHost], next_cursor: 'next' } },
      pageWith(newHost),
      pageWith(),
    )
    await open()
    await userEvent.click(button('Load more'))
    await visible('brave-otter-42')
    await visible('web-1')
    await userEvent.fill(page.getByRole('searchbox'), 'nothing')
    await visible('No servers found')
    await userEvent.click(button('Show all servers'))
    await expect.element(page.getByRole('searchbox')).toHaveValue('')
  })

  it('explains the page if there is nothing yet, and shows errors with another try', async () => {
    await reply('GET /api/hosts/', refused(400, 'invalid'), pageWith())
    await open()
    await visible('Failed to fetch servers')
    await userEvent.click(button('Try again'))
    await visible('No servers yet')
    expect(page.getByRole('searchbox').elements()).toEqual([])
  })
})

describe('L-25 the keys of the selected servers', () => {
  const KEYS = '/api/hosts/licence-keys/'
  it('are renewed at once, with the same choice as for one, and the result is listed for each', async () => {
    const result = (host: Host, licence_key: string | null) => ({
      host_id: host.id,
      name: host.name,
      licence_key,
    })
    await reply(`POST ${KEYS}`, {
      status: 200,
      body: { servers: [result(paidHost, 'NEW'), result(expiredHost, null)] },
    })
    await open()
    for (const { name } of [paidHost, expiredHost])
      await userEvent.click(page.getByRole('checkbox', { name: `Select ${name}` }))
    await userEvent.click(button('Renew keys'))
    await visible('Renew 2 licence keys?')
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'The old key' }), 'stops now')
    await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Renew keys' }))
    await visible('New licence keys')
    const results = page.getByRole('dialog').getByRole('listitem')
    await expect.element(results.nth(0)).toHaveTextContent('web-1Renewed')
    await expect.poll(() => results.nth(1).element().textContent).toMatch(/Not renewed.*Try again tomorrow/)
    expect(await bodies('POST', KEYS)).toEqual([{ host_ids: [paidHost.id, expiredHost.id], at_once: true }])
    await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Close' }).last())
    await expect.element(page.getByRole('region', { name: 'Selected' })).not.toBeInTheDocument()
  })
})

describe('live', () => {
  const hear = (type: string, host: Host) =>
    inAct(() => live.find(([name]) => name === type)?.[1]({ host_id: host.id }))

  it('fetches only the row of a changed host again, and removes the row of a deleted host', async () => {
    await open()
    await visible('web-1')
    await reply(`GET ${oneHost(paidHost)}`, { status: 200, body: { ...paidHost, connected: false } })
    await hear('host.changed', paidHost)
    await reads(paidHost, /Not connected/)
    expect(await asked(), 'the list was not asked again').toHaveLength(1)
    await reply('GET /api/hosts/', pageWith(paidHost, newHost))
    await hear('host.deleted', expiredHost)
    await expect.element(row(expiredHost)).not.toBeInTheDocument()
  })
})

describe('the actions of a row', () => {
  it('H-02 renames, and shows the new name at once', async () => {
    await reply(`PATCH ${oneHost(paidHost)}`, {
      status: 200,
      body: { ...paidHost, name: 'web-2', version: 2 },
    })
    await open()
    await userEvent.click(menu(paidHost))
    await userEvent.click(page.getByRole('menuitem', { name: 'Rename' }).first())
    await userEvent.fill(field('Name'), 'web-2')
    await userEvent.click(button('Save'))
    await visible('web-2')
    expect(await bodies('PATCH', oneHost(paidHost))).toEqual([{ name: 'web-2', version: 1 }])
  })

  it('V-05 deletes by name, names the paid days that are lost, and shows a wrong name at the field', async () => {
    await reply(`DELETE ${oneHost(paidHost)}`, refused(400, 'name_mismatch', 'name'), { status: 204 })
    await open()
    await userEvent.click(menu(paidHost))
    await userEvent.click(page.getByRole('menuitem', { name: 'Delete server' }).first())
    await visible(/lose 20 days of the paid term/)
    await userEvent.fill(field('Type web-1 to confirm'), 'web')
    await userEvent.click(button('Delete permanently'))
    await visible(/This isn’t the name/)
    await reply('GET /api/hosts/', pageWith(expiredHost, newHost))
    await userEvent.fill(field('Type web-1 to confirm'), 'web-1')
    await userEvent.click(button('Delete permanently'))
    await expect.element(row(paidHost)).not.toBeInTheDocument()
    const deletions = (await sent('DELETE', oneHost(paidHost))).map(({ path, body }) => [path, body])
    expect(deletions).toEqual([
      [`${oneHost(paidHost)}?name=web`, ''],
      [`${oneHost(paidHost)}?name=web-1`, ''],
    ])
  })

  it.each([
    ['Rename', 'PATCH', 'Save', 'Failed to update server'],
    ['Delete server', 'DELETE', 'Delete permanently', 'Failed to delete server'],
  ])('V-07 shows an error when it failed: %s', async (item, method, act, text) => {
    await reply(`${method} ${oneHost(newHost)}`, { status: 500 })
    await open()
    await userEvent.click(menu(newHost))
    await userEvent.click(page.getByRole('menuitem', { name: item }).last())
    const typed = item === 'Rename' ? 'other' : newHost.name
    await userEvent.fill(page.getByRole('dialog').getByRole('textbox'), typed)
    await userEvent.click(button(act))
    await expect.poll(lastToast).toBe(text)
    await expect.element(page.getByRole('dialog').getByRole('textbox')).toHaveValue(typed)
  })
})
