import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent, type Locator } from 'vitest/browser'
import type { Alert } from '#features/hosts/alert-contract.ts'
import type { Host } from '#features/hosts/contract.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { VIEWING } from '#foundation/web/viewing.ts'
import { inAct } from '#tests/web/render.tsx'
import { lastToast, openAt, refused } from '#tests/web/routed-pages.tsx'
import {
  bodies,
  button,
  inDays,
  noAlerts,
  oneHost,
  openServers,
  paidHost,
  startServers,
  visible,
} from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { AccountAlerts } from './account-alerts.tsx'
import { live } from './live.ts'

beforeEach(startServers)
afterEach(() => sessionStorage.removeItem(VIEWING))

const minutes = (ago: number) => inDays(-ago / 1440)
const silent: Alert = {
  id: '00000000-0000-4000-8000-000000000001',
  kind: 'offline',
  host: { id: paidHost.id, name: paidHost.name },
  since: minutes(20),
  opened_at: minutes(15),
  closed_at: null,
  peak: null,
  mount: null,
}
const full: Alert = { ...silent, id: silent.id.replace(/1$/, '2'), kind: 'disk', peak: 94.96, mount: '/' }
const over: Alert = {
  ...silent,
  id: silent.id.replace(/1$/, '3'),
  since: minutes(90),
  closed_at: minutes(60),
}

const PATH = `${oneHost(paidHost)}alerts/`
const answered = (change: object) => ({ status: 200, body: { ...noAlerts, ...change } })
/** Waits for the words of an element, in which a space may be one that does not break. */
const reads = (element: Locator, words: RegExp) =>
  expect.poll(() => element.element().textContent.replaceAll('\u00A0', ' ')).toMatch(words)
const band = page.getByRole('region', { name: 'Needs attention' })
const dialog = page.getByRole('dialog')
const open = async (host: Host = paidHost) => {
  await reply(`GET ${oneHost(host)}`, { status: 200, body: host })
  await reply(`GET ${oneHost(host)}metrics/`, { status: 200, body: metrics })
  return openServers(`/servers/host/${host.id}`)
}
const times = [-60, -40, -20, 0].map((minute) => inDays(minute / 1440))
const all = (value: number) => times.map(() => value)
const metrics = {
  step_s: 300,
  times,
  load_1m: all(1),
  memory_used_bytes: all(1),
  memory_total_bytes: all(4),
  disk_used_bytes: all(3),
  disk_total_bytes: all(4),
  disks: [{ mount: '/var/lib', used_bytes: all(2), total_bytes: all(4) }],
}

describe('the band above the list', () => {
  it('H-04 leads to the servers in trouble, says in words what it is, and how many more there are', async () => {
    await reply('GET /api/alerts/', { status: 200, body: { items: [silent, full], count: 7 } })
    const { address } = await openServers('/servers/list')
    await reads(band.getByRole('listitem').first(), /^web-1Not connected20 minutes ago/)
    await reads(band.getByRole('listitem').last(), /web-1Disk 94% full/)
    await expect.element(band.getByText('And 5 more alerts')).toBeVisible()
    await inAct(() => setLocale('ru'))
    await visible('И ещё 5 оповещений')
    await inAct(() => setLocale('en'))
    const link = band.getByRole('link', { name: 'web-1' }).first()
    link.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(address).toBe(`/servers/host/${paidHost.id}`)
  })

  it('is there only while something is open, and follows live events', async () => {
    await reply('GET /api/alerts/', { status: 200, body: { items: [silent], count: 1 } }, nothing)
    await reply(`GET ${oneHost(paidHost)}`, { status: 200, body: paidHost })
    await openServers('/servers/list')
    await expect.element(band).toBeVisible()
    await inAct(() => live.find(([name]) => name === 'host.changed')?.[1]({ host_id: paidHost.id }))
    await expect.element(band).not.toBeInTheDocument()
  })
})
const nothing = { status: 200, body: { items: [], count: 0 } }

describe('the alerts of a server', () => {
  it('are listed with their lengths, the newest three first, and tinted in the charts', async () => {
    const ids = [4, 5].map((number) => ({ ...over, id: silent.id.replace(/1$/, String(number)) }))
    await reply(
      `GET ${PATH}`,
      answered({
        items: [{ ...full, mount: '/var/lib' }, over, ...ids],
        own: { offline_minutes: 10, disk_percent: null },
      }),
    )
    await open()
    const card = page.getByRole('listitem').filter({ hasText: /minutes/ })
    await expect.poll(() => card.elements().length).toBe(3)
    await reads(card.first(), /^Disk \/var\/lib 94% full20 minutes.* – now$/)
    await reads(card.nth(1), /^Not connected30 minutes/)
    await userEvent.click(button('Show all'))
    await expect.poll(() => card.elements().length).toBe(4)
    await visible('10 minutes')
    await visible('90%, as for all servers')
    await visible('The tinted spans are alerts.')
    const chart = (name: string) => page.getByRole('img', { name: new RegExp(`^${name}: now`) })
    await expect.element(chart('Disk /var/lib')).toBeVisible()
    await expect.element(chart('Disk')).toBeVisible()
  })

  it('tell a helper that the owner is mailed', async () => {
    const account = { id: 'a', name: 'Anna Berg', role: 'technical' as const }
    sessionStorage.setItem(VIEWING, JSON.stringify(account))
    await reply(`GET ${PATH}`, answered({}))
    await open({ ...paidHost, account })
    await visible('Anna Berg gets an email when one opens, and when it ends.')
  })

  it('that ended before the first time of the charts are not tinted there', async () => {
    await reply(`GET ${PATH}`, answered({ items: [{ ...over, closed_at: minutes(70) }] }))
    await open()
    await expect.element(page.getByRole('img', { name: /^Load: now/ })).toBeVisible()
    await visible('Not connected')
    await expect.element(page.getByText('The tinted spans are alerts.')).not.toBeInTheDocument()
  })

  it('open when the owner says: a refusal keeps what was chosen, and the dialog closes once it is saved', async () => {
    const own = { offline_minutes: 30, disk_percent: 0 }
    await reply(`PATCH ${PATH}`, refused(400, 'invalid', 'offline_minutes'), answered({ own }))
    await open()
    await userEvent.click(button('Change alerts'))
    await userEvent.selectOptions(dialog.getByLabelText('No check-in for'), '30 minutes')
    await userEvent.selectOptions(dialog.getByLabelText('A disk is full to'), 'Off')
    await userEvent.click(button('Save'))
    await expect.element(dialog.getByLabelText('No check-in for')).toHaveFocus()
    await expect.element(dialog.getByLabelText('No check-in for')).toHaveValue('30')
    await userEvent.click(button('Save'))
    await expect.element(dialog).not.toBeInTheDocument()
    expect(lastToast()).toBe('Alerts saved')
    expect(await bodies('PATCH', PATH)).toEqual([own, own])
    await visible('30 minutes')
    await visible('Off')
  })

  it.each(['read', 'billing'] as const)('are only looked at by a helper with the role %s', async (role) => {
    await reply(`GET ${PATH}`, answered({ items: [silent] }))
    const account = { id: 'vera', name: 'Vera', role }
    sessionStorage.setItem(VIEWING, JSON.stringify(account))
    await open({ ...paidHost, account })
    await expect.element(page.getByRole('heading', { name: 'Alerts' })).toBeVisible()
    await expect.element(page.getByText(/ – now$/)).toBeVisible()
    await expect.element(button('Change alerts')).not.toBeInTheDocument()
  })

  it('say that they could not be loaded, and leave the rest of the page as it is', async () => {
    await reply(`GET ${PATH}`, refused(400, 'invalid'), answered({}))
    await open()
    await visible('The alerts couldn’t be loaded')
    await expect.element(page.getByRole('img', { name: /^Load: now/ })).toBeVisible()
    await userEvent.click(button('Try again'))
    await visible('None in the last 30 days.')
  })
})

it('H-04 the values for all servers are changed in the settings of the account', async () => {
  const SETTINGS = '/api/alerts/settings/'
  await reply(`GET ${SETTINGS}`, { status: 200, body: { offline_minutes: 7, disk_percent: 90 } })
  await reply(`PATCH ${SETTINGS}`, { status: 200, body: { offline_minutes: 0, disk_percent: 90 } })
  await openAt('/settings', [{ path: '/settings', page: async () => AccountAlerts, title: () => '' }])
  await visible('7 minutes')
  await userEvent.click(button('Change alerts'))
  await expect.element(dialog.getByLabelText('No check-in for')).toHaveValue('7')
  await userEvent.selectOptions(dialog.getByLabelText('No check-in for'), 'Off')
  await userEvent.click(button('Save'))
  await expect.element(dialog).not.toBeInTheDocument()
  await visible('Off')
  expect(await bodies('PATCH', SETTINGS)).toEqual([{ offline_minutes: 0, disk_percent: 90 }])
})
