import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { euros, lastToast, openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

const own = '/api/staff/extras/'
const inAll = (text: string) => ({ en: text, de: text, ru: text })
const edition = {
  slug: 'standard',
  product: 'server',
  name: inAll('Standard'),
  description: inAll(''),
  features: [],
  entitlements: {},
  rank: 10,
  trial_days: 0,
  is_active: true,
  version: 1,
}
const seats = {
  slug: 'seats',
  edition: 'standard',
  kind: 'addon',
  name: inAll('Seats'),
  price_net: euros('300'),
  most: 10,
  is_active: true,
  version: 4,
}
const list = (...items: object[]) => ({ status: 200, body: { items } })

beforeEach(async () => {
  await startAnew()
  const me = { id: 'b8f0c2d4-5e6a-4b7c-8d9e-0f1a2b3c4d5e', roles: ['admin'], permissions: ['plans.edit'] }
  await reply('GET /api/staff/me/', { status: 200, body: me })
  await reply('GET /api/staff/plans/', list())
  await reply('GET /api/staff/editions/', list(edition))
  await reply('GET /api/staff/products/', list())
  await reply('GET /api/finances/', { status: 200, body: { balance: euros('0') } })
  await reply('GET /api/staff/vouchers/', { status: 200, body: { items: [], next_cursor: null } })
  await reply(`GET ${own}`, list(seats))
})

const bodyOf = async (method: string, path: string) => {
  const request = (await sent(method, path)).at(-1)
  return JSON.parse(request?.body ?? '{}') as unknown
}
const field = (label: string) => page.getByLabelText(label, { exact: true })

it('an extra is added to an edition in three languages, and another is changed with the version that was seen', async () => {
  await reply(`POST ${own}`, { status: 201, body: { ...seats, slug: 'chat', name: inAll('Chat') } })
  await openAt('/staff-catalogue', routes)
  await expect.element(page.getByText('Add-on, €3.00 net a month, at most 10')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Add extra to Standard' }))
  for (const language of ['English', 'German', 'Russian'])
    await userEvent.fill(page.getByLabelText(new RegExp(language)), 'Chat')
  await userEvent.fill(field('Short name'), 'chat')
  await userEvent.fill(page.getByLabelText(/^Net price/), '4.50')
  await userEvent.fill(field('At most'), '3')
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Add extra' }))
  await expect.poll(lastToast).toBe('Chat has been added')
  expect(await bodyOf('POST', own)).toEqual({
    slug: 'chat',
    edition: 'standard',
    kind: 'addon',
    name: inAll('Chat'),
    price_net: euros('450'),
    most: 3,
  })
  await reply(`PATCH ${own}seats/`, { status: 200, body: { ...seats, is_active: false, version: 5 } })
  await userEvent.click(page.getByRole('button', { name: 'Edit Seats' }))
  await userEvent.click(page.getByRole('checkbox', { name: 'On sale' }))
  await userEvent.click(page.getByRole('button', { name: 'Save extra' }))
  await expect.poll(lastToast).toBe('Extra saved')
  expect(await bodyOf('PATCH', `${own}seats/`)).toMatchObject({
    is_active: false,
    price_net: euros('300'),
    most: 10,
    version: 4,
  })
})
