import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { lastToast, openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

const own = '/api/staff/announcements/'
const saved = {
  id: 'a1b2c3d4-0000-4000-8000-000000000001',
  kind: 'incident',
  title: { en: 'No mail', de: 'Keine Mails', ru: 'Нет почты' },
  text: { en: 'We are on it.', de: 'Wir arbeiten daran.', ru: 'Уже чиним.' },
  starts_at: null,
  ends_at: null,
  scope: { all: true },
  mail: true,
  status: 'draft',
  revision: 0,
  has_changes: true,
  by: null,
  created_at: '2026-01-02T03:04:05.000Z',
  published_at: null,
  ended_at: null,
  version: 1,
}
const list = (...items: object[]) => ({ status: 200, body: { items, next_cursor: null } })

beforeEach(async () => {
  await startAnew()
  await reply('GET /api/plans/', {
    status: 200,
    body: { items: [{ slug: 'starter', name: { en: 'Starter', de: 'Einstieg', ru: 'Начальный' } }] },
  })
  await reply(`GET ${own}${saved.id}/recipients/`, {
    status: 200,
    body: { customers: 240, mails: 230, needs_approval: true },
  })
})

const bodyOf = async (method: string, path: string) => {
  const request = (await sent(method, path)).at(-1)
  return JSON.parse(request?.body ?? '{}') as unknown
}

it('N-01 a new announcement is saved, shown in three languages with its readers, and published as it was shown', async () => {
  await reply(`GET ${own}`, list())
  await reply(`POST ${own}`, { status: 201, body: saved })
  await reply(`POST ${own}${saved.id}/publication/`, { status: 202, body: { approval: {} } })
  await openAt('/staff-announcements?new', routes)
  await userEvent.selectOptions(page.getByLabelText('Kind'), 'Incident')
  await userEvent.selectOptions(page.getByLabelText('For'), 'Customers with certain plans')
  await userEvent.click(page.getByLabelText('Starter'))
  await userEvent.fill(page.getByLabelText('Title').nth(2), 'Нет почты')
  await userEvent.click(page.getByRole('button', { name: 'Save and preview' }))
  for (const text of ['We are on it.', 'Wir arbeiten daran.', 'Уже чиним.'])
    await expect.element(page.getByText(text)).toBeVisible()
  await expect
    .element(page.getByText(/240 customers will see it; by email: 230. A second member/))
    .toBeVisible()
  expect(await bodyOf('POST', own)).toMatchObject({
    kind: 'incident',
    title: { ru: 'Нет почты' },
    scope: { plans: ['starter'] },
    starts_at: null,
    mail: false,
  })
  await userEvent.click(page.getByRole('button', { name: 'Publish' }))
  await expect.poll(lastToast).toMatch(/second member of staff/)
  expect(await bodyOf('POST', `${own}${saved.id}/publication/`)).toEqual({ version: 1 })
})

it('V-01 says what to do where there is no plan to choose', async () => {
  await reply(`GET ${own}`, list())
  await reply('GET /api/plans/', { status: 200, body: { items: [] } })
  await openAt('/staff-announcements?new', routes)
  await userEvent.selectOptions(page.getByLabelText('For'), 'Customers with certain plans')
  await expect.element(page.getByText('There are no plans yet.')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Add a plan' }))
    .toHaveAttribute('href', '/staff-catalogue')
})

it('N-01 says what is missing, and has no button to publish it', async () => {
  await reply(`GET ${own}`, list({ ...saved, kind: 'maintenance', title: { ...saved.title, ru: '' } }))
  await openAt('/staff-announcements', routes)
  await userEvent.click(page.getByRole('button', { name: 'Preview and publish' }))
  await expect.element(page.getByText('Русский: title and text')).toBeVisible()
  await expect.element(page.getByText('Start and end of the maintenance')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Publish', exact: true })).not.toBeInTheDocument()
})

it('rule 45: an edit sends what was changed, and shows what a colleague saved meanwhile', async () => {
  const theirs = { ...saved, text: { ...saved.text, de: 'Behoben.' }, version: 2 }
  await reply(`GET ${own}`, list(saved))
  await reply(
    `PATCH ${own}${saved.id}/`,
    { status: 409, body: { status: 409, errors: [{ code: 'changed', message: '' }], present: theirs } },
    { status: 200, body: { ...theirs, title: { ...saved.title, en: 'No mails' }, version: 3 } },
  )
  await openAt('/staff-announcements', routes)
  await userEvent.click(page.getByRole('button', { name: 'Edit', exact: true }))
  await userEvent.fill(page.getByLabelText('Title').first(), 'No mails')
  await userEvent.click(page.getByRole('button', { name: 'Save and preview' }))
  await expect.element(page.getByText('Behoben.')).toBeVisible()
  expect(await bodyOf('PATCH', `${own}${saved.id}/`)).toEqual({ title: { en: 'No mails' }, version: 2 })
})

it('N-02 a letter to those whom a filter finds opens as news by mail, and keeps its readers over an edit', async () => {
  const scope = { servers: { state: 'offline', country: 'DE' } }
  await reply(`GET ${own}`, list({ ...saved, scope }))
  await reply(`POST ${own}`, { status: 201, body: { ...saved, scope } })
  await reply(`PATCH ${own}${saved.id}/`, { status: 200, body: { ...saved, scope, mail: false, version: 2 } })
  await openAt(`/staff-announcements?new=yes&for=${encodeURIComponent(JSON.stringify(scope))}`, routes)
  await expect.element(page.getByText(/^Servers: Not connected, DE. Its readers are fixed/)).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Save and preview' }))
  await expect.element(page.getByText(/240 customers will see it/)).toBeVisible()
  expect(await bodyOf('POST', own)).toMatchObject({ kind: 'news', mail: true, scope })
  await userEvent.click(page.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(page.getByRole('button', { name: 'Edit', exact: true }))
  await userEvent.click(page.getByLabelText('Send by email, too'))
  await userEvent.click(page.getByRole('button', { name: 'Save and preview' }))
  await expect.poll(() => bodyOf('PATCH', `${own}${saved.id}/`)).toEqual({ mail: false, version: 1 })
})
