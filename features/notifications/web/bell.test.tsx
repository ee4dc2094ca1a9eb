import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { NOTIFICATIONS_CHANGED, type Notification } from '#features/notifications/contract.ts'
import { kinds } from '#features/notifications/rules.ts'
import { queryClient } from '#foundation/web/api/query.ts'
import { announce } from '#foundation/web/realtime/subscriptions.ts'
import { inAct, render } from '#tests/web/render.tsx'
import { lastToast, openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { Bells } from './bells.tsx'
import { ChoicesDialog } from './choices-dialog.tsx'
import { takeChange } from './hooks.ts'
import { TodayMentions } from './today-mentions.tsx'

const own = '/api/notifications/'
const button = (name: string) => page.getByRole('button', { name, exact: true })

const told: Readonly<Record<Notification['kind'], [facts: Record<string, string>, sentence: string]>> = {
  reply: [{ number: '1042' }, 'Ticket #1042: 2 new messages'],
  mention: [{ number: '1042', by: 'Olivia' }, 'Olivia mentioned you in ticket #1042'],
  assigned: [{ number: '1042', by: 'Olivia' }, 'Olivia handed ticket #1042 over to you'],
  alert: [{ host: 'web-1', alert: 'disk', state: 'on' }, 'The disk of web-1 is almost full'],
  approval: [{ state: 'refused' }, 'Your request was refused'],
  payment: [{ what: 'renewal', host: 'web-1' }, 'The licence of web-1 could not be renewed'],
  announcement: [{}, 'There is an announcement for you'],
}

const items = kinds.map((kind, place): Notification => ({
  id: place + 1,
  kind,
  count: kind === 'reply' ? 2 : 1,
  link: `/thing/${kind}`,
  facts: told[kind][0],
  subject: null,
  happened_at: '2026-03-04T05:06:00.000Z',
  is_read: place > 0,
}))

const Framed = () => (
  <>
    <div data-bell />
    <Bells />
  </>
)

beforeEach(startAnew)
afterEach(() => void vi.restoreAllMocks())

it('counts what is unread as it happens, tells each kind in a sentence, and marks all as read', async () => {
  await reply(`GET ${own}unread/`, { status: 200, body: { count: 1, links: ['/thing/reply'] } })
  await reply(`GET ${own}`, { status: 200, body: { items, next_cursor: null } })
  await reply(`POST ${own}read/`, { status: 200, body: { count: 0, links: [] } })
  await openAt('/here', [{ path: '/here', page: () => Promise.resolve(Framed) }])
  await expect.element(button('Notifications, 1 unread')).toBeVisible()
  await inAct(() => announce(NOTIFICATIONS_CHANGED, { count: 2, links: ['/thing/reply', '/thing/alert'] }))
  await expect.element(button('Notifications, 2 unread')).toBeVisible()
  expect(await sent('GET', `${own}unread/`), 'the event itself says how much is unread').toHaveLength(1)

  await userEvent.click(button('Notifications, 2 unread'))
  for (const kind of kinds)
    await expect
      .element(page.getByRole('link', { name: told[kind][1], exact: false }))
      .toHaveAttribute('href', `/thing/${kind}`)
  await expect.element(page.getByText('Unread', { exact: true })).toHaveLength(1)
  await userEvent.click(button('Mark all as read'))
  await expect.element(button('Mark all as read')).toBeDisabled()
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Notifications')).toHaveFocus()
})

it('counts unread mentions for the page Today, leads to the newest, and asks nothing where nothing is unread', async () => {
  const mention = items.find(({ kind }) => kind === 'mention')
  const mentions = [1, 2, 3].map((id) => ({
    ...mention,
    id,
    link: `/thing/${id}`,
    is_read: id === 3,
  }))
  await reply(`GET ${own}`, { status: 200, body: { items: mentions, next_cursor: null } })
  const open = () => openAt('/here', [{ path: '/here', page: () => Promise.resolve(TodayMentions) }])
  await reply(`GET ${own}unread/`, { status: 200, body: { count: 0, links: [] } })
  await open()
  await expect.poll(() => sent('GET', `${own}unread/`)).toHaveLength(1)
  // An event that comes before the answer has the count read again.
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  await inAct(() => takeChange({ count: 2, links: ['/thing/1', '/thing/2'] }))
  const row = page.getByRole('link', { name: 'Notes that mention you', exact: false })
  await expect.element(row).toHaveAttribute('href', '/thing/1')
  await expect.element(row).toHaveTextContent('Notes that mention you2Unread')
  expect(await sent('GET', own)).toHaveLength(1)
  await inAct(() => takeChange({ count: 0, links: [] }))
  await expect.element(row).not.toBeInTheDocument()
})

const withBrowser = async (permission: NotificationPermission, answer: NotificationPermission) => {
  vi.spyOn(Notification, 'permission', 'get').mockReturnValue(permission)
  vi.spyOn(Notification, 'requestPermission').mockImplementation(() => {
    vi.spyOn(Notification, 'permission', 'get').mockReturnValue(answer)
    return Promise.resolve(answer)
  })
  const choices = kinds.map((kind) => ({ kind, bell: true, push: true }))
  await reply(`GET ${own}choices/`, { status: 200, body: { items: choices } })
  await reply(`GET ${own}push/`, { status: 200, body: { public_key: 'B'.repeat(87), endpoints: [] } })
  await render(
    <QueryClientProvider client={queryClient}>
      <ChoicesDialog open onClose={() => {}} />
    </QueryClientProvider>,
  )
}

it('says that the browser forbids notifications, after it was asked or before, and subscribes nothing', async () => {
  await withBrowser('default', 'denied')
  await expect.element(page.getByText('This browser shows none.')).toBeVisible()
  expect(vi.mocked(Notification.requestPermission), 'nobody is asked before a press').not.toHaveBeenCalled()
  await userEvent.click(button('Turn on here'))
  await expect.element(page.getByText(/^This browser forbids notifications of this site\./)).toBeVisible()
  await expect.element(button('Turn on here')).not.toBeInTheDocument()
  expect(await sent('POST', `${own}push/`)).toEqual([])
})

// Seen red: a question that was closed without an answer left a button that seemed to do nothing.
it('says what to do where the question of the browser was closed without an answer', async () => {
  await withBrowser('default', 'default')
  await userEvent.click(button('Turn on here'))
  await expect.poll(lastToast).toBe('The browser hasn’t allowed it. Turn it on again, and choose “Allow”.')
  await expect.element(button('Turn on here')).toBeVisible()
  expect(await sent('POST', `${own}push/`)).toEqual([])
})
