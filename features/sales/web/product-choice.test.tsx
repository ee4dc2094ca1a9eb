import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { balanceIs, inAll, orderedOf, standard, startLicences } from '#tests/web/licence-pages.tsx'
import { sent } from '#tests/web/routed-pages.tsx'
import { button, field, openServers, paidHost, visible } from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'

const product = { slug: 'server', name: inAll('Server'), kind: 'server', asks_address: true } as const
const agent = { slug: 'agent', name: inAll('Backup Agent'), kind: 'program', asks_address: false } as const
const solo = {
  ...standard,
  slug: 'solo',
  name: inAll('Solo'),
  edition: { slug: 'solo', name: inAll('Solo') },
  product: agent,
}
const program = { ...paidHost, name: 'laptop', ipv4: null, product: agent }

beforeEach(startLicences)

it('L-41 an order asks for the product first, and for no address of a program', async () => {
  await reply('GET /api/plans/', { status: 200, body: { items: [{ ...standard, product }, solo] } })
  await reply('POST /api/hosts/order/', orderedOf(program))
  await balanceIs('5000')
  await openServers('/servers/list')
  await userEvent.click(button('New server'))
  await visible('Balance after order')
  expect(page.getByRole('radio', { name: /^Solo/ }).elements()).toEqual([])
  await userEvent.click(page.getByText('Backup Agent'))
  await expect.element(page.getByRole('dialog', { name: 'Backup Agent' })).toBeVisible()
  await expect.element(page.getByRole('radio', { name: /^Solo/ })).toBeChecked()
  expect(page.getByLabelText('IPv4 address').elements()).toEqual([])
  expect(page.getByText('Several servers').elements()).toEqual([])
  await userEvent.fill(field('Name'), 'laptop')
  await userEvent.click(page.getByRole('button', { name: /^Order for/ }))
  await expect.poll(async () => (await sent('POST', '/api/hosts/order/')).length).toBe(1)
  const [order] = await sent('POST', '/api/hosts/order/')
  expect(JSON.parse(order?.body ?? '')).toEqual({
    name: 'laptop',
    plan: 'solo',
    expected_total: solo.price_total,
  })
})

it('L-28, L-41 several licences of a program are ordered by their names, and of servers by their addresses', async () => {
  await reply('GET /api/plans/', { status: 200, body: { items: [{ ...standard, product }, solo] } })
  await openServers('/servers/list')
  await userEvent.click(button('New server'))
  await userEvent.click(page.getByText('Backup Agent'))
  await userEvent.click(page.getByText('Several licences'))
  await userEvent.fill(field('Names'), 'laptop\ndesktop')
  const preview = '/api/hosts/bulk/preview/'
  await expect.poll(async () => (await sent('POST', preview)).length).toBe(1)
  const [asked] = await sent('POST', preview)
  const hosts = [{ name: 'laptop' }, { name: 'desktop' }]
  expect(JSON.parse(asked?.body ?? '')).toEqual({ act: 'order', plan: 'solo', hosts })
  await userEvent.click(page.getByRole('dialog').getByText('Server', { exact: true }))
  await userEvent.fill(field('Servers'), 'web 192.0.2.7')
  await expect.poll(async () => (await sent('POST', preview)).length).toBe(2)
  expect(JSON.parse((await sent('POST', preview))[1]?.body ?? '')).toMatchObject({
    plan: standard.slug,
    hosts: [{ name: 'web', ipv4: '192.0.2.7' }],
  })
})

it('L-41 the page of a program shows its product, and nothing that belongs to servers', async () => {
  await reply(`GET /api/hosts/${program.id}/`, { status: 200, body: program })
  await reply(`GET /api/hosts/${program.id}/machines/`, {
    status: 200,
    body: { limit: 1, releases_left: 3, items: [] },
  })
  await openServers(`/servers/host/${program.id}`)
  await visible('Backup Agent')
  await visible('Licence')
  expect(button('Change address').elements()).toEqual([])
  for (const text of ['Connection', 'No address', 'Show licence'])
    expect(page.getByText(text, { exact: true }).elements(), text).toEqual([])
})

it('L-41 the licence file of a program is made for the machine of a fingerprint', async () => {
  await reply(`GET /api/hosts/${program.id}/`, { status: 200, body: program })
  await reply(`GET /api/hosts/${program.id}/machines/`, {
    status: 200,
    body: { limit: 1, releases_left: 3, items: [] },
  })
  const path = `/api/hosts/${program.id}/licence/document`
  await reply(`POST ${path}`, { status: 200, body: {} })
  await openServers(`/servers/host/${program.id}`)
  await userEvent.click(button('Licence file'))
  await userEvent.fill(field('Fingerprint of the machine'), 'AB'.repeat(31))
  await userEvent.click(button('Download'))
  expect(await sent('POST', path), 'too short').toEqual([])
  await userEvent.fill(field('Fingerprint of the machine'), 'AB '.repeat(32))
  await userEvent.click(button('Download'))
  await visible('The licence file has been saved')
  const [asked] = await sent('POST', path)
  expect(JSON.parse(asked?.body ?? '')).toEqual({ fingerprint: 'ab'.repeat(32) })
})
