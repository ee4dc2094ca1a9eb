import { describe, expect, it, beforeEach } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Host } from '#features/hosts/contract.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { setTheme } from '#foundation/web/theme/theme.ts'
import {
  bodies,
  button,
  field,
  inDays,
  newHost,
  oneHost,
  openServers,
  paidHost,
  visible,
  startServers,
} from '#tests/web/server-pages.tsx'
import { lastToast, refused, sent } from '#tests/web/routed-pages.tsx'
import { inAct } from '#tests/web/render.tsx'
import { reply } from '#tests/web/wire.ts'

beforeEach(startServers)

const open = async (host: Host, query = '') => {
  await reply(`GET ${oneHost(host)}`, { status: 200, body: host })
  return openServers(`/servers/host/${host.id}${query}`)
}
const dialog = page.getByRole('dialog')
const steps = [0, 1, 2, 3, 4, 5]
const gigabyte = 2 ** 30
const metrics = {
  step_s: 300,
  times: steps.map((step) => inDays(-0.5 + step / 288)),
  load_1m: [0.5, 1.25, null, 0.75, 2, 1],
  memory_used_bytes: steps.map(() => 2 * gigabyte),
  memory_total_bytes: steps.map(() => 8 * gigabyte),
  disk_used_bytes: steps.map((step) => (10 + step) * gigabyte),
  disk_total_bytes: steps.map(() => 40 * gigabyte),
  disks: [],
}
const charts = `${oneHost(paidHost)}metrics/`

describe('a host', () => {
  it('H-01 is below its name, with state and address', async () => {
    await reply(`GET ${charts}`, { status: 200, body: metrics })
    await open(paidHost)
    await expect.element(page.getByRole('heading', { level: 1, name: 'web-1' })).toBeVisible()
    await visible('Connected')
    await visible('192.0.2.7')
    await expect.element(button('Copy')).toBeVisible()
  })

  it('V-07 shows a failed fetch with a retry, and a missing server with a link to the list', async () => {
    await reply(`GET ${oneHost(newHost)}`, refused(400, 'invalid'), refused(404, 'not_found'))
    await openServers(`/servers/host/${newHost.id}`)
    await visible('Failed to fetch server')
    await userEvent.click(button('Try again'))
    await visible('Server not found')
    await expect.element(page.getByRole('link', { name: 'Go to servers' })).toBeVisible()
  })

  it('H-02 is renamed', async () => {
    await reply(`PATCH ${oneHost(newHost)}`, { status: 200, body: { ...newHost, name: 'db-1' } })
    await open(newHost)
    await userEvent.click(button('Rename'))
    await userEvent.fill(field('Name'), 'db-1')
    await userEvent.click(button('Save'))
    await expect.element(page.getByRole('heading', { level: 1, name: 'db-1' })).toBeVisible()
    expect(lastToast()).toBe('Renamed to db-1')
  })

  it('V-05 is deleted by its name, and leaves for the list', async () => {
    await reply(`DELETE ${oneHost(newHost)}`, { status: 204 })
    const { address } = await open(newHost)
    await userEvent.click(button('Delete server'))
    await expect.element(dialog.getByText('Invoices and transactions are kept.')).toBeVisible()
    await userEvent.fill(field('Type brave-otter-42 to confirm'), 'brave-otter-42')
    await userEvent.click(button('Delete permanently'))
    await expect.poll(address).toBe('/servers/list')
  })
})

describe('the address', () => {
  it('H-02 is changed, and the limit is shown beforehand', async () => {
    const moved = { ...paidHost, ipv4: '192.0.2.8', ipv4_changes_left: 2 }
    await reply(`PATCH ${oneHost(paidHost)}`, { status: 200, body: moved })
    await open(paidHost)
    await userEvent.click(button('Change address'))
    await visible(/change the address 3 times every 30 days/)
    await visible('Changes left: 3')
    await userEvent.fill(field('IPv4 address'), '192.0.2.8')
    await userEvent.click(button('Save'))
    await visible('192.0.2.8')
    expect(await bodies('PATCH', oneHost(paidHost))).toEqual([{ ipv4: '192.0.2.8', version: 1 }])
  })

  it.each([
    ['ipv4_licensed', /already has a paid licence for this address/],
    ['ipv4_change_limit', /Please open a ticket/],
  ])('explains a 409 %s at the field', async (code, words) => {
    await reply(`PATCH ${oneHost(paidHost)}`, refused(409, code, 'ipv4'))
    await open(paidHost)
    await userEvent.click(button('Change address'))
    await userEvent.fill(field('IPv4 address'), '192.0.2.8')
    await userEvent.click(button('Save'))
    await visible(words)
    await expect.element(field('IPv4 address')).toHaveValue('192.0.2.8')
    await expect.element(field('IPv4 address')).toHaveFocus()
  })

  it('L-32 can be replaced by an IPv6, whose syntax is checked before the request is sent', async () => {
    const moved = { ...paidHost, ipv4: null, ipv6: '2001:db8:0:1::/64', ipv4_changes_left: 2 }
    await reply(`PATCH ${oneHost(paidHost)}`, refused(409, 'ipv6_licensed', 'ipv6'), {
      status: 200,
      body: moved,
    })
    await open(paidHost)
    await userEvent.click(button('Change address'))
    await userEvent.fill(field('IPv4 address'), '')
    await userEvent.fill(field('IPv6 address'), 'fe80::1%eth0')
    await userEvent.click(button('Save'))
    await visible(/Enter an IPv6 address such as 2001:db8::1/)
    await userEvent.fill(field('IPv6 address'), '2001:DB8:0:1::/64')
    await userEvent.click(button('Save'))
    await visible(/already has a paid licence for this IPv6 address or network/)
    await expect.element(field('IPv6 address')).toHaveValue('2001:DB8:0:1::/64')
    await userEvent.click(button('Save'))
    await visible('2001:db8:0:1::/64')
    const sent = { ipv4: null, ipv6: '2001:DB8:0:1::/64', version: 1 }
    expect(await bodies('PATCH', oneHost(paidHost))).toEqual([sent, sent])
  })

  it('cannot be changed if no change is left', async () => {
    await open({ ...paidHost, ipv4_changes_left: 0 })
    await userEvent.click(button('Change address'))
    await visible('You have no changes left right now.')
    await expect.element(button('Save')).toBeDisabled()
  })

  it('may be taken away while nothing is paid, and asked for by a link', async () => {
    const host = { ...newHost, ipv4: '192.0.2.7' }
    await reply(`PATCH ${oneHost(host)}`, { status: 200, body: newHost })
    const { address } = await open(host, '?act=ipv4')
    await userEvent.fill(field('IPv4 address'), '')
    await userEvent.click(button('Save'))
    await visible('No address')
    expect(await bodies('PATCH', oneHost(host))).toEqual([{ ipv4: null, version: 1 }])
    expect(address()).toBe(`/servers/host/${host.id}`)
  })
})

describe('the connection', () => {
  const token = 'agent-token-of-43-characters'
  it('shows the install line with a token, once', async () => {
    await reply(`POST ${oneHost(newHost)}agent-token/`, { status: 201, body: { token } })
    await open(newHost)
    await userEvent.click(button('Connect server'))
    await userEvent.click(button('Create token'))
    await visible(
      `script=$(curl -fsSL ${window.location.origin}/agent/install.sh) && printf %s ${token} | sudo sh -c "$script"`,
    )
    await userEvent.click(button('I’ve saved it'))
    expect(page.getByText(token).elements(), 'it is nowhere on the page afterwards').toEqual([])
    await visible('Waiting for the agent to check in…')
  })

  it('warns before it makes another token', async () => {
    await reply(`POST ${oneHost(paidHost)}agent-token/`, { status: 201, body: { token } })
    await open(paidHost)
    await userEvent.click(button('New token'))
    await visible(/stops working immediately/)
    expect(await sent('POST', `${oneHost(paidHost)}agent-token/`)).toEqual([])
    await userEvent.click(button('Create token'))
    await visible(new RegExp(`printf %s ${token} `))
  })

  it('shows that the agent reports from another address', async () => {
    const agent = { version: '1.0.0', hostname: 'web-1', uptime_s: 60, address: '198.51.100.4' }
    await open({ ...paidHost, address_mismatch: true, agent })
    await visible(/checks in from 198\.51\.100\.4, not 192\.0\.2\.7/)
  })
})

describe('the charts', () => {
  it('describe in words what they show, and follow language and theme', async () => {
    await reply(`GET ${charts}`, { status: 200, body: metrics })
    await open(paidHost)
    const load = page.getByRole('img', { name: /^Load: now 1\.00 · low 0\.50 · high 2\.00$/ })
    await expect.element(load).toBeVisible()
    await expect
      .element(page.getByRole('img', { name: 'Memory: now 25% · low 25% · high 25%' }))
      .toBeVisible()
    const canvas = () => document.querySelector('canvas') as HTMLCanvasElement
    const drawn = canvas().toDataURL()
    await inAct(() => setTheme('dark'))
    await expect.poll(() => canvas().toDataURL()).not.toBe(drawn)
    await inAct(() => setTheme('light'))
    await inAct(() => setLocale('de'))
    await expect.element(page.getByRole('img', { name: /^Last: jetzt 1,00, 0,50 bis 2,00$/ })).toBeVisible()
  })

  it('read out the time under the cursor, in all charts at once, and go back when it leaves', async () => {
    await reply(`GET ${charts}`, { status: 200, body: metrics })
    await open(paidHost)
    const readouts = () => [...document.querySelectorAll('[data-readout]')].map((each) => each.textContent)
    await expect.poll(readouts).toContain('now 25% · low 25% · high 25%')
    const plot = document.querySelector('.u-over')!
    const { left, top, width } = plot.getBoundingClientRect()
    await inAct(() => {
      plot.dispatchEvent(new MouseEvent('mouseenter'))
      plot.dispatchEvent(
        new MouseEvent('mousemove', { clientX: left + width - 1, clientY: top + 20, bubbles: true }),
      )
    })
    await expect.poll(() => readouts().map((text) => text.split(' · ')[1])).toEqual(['1.00', '25%', '38%'])
    await inAct(() => plot.dispatchEvent(new MouseEvent('mouseleave')))
    await expect.poll(readouts).toContain('now 25% · low 25% · high 25%')
  })

  it('are also shown as a table, and for a week and a month', async () => {
    await reply(`GET ${charts}`, { status: 200, body: metrics })
    await open(paidHost)
    await userEvent.click(page.getByText('Show as a table'))
    const rows = page.getByRole('table').getByRole('row')
    await expect.poll(() => rows.elements().length).toBe(1 + steps.length)
    await expect.poll(() => rows.nth(1).element().textContent).toMatch(/1\.0025%38%$/)
    await userEvent.click(page.getByText('7 days'))
    await expect.poll(async () => (await sent('GET', charts)).at(-1)?.path).toMatch(/hours=168/)
  })

  it('draw the first reading of all as a point, since a line needs two', async () => {
    const body = { ...metrics, load_1m: steps.map((step) => (step === 3 ? 1 : null)) }
    await reply(`GET ${charts}`, { status: 200, body })
    await open(paidHost)
    await expect.element(page.getByRole('img', { name: /^Load: now 1\.00/ })).toBeVisible()
    expect(bluePixelsOf(document.querySelector('canvas') as HTMLCanvasElement)).toBeGreaterThan(9)
  })

  it('show that nothing was reported, or that they could not be loaded, without hiding the rest', async () => {
    await reply(`GET ${charts}`, refused(400, 'invalid'), {
      status: 200,
      body: { ...metrics, load_1m: steps.map(() => null) },
    })
    await open(paidHost)
    await visible('We couldn’t load the charts')
    await userEvent.click(button('Try again'))
    await expect.element(page.getByRole('img', { name: 'Load: no data yet' })).toBeVisible()
  })
})

/** Counts the pixels of the line: everything else in a light chart is grey. */
function bluePixelsOf(canvas: HTMLCanvasElement): number {
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
  let count = 0
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3]! > 128 && data[at + 2]! - data[at]! > 80) count += 1
  return count
}
