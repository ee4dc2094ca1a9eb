import { expect, it, beforeEach } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { inAct } from '#tests/web/render.tsx'
import { button, open, refused, startSecurity } from '#tests/web/security-page.tsx'
import { reply } from '#tests/web/wire.ts'

beforeEach(startSecurity)

const entry = {
  id: '9',
  at: '2026-11-22T10:00:00.000Z',
  act: 'customer.blocked',
  by: 'support',
  by_name: 'Olivia',
  message: 'Please call us.',
  ip: null,
  user_agent: null,
  times: 1,
}
const tries = {
  ...entry,
  id: '8',
  act: 'login.refused',
  by: 'unknown',
  by_name: null,
  message: null,
  ip: '198.51.100.9',
  times: 3,
}
const older = { ...tries, id: '7', act: 'session.started', by: 'you', times: 1 }
const path = 'GET /api/users/activity/'

it('the activity says what happened, by whom, and what the support wrote, in each language', async () => {
  await reply(
    path,
    { status: 200, body: { items: [entry, tries], next_cursor: 'more' } },
    { status: 200, body: { items: [older], next_cursor: null } },
  )
  await open()
  const list = page.getByRole('list', { name: 'Activity' })
  await expect.element(list.getByText('Account blocked')).toBeVisible()
  await expect.element(list.getByText('Olivia, Hostdesk support')).toBeVisible()
  await expect.element(list.getByText('Please call us.')).toBeVisible()
  await expect.element(list.getByText('Sign-in refused: wrong password, 3 times')).toBeVisible()
  await expect.element(list.getByText('Unknown person · 198.51.100.9')).toBeVisible()
  await userEvent.click(button('Load more'))
  await expect.element(list.getByText('You · 198.51.100.9')).toBeVisible()
  await inAct(() => setLocale('de'))
  await expect.element(page.getByText('Olivia (Support von Hostdesk)')).toBeVisible()
  await inAct(() => setLocale('en'))
})

it('offers "Try again" when the activity cannot be fetched, and then fetches the activity again', async () => {
  await reply(path, refused('invalid'), { status: 200, body: { items: [], next_cursor: null } })
  await open()
  await userEvent.click(button('Try again'))
  await expect.element(page.getByText('Nothing yet.')).toBeVisible()
})
