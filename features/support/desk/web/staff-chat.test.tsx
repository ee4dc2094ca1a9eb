import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { outgoing } from '#features/support/messages/web/outbox.ts'
import { StaffChatPage } from '#features/support/messages/web/staff-chat-page.tsx'
import { storeUser } from '#tests/web/stored.ts'
import { registerSlots } from '#foundation/web/slots.tsx'
import { STREAM_RESYNC } from '#foundation/live-contract.ts'
import { startLive } from '#foundation/web/realtime/live.ts'
import { inAct } from '#tests/web/render.tsx'
import { lastToast, openAt, refused, sent } from '#tests/web/routed-pages.tsx'
import { bodies, button, visible, startServers } from '#tests/web/server-pages.tsx'
import { anna, another, incoming, jonas, olivia, taken } from '#tests/web/tickets.ts'
import { reply } from '#tests/web/wire.ts'
import { refreshTicket } from './hooks.ts'
import { slots } from './staff-feature.tsx'

beforeEach(startServers)

const one = `/api/tickets/${incoming.id}/`
const desk = `/api/staff/tickets/${incoming.id}/`
const LIST = '/api/staff/tickets/'
const listed = (...items: object[]) => ({ status: 200, body: { items, next_cursor: null } })
const done = (body: object) => ({ status: 200, body })
const chat = {
  path: '/staff-tickets/$chatId',
  page: () => Promise.resolve(StaffChatPage),
  title: () => 'Chat',
}
const open = () => openAt(`/staff-tickets/${incoming.id}`, [chat])
const written = (name: string | RegExp = 'Write a message') => page.getByRole('textbox', { name })
const fasterOne = {
  status: 409,
  body: { status: 409, errors: [{ code: 'already_taken', message: 'x' }], assignee: jonas },
}
const canned = (id: string, title: string, text: string, language: string, acts = {}) => ({
  id,
  title,
  text,
  language,
  acts,
  changed_at: '2026-11-21T12:00:00Z',
})
const card = {
  id: anna.id,
  name: anna.name,
  email: 'anna@example.com',
  language: 'de',
  is_staff: false,
  company: '',
  city: 'Hamburg',
  country: 'DE',
  access: 'open',
  customer_since: '2025-11-21T12:00:00Z',
  balance: { amount: '-1990', currency: 'EUR' },
  hosts: { items: [], more: false },
  tickets: { items: [incoming, { ...another, status: 'closed' }], more: false },
}

beforeEach(async () => {
  localStorage.clear()
  registerSlots(slots)
  storeUser({ id: olivia.id, display: 'Olivia Grant' })
  await reply(`GET ${one}`, done(incoming))
  await reply(
    `GET ${one}messages/`,
    done({ items: [], first_seq: 0, last_seq: 0, unanswered_seq: null, reads: [] }),
  )
  await reply('GET /api/staff/colleagues/', listed(jonas, olivia))
  await reply(`GET /api/staff/customers/${anna.id}/`, done(card))
  await reply('GET /api/staff/replies/', {
    status: 200,
    body: {
      items: [
        canned('1', 'Hallo', 'Hallo {customer},\n\n{me}', 'de'),
        canned('2', 'Hello', 'Hello {customer},', 'en'),
        canned('3', 'Restart', 'Please restart the agent.', 'en'),
      ],
    },
  })
  await reply(`POST ${desk}presence/`, done({ items: [] }))
})

describe('the assignee of a ticket', () => {
  it('K-03 is set by a button or by t, and then can be handed over or released', async () => {
    await reply(`PUT ${desk}assignee/`, done(taken), done({ ...taken, assignee: jonas }))
    await reply(`DELETE ${desk}assignee/`, done(incoming))
    await open()
    await expect.element(button('Take')).toBeVisible()
    await reply(`GET ${one}`, done(taken))
    await userEvent.keyboard('t')
    await expect.poll(lastToast).toBe('Ticket #1042 is now assigned to you')
    await userEvent.click(button('Assigned to you'))
    await reply(`GET ${one}`, done({ ...taken, assignee: jonas }))
    await userEvent.click(page.getByRole('menuitem', { name: 'Jonas Keller' }))
    await expect.poll(lastToast).toBe('Handed over to Jonas Keller')
    expect(await bodies('PUT', `${desk}assignee/`)).toEqual([{}, { user_id: jonas.id, from: olivia.id }])
    await reply(`GET ${one}`, done(incoming))
    await userEvent.click(button('Assigned to Jonas Keller'))
    await userEvent.click(page.getByRole('menuitem', { name: 'Return to queue' }))
    await expect.poll(lastToast).toBe('Ticket #1042 is back in the queue')
    expect((await sent('DELETE', `${desk}assignee/`)).map(({ path }) => path)).toEqual([
      `${desk}assignee/?from=${jonas.id}`,
    ])
  })

  it('shows the second colleague who was faster, and the ticket as it is now', async () => {
    await reply(`PUT ${desk}assignee/`, fasterOne)
    await open()
    await expect.element(button('Take')).toBeVisible()
    await reply(`GET ${one}`, done({ ...taken, assignee: jonas }))
    await userEvent.click(button('Take'))
    await expect.poll(lastToast).toBe('Jonas Keller has already taken this ticket')
    await expect.element(button('Assigned to Jonas Keller')).toBeVisible()
  })

  it('is handed over with a note; a refusal keeps what was typed', async () => {
    await reply(`PUT ${desk}assignee/`, refused(409, 'ticket_closed'), done({ ...taken, assignee: jonas }))
    await open()
    await userEvent.click(button('Unassigned'))
    await userEvent.click(page.getByRole('menuitem', { name: 'Hand over with a note…' }))
    await userEvent.fill(page.getByLabelText('Internal note'), 'She called twice.')
    await userEvent.click(button('Hand over'))
    await expect.poll(lastToast).toMatch(/^Failed to update ticket/)
    await expect.element(page.getByLabelText('Internal note')).toHaveValue('She called twice.')
    await userEvent.click(button('Hand over'))
    await expect.poll(lastToast).toBe('Handed over to Jonas Keller')
    const body = { user_id: jonas.id, from: null, note: 'She called twice.' }
    expect(await bodies('PUT', `${desk}assignee/`)).toEqual([body, body])
  })

  // Seen red: the note for Jonas went to whoever came next in the list, and a ticket that was closed took the note with it.
  it('is handed over to whom the dialog named when it opened, whatever a colleague does meanwhile', async () => {
    await reply(`PUT ${desk}assignee/`, refused(409, 'ticket_closed'))
    await reply(
      'GET /api/staff/colleagues/',
      listed(jonas, olivia, { id: anna.id.replace(/.$/, '9'), name: 'Mira', away: null }),
    )
    await open()
    await userEvent.click(button('Unassigned'))
    await userEvent.click(page.getByRole('menuitem', { name: 'Hand over with a note…' }))
    await userEvent.fill(page.getByLabelText('Internal note'), 'She called twice.')
    await reply(`GET ${one}`, done({ ...taken, assignee: jonas }))
    await inAct(() => refreshTicket(incoming.id))
    await expect.element(page.getByText('Jonas Keller').first()).toBeInTheDocument()
    await reply(`GET ${one}`, done({ ...taken, status: 'closed', closed_at: '2026-11-21T12:00:00Z' }))
    await inAct(() => refreshTicket(incoming.id))
    await userEvent.click(button('Hand over'))
    await expect.poll(lastToast).toMatch(/^Failed to update ticket/)
    await expect.element(page.getByLabelText('Internal note')).toHaveValue('She called twice.')
    expect(await bodies('PUT', `${desk}assignee/`)).toEqual([
      { user_id: jonas.id, from: null, note: 'She called twice.' },
    ])
  })

  it('is closed as spam by one press, and opened again by the toast', async () => {
    const closed = { ...incoming, status: 'closed', closed_at: '2026-11-21T12:00:00Z', spam: true }
    await reply(`POST ${desk}spam/`, done(closed))
    await reply(`DELETE ${one}closure/`, done(incoming))
    await open()
    await expect.element(button('Spam')).toBeVisible()
    await reply(`GET ${one}`, done(closed))
    await userEvent.click(button('Spam'))
    await expect.poll(lastToast).toBe('Ticket #1042 was closed as spam')
    await expect.element(button('Spam')).not.toBeInTheDocument()
    await reply(`GET ${one}`, done(incoming))
    await userEvent.click(button('Undo'))
    await expect.element(button('Spam')).toBeVisible()
    expect(await sent('DELETE', `${one}closure/`)).toHaveLength(1)
  })

  it('K-01 gets another priority and another topic; K-04 shows when that fails', async () => {
    await reply(`PATCH ${desk}`, done({ ...incoming, priority: 'critical' }), refused(400, 'unknown_topic'))
    await open()
    await userEvent.click(button('More actions'))
    await userEvent.click(page.getByRole('menuitemradio', { name: 'Critical' }))
    await expect.element(page.getByText('Critical').first()).toBeVisible()
    await userEvent.click(button('More actions'))
    await userEvent.click(page.getByRole('group', { name: 'Topic' }).getByRole('menuitemradio').nth(2))
    await expect.poll(lastToast).toMatch(/^Failed to update ticket/)
    expect(await bodies('PATCH', desk)).toMatchObject([
      { priority: 'critical' },
      { topic: expect.any(String) },
    ])
  })
})

describe('writing', () => {
  it('r begins a reply, i a note; Esc goes back to the shortcuts, n to the ticket that waits next', async () => {
    await reply(`GET ${LIST}`, listed(), listed(another))
    const { address } = await open()
    await expect.element(written()).toBeVisible()
    await userEvent.keyboard('i')
    await expect.element(written(/Internal note/)).toHaveFocus()
    await userEvent.keyboard('{Escape}r')
    await expect.element(written()).toHaveFocus()
    await expect.element(written()).toHaveValue('')
    await userEvent.keyboard('{Escape}n')
    await expect.poll(address).toBe(`/staff-tickets/${another.id}`)
    expect((await sent('GET', LIST)).map(({ path }) => path)).toEqual([
      `${LIST}?tab=processing&assignee=me&limit=2`,
      `${LIST}?tab=incoming&limit=2`,
    ])
  })

  it('puts a canned reply in by /: matching ones are offered, names are filled in, the text goes where the cursor is', async () => {
    await open()
    await userEvent.click(written())
    await userEvent.keyboard('/')
    const search = page.getByRole('combobox', { name: 'Search canned replies' })
    await expect.element(search).toHaveFocus()
    // The customer's language comes first.
    await expect.element(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
    await userEvent.keyboard('hallo{Enter}')
    await expect.element(written()).toHaveValue('Hallo Anna Berger,\n\nOlivia Grant')
    await expect.element(written()).toHaveFocus()
    await userEvent.keyboard('!')
    await expect.element(written()).toHaveValue('Hallo Anna Berger,\n\nOlivia Grant!')
  })

  it('leaves a slash that was only a slash, as in a path', async () => {
    await open()
    await userEvent.click(written())
    await userEvent.keyboard('/')
    await expect.element(page.getByRole('combobox')).toHaveFocus()
    await userEvent.keyboard('etc{Escape}')
    await expect.element(written()).toHaveValue('/etc')
    await userEvent.keyboard('/hosts')
    await expect.element(written()).toHaveValue('/etc/hosts')
  })

  it('sends the acts of a macro with the reply', async () => {
    const acts = { add_tags: ['vip'], status: 'closed', snooze: undefined }
    await reply('GET /api/staff/replies/', done({ items: [canned('3', 'Done', 'All done.', 'en', acts)] }))
    await open()
    await userEvent.click(written())
    await userEvent.click(button('Canned replies'))
    await visible('Then: tag vip · close')
    await userEvent.keyboard('done{Enter}')
    await visible('With the reply: tag vip · close')
    await userEvent.keyboard('{Enter}')
    await expect
      .poll(() => outgoing(incoming.id))
      .toMatchObject([{ text: 'All done.', acts: { add_tags: ['vip'], status: 'closed' } }])
    expect(page.getByText(/With the reply/).elements()).toEqual([])
  })

  it('keeps, changes and deletes canned replies for all of the staff', async () => {
    await reply('POST /api/staff/replies/', refused(409, 'too_many_replies'), { status: 201, body: {} })
    await reply('DELETE /api/staff/replies/1/', { status: 204 })
    await open()
    await userEvent.click(written())
    await userEvent.click(button('Canned replies'))
    await userEvent.click(button('Manage…'))
    await userEvent.click(button('New reply'))
    await userEvent.fill(page.getByRole('textbox', { name: 'Title' }), 'Thanks')
    await userEvent.fill(page.getByRole('textbox', { name: 'Text' }), 'Thank you, {customer}.')
    await userEvent.click(button('Save'))
    await visible(/There are already 500 canned replies/)
    await userEvent.click(button('Save'))
    await expect.poll(lastToast).toBe('Reply saved')
    expect((await bodies('POST', '/api/staff/replies/')).at(-1)).toEqual({
      title: 'Thanks',
      text: 'Thank you, {customer}.',
      language: 'en',
    })
    await userEvent.click(button('Delete “Hallo”'))
    await userEvent.click(button('Delete for the whole team?'))
    await expect.poll(lastToast).toBe('Reply deleted')
  })
})

describe('beside the conversation', () => {
  it('shows the customer, their servers, and their other tickets', async () => {
    await open()
    const beside = page.getByRole('complementary', { name: 'Customer' })
    await expect.element(beside.getByRole('heading', { name: 'Anna Berger' })).toBeVisible()
    await expect.element(beside.getByText('−€19.90').or(beside.getByText('-€19.90'))).toBeVisible()
    await expect.element(beside.getByText('Hamburg, Germany')).toBeVisible()
    await expect.element(beside.getByText('No servers')).toBeVisible()
    // The open ticket is not listed among the others.
    await expect.element(beside.getByRole('link', { name: /Invoice without my company/ })).toBeVisible()
    expect(beside.getByRole('link', { name: /Cannot reach/ }).elements()).toEqual([])
    await expect
      .element(beside.getByRole('link', { name: 'All tickets of this customer' }))
      .toHaveAttribute('href', `/staff-tickets?tab=all&customer=${anna.id}`)
  })

  it('shows who else views and writes, finds earlier viewers at once, and forgets those who leave', async () => {
    const stop = startLive()
    const channel = new BroadcastChannel(`live:${olivia.id}`)
    const tell = (type: string, data: object) =>
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
      channel.postMessage({ type, data: { chat_id: incoming.id, user_id: jonas.id, ...data } })
    await reply(`POST ${desk}presence/`, done({ items: [jonas] }))
    await open()
    // The page of the previous test may report late that it was left, so only `here` is counted.
    const told = async () =>
      (await bodies('POST', `${desk}presence/`))
        .map((body) => (body as { state: string }).state)
        .filter((state) => state === 'here')
    await visible('Jonas Keller is also viewing this')
    tell('presence', { name: 'Jonas Keller', state: 'here' })
    await expect.poll(told).toEqual(['here'])
    // The stream begins after the page, and events before that are lost.
    tell(STREAM_RESYNC, {})
    await expect.poll(told).toEqual(['here', 'here'])
    tell('typing', { is_staff: true })
    await visible('Jonas Keller is also replying')
    // Typing of a colleague must not show as typing of the customer.
    expect(page.getByText('Anna Berger is writing').elements()).toEqual([])
    tell('presence', { name: 'Jonas Keller', state: 'left' })
    await expect.element(page.getByText(/Jonas Keller is/)).not.toBeInTheDocument()
    tell('presence', { chat_id: another.id, name: 'Jonas Keller', state: 'here' })
    tell('typing', { user_id: anna.id, is_staff: false })
    await visible('Anna Berger is writing…')
    expect(page.getByText(/Jonas Keller is/).elements()).toEqual([])
    channel.close()
    stop()
  })
})
