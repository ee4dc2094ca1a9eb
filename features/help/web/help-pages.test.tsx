import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { lastToast, openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

const own = '/api/staff/help/'
const id = 'a1b2c3d4-0000-4000-8000-000000000001'
const none = { en: '', de: '', ru: '' }
const section = {
  id: 'a1b2c3d4-0000-4000-8000-000000000002',
  slug: 'servers',
  rank: 1,
  title: { en: 'Servers', de: 'Server', ru: 'Серверы' },
  version: 1,
}
const listed = {
  id,
  section_id: section.id,
  slug: 'connect',
  rank: 10,
  audience: 'everybody',
  title: { ...none, en: 'Connect a server' },
  is_published: true,
  revision: 1,
  has_changes: false,
  changed_at: '2026-01-02T03:04:05.000Z',
  published_at: '2026-01-02T03:04:05.000Z',
  helpful: 4,
  unhelpful: 1,
  url: 'http://localhost:3000/help/servers/connect/',
  version: 3,
}
const article = {
  ...listed,
  text: { ...none, en: 'Run the **agent**.\n\n## Then' },
  keywords: none,
  linked_from: [],
}

beforeEach(async () => {
  await startAnew()
  await reply(`GET ${own}`, { status: 200, body: { sections: [section], articles: [listed] } })
  await reply(`GET ${own}articles/${id}/`, { status: 200, body: article })
})

const bodyOf = async (method: string, path: string) =>
  JSON.parse((await sent(method, path)).at(-1)?.body ?? '{}') as unknown

it('lists the articles of each section with their state and votes, and adds one', async () => {
  await reply(`POST ${own}articles/`, { status: 201, body: article })
  await openAt('/staff-help', routes)
  await expect.element(page.getByRole('link', { name: 'Connect a server' })).toBeVisible()
  await expect.element(page.getByText('Published', { exact: true })).toBeVisible()
  await expect.element(page.getByText(/helped 4, did not help 1/)).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Write article' }))
  await userEvent.fill(page.getByLabelText('Title (English)'), 'Connect a server')
  await userEvent.fill(page.getByLabelText('Part of the address'), 'connect')
  await userEvent.click(page.getByRole('button', { name: 'Go on writing' }))
  await expect.element(page.getByRole('heading', { level: 1, name: 'Connect a server' })).toBeVisible()
  expect(await bodyOf('POST', `${own}articles/`)).toEqual({
    section_id: section.id,
    slug: 'connect',
    rank: 100,
    title: { en: 'Connect a server' },
  })
})

it('shows an article as its page will, and publishes the version that is seen', async () => {
  const changed = { ...article, has_changes: true }
  await reply(`GET ${own}articles/${id}/`, { status: 200, body: changed })
  await reply(`POST ${own}articles/${id}/publication/`, { status: 200, body: article })
  await openAt(`/staff-help/${id}`, routes)
  await userEvent.click(page.getByRole('button', { name: 'Preview' }).first())
  await expect.element(page.getByRole('heading', { name: 'Then' })).toBeVisible()
  await expect.element(page.getByText('agent', { exact: true })).toBeVisible()
  const title = page.getByLabelText('Title', { exact: true }).first()
  // Seen red: words that were typed and not saved stayed behind, without a word about it.
  await userEvent.fill(title, 'Connect')
  await userEvent.click(page.getByRole('button', { name: 'Publish' }))
  await expect.poll(lastToast).toBe('Save your changes first, then publish them')
  expect(await sent('POST', `${own}articles/${id}/publication/`)).toEqual([])
  await userEvent.fill(title, 'Connect a server')
  await userEvent.click(page.getByRole('button', { name: 'Publish' }))
  await expect.poll(lastToast).toBe('The article is published')
  expect(await bodyOf('POST', `${own}articles/${id}/publication/`)).toEqual({ version: 3 })
})

it('rule 45: an edit sends what was changed, and shows what a colleague saved meanwhile', async () => {
  const theirs = { ...article, text: { ...article.text, en: 'Run the new agent.' }, version: 4 }
  const refused = { status: 409, errors: [{ code: 'changed', message: '' }], present: theirs }
  const saved = { ...theirs, title: { ...none, en: 'Connect' }, version: 5 }
  await reply(`PATCH ${own}articles/${id}/`, { status: 409, body: refused }, { status: 200, body: saved })
  await openAt(`/staff-help/${id}`, routes)
  await userEvent.fill(page.getByLabelText('Title', { exact: true }).first(), 'Connect')
  await userEvent.click(page.getByRole('button', { name: 'Save' }))
  await expect.poll(lastToast).toBe('Saved')
  expect(await bodyOf('PATCH', `${own}articles/${id}/`)).toEqual({ title: { en: 'Connect' }, version: 4 })
  await expect.element(page.getByLabelText('Text', { exact: true }).first()).toHaveValue('Run the new agent.')
})

it('rule 45: so does an edit of a section', async () => {
  const theirs = { ...section, rank: 7, version: 2 }
  const refused = { status: 409, errors: [{ code: 'changed', message: '' }], present: theirs }
  const saved = { ...theirs, slug: 'machines', version: 3 }
  const path = `${own}sections/${section.id}/`
  await reply(`PATCH ${path}`, { status: 409, body: refused }, { status: 200, body: saved })
  await openAt('/staff-help', routes)
  await userEvent.click(page.getByRole('button', { name: 'Edit section: Servers' }))
  await userEvent.fill(page.getByLabelText('Part of the address'), 'machines')
  await userEvent.click(page.getByRole('button', { name: 'Save' }))
  await expect.poll(lastToast).toBe('Saved')
  expect(await bodyOf('PATCH', path)).toEqual({ slug: 'machines', version: 2 })
})

it('deletes an article after it said which others link to it', async () => {
  const other = { id: 'a1b2c3d4-0000-4000-8000-000000000003', title: { ...none, en: 'First steps' } }
  await reply(`GET ${own}articles/${id}/`, { status: 200, body: { ...article, linked_from: [other] } })
  await reply(`DELETE ${own}articles/${id}/`, { status: 204 })
  await openAt(`/staff-help/${id}`, routes)
  await userEvent.click(page.getByRole('button', { name: 'Delete', exact: true }))
  const dialog = page.getByRole('dialog', { name: 'Delete article' })
  await expect.element(dialog.getByRole('link', { name: 'First steps' })).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Delete for good' }))
  await expect.poll(lastToast).toBe('The article is deleted')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Help centre' })).toBeVisible()
})

it('R-10 does not widen a page of 320 px with the text spacing of WCAG 1.4.12', async () => {
  await page.viewport(320, 640)
  setLocale('de')
  document.body.style.cssText = 'letter-spacing: 0.12em; word-spacing: 0.16em'
  const title = { en: 'Servers', de: 'Serververwaltung', ru: 'Серверы' }
  await reply(`GET ${own}`, {
    status: 200,
    body: { sections: [{ ...section, title }], articles: [listed] },
  })
  await openAt('/staff-help', routes)
  await expect.element(page.getByRole('heading', { name: 'Serververwaltung' })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  document.body.style.cssText = ''
  await page.viewport(1280, 800)
})
