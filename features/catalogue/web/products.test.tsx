import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { lastToast, openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

const own = '/api/staff/products/'
const inAll = (text: string) => ({ en: text, de: text, ru: text })
const server = {
  slug: 'server',
  name: inAll('Server'),
  description: inAll(''),
  kind: 'server',
  asks_address: true,
  is_active: true,
  sort: 0,
  version: 1,
}
const agent = { ...server, slug: 'agent', name: inAll('Backup Agent'), kind: 'program', asks_address: false }
const list = (...items: object[]) => ({ status: 200, body: { items } })

beforeEach(async () => {
  await startAnew()
  const me = { id: 'b8f0c2d4-5e6a-4b7c-8d9e-0f1a2b3c4d5e', roles: ['admin'], permissions: ['plans.edit'] }
  await reply('GET /api/staff/me/', { status: 200, body: me })
  await reply('GET /api/staff/plans/', list())
  await reply('GET /api/staff/editions/', list())
  await reply('GET /api/staff/extras/', list())
  await reply('GET /api/staff/vouchers/', { status: 200, body: { items: [], next_cursor: null } })
  await reply(`GET ${own}`, list(server, agent))
})

const bodyOf = async (method: string, path: string) => {
  const request = (await sent(method, path)).at(-1)
  return JSON.parse(request?.body ?? '{}') as unknown
}
const field = (label: string, place = 0) => page.getByLabelText(label, { exact: true }).nth(place)
const button = (name: string) => page.getByRole('button', { name, exact: true })

it('L-40 a product is added in three languages, as a program unless a server is chosen', async () => {
  await reply(`POST ${own}`, { status: 201, body: { ...agent, slug: 'sync', name: inAll('Sync') } })
  await openAt('/staff-catalogue', routes)
  await expect.element(page.getByText('Program: counts on machines, without an address')).toBeVisible()
  await userEvent.click(button('Add product'))
  for (const [place, name] of ['Sync', 'Abgleich', 'Сверка'].entries())
    await userEvent.fill(field('Name', place), name)
  await userEvent.fill(field('Short name'), 'sync')
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Add product' }))
  await expect.poll(lastToast).toBe('Sync has been added. Now add an edition to it.')
  expect(await bodyOf('POST', own)).toEqual({
    slug: 'sync',
    kind: 'program',
    name: { en: 'Sync', de: 'Abgleich', ru: 'Сверка' },
    description: inAll(''),
  })
})

it('L-40 a product is taken from sale; a new edition is of one of several', async () => {
  await reply(`PATCH ${own}agent/`, { status: 200, body: { ...agent, is_active: false, version: 2 } })
  await openAt('/staff-catalogue', routes)
  await userEvent.click(button('Edit').nth(1))
  await userEvent.click(page.getByRole('checkbox', { name: 'On sale' }))
  await userEvent.click(button('Save product'))
  await expect.poll(lastToast).toBe('Product saved')
  expect(await bodyOf('PATCH', `${own}agent/`)).toMatchObject({ is_active: false, version: 1 })
  await userEvent.click(button('Add edition'))
  await expect.element(page.getByRole('combobox', { name: 'Product' })).toHaveValue('server')
})
