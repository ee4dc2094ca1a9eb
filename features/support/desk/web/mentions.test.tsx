import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { registerSlots } from '#foundation/web/slots.tsx'
import { openAt } from '#tests/web/routed-pages.tsx'
import { outgoing } from '#features/support/messages/web/outbox.ts'
import { button, startServers, visible } from '#tests/web/server-pages.tsx'
import { storeUser } from '#tests/web/stored.ts'
import { anna, incoming, jonas, olivia } from '#tests/web/tickets.ts'
import { reply } from '#tests/web/wire.ts'
import { StaffChatPage } from '#features/support/messages/web/staff-chat-page.tsx'
import { slots } from './staff-feature.tsx'

const one = `/api/tickets/${incoming.id}/`
const chat = {
  path: '/staff-tickets/$chatId',
  page: () => Promise.resolve(StaffChatPage),
  title: () => 'Chat',
}
const done = (body: object) => ({ status: 200, body })
const note = {
  id: 1,
  seq: 1,
  client_id: 'c',
  kind: 'note',
  text: '@Jonas Keller knows it, `@Jonas Keller` is code, @Jonasson is nobody.',
  author: { ...olivia, is_staff: true },
  event: null,
  attachments: [],
  created_at: '2026-11-21T12:00:00Z',
}

beforeEach(startServers)
beforeEach(async () => {
  localStorage.clear()
  registerSlots(slots)
  storeUser({ id: olivia.id, display: 'Olivia Grant' })
  await reply(`GET ${one}`, done(incoming))
  await reply(
    `GET ${one}messages/`,
    done({ items: [note], first_seq: 1, last_seq: 1, unanswered_seq: null, reads: [] }),
  )
  await reply('GET /api/staff/colleagues/', done({ items: [jonas, olivia] }))
  await reply(`GET /api/staff/customers/${anna.id}/`, { status: 404, body: {} })
  await reply('GET /api/staff/replies/', done({ items: [] }))
  await reply(`POST /api/staff/tickets/${incoming.id}/presence/`, done({ items: [] }))
})

it('offers colleagues for an @ in a note, keeps what was typed where none is meant, and shows who is mentioned', async () => {
  await openAt(`/staff-tickets/${incoming.id}`, [chat])
  await visible(/knows it/)
  const shown = page.getByText('@Jonas Keller', { exact: true })
  await expect.poll(() => shown.elements().map(({ tagName }) => tagName)).toEqual(['SPAN', 'CODE'])
  const reads = page.getByRole('textbox', { name: 'Write a message' })
  await userEvent.click(reads)
  await userEvent.type(reads, '@')
  await expect.element(reads).toHaveValue('@')
  await userEvent.click(button('Note'))
  const field = page.getByRole('textbox', { name: /note/i })
  await userEvent.click(field)
  await userEvent.keyboard('Ask me@work, @')
  await expect.element(page.getByRole('combobox', { name: 'Search by name' })).toHaveFocus()
  await userEvent.keyboard('jon')
  await expect.element(page.getByRole('combobox', { name: 'Search by name' })).toHaveValue('jon')
  await expect
    .element(page.getByRole('option', { name: 'Jonas Keller' }))
    .toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveValue('Ask me@work, @Jonas Keller ')
  await userEvent.keyboard('@')
  await expect.element(page.getByRole('combobox', { name: 'Search by name' })).toHaveFocus()
  await userEvent.keyboard('nobody')
  await visible('Nothing found')
  await userEvent.keyboard('{Escape}')
  await expect.element(field).toHaveValue('Ask me@work, @Jonas Keller @nobody')
  await userEvent.click(button('Mention a colleague'))
  await userEvent.click(page.getByRole('option', { name: 'Jonas Keller' }))
  await expect.element(field).toHaveValue('Ask me@work, @Jonas Keller @nobody@Jonas Keller ')
  expect(outgoing(incoming.id)).toEqual([])
})
