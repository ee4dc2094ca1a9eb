import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { live } from '#features/support/desk/web/live.ts'
import { storeUser } from '#tests/web/stored.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { inAct } from '#tests/web/render.tsx'
import { lastToast, openAt, refused, sent } from '#tests/web/routed-pages.tsx'
import { bodies, button, visible, startServers } from '#tests/web/server-pages.tsx'
import { another, anna, incoming, jonas, olivia, taken } from '#tests/web/tickets.ts'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

beforeEach(startServers)

const LIST = '/api/staff/tickets/'
const COUNTS = '/api/staff/tickets/counts/'
const assignee = `/api/staff/tickets/${incoming.id}/assignee/`
const listed = (...items: object[]) => ({ status: 200, body: { items, next_cursor: null } })
const counted = (mail_in_count: number) => ({
  status: 200,
  body: { incoming: mail_in_count, processing: 3, waiting: 1000, mine_unread: 0 },
})
const open = (address = '/staff-tickets') => openAt(address, routes)
const asked = async () => (await sent('GET', LIST)).map(({ path }) => path)
const reads = (what: { element: () => Element }, words: RegExp) =>
  expect.poll(() => what.element().textContent).toMatch(words)
const menu = (name: string, item: string) => async () => {
  await userEvent.click(page.getByRole('button', { name: new RegExp(`^${name}:`) }))
  await userEvent.click(page.getByRole('menuitemradio', { name: item, exact: true }))
}

beforeEach(async () => {
  storeUser({ id: olivia.id, display: 'Olivia Grant' })
  await reply(`GET ${LIST}`, listed(incoming, another))
  await reply(`GET ${COUNTS}`, counted(2))
  await reply('GET /api/staff/colleagues/', listed(jonas, olivia))
})

describe('the list', () => {
  // Seen red: a subject in Hebrew was laid out from the left, and a name could reverse the line it is in.
  it('texts of others have their own direction, and reverse nothing beside them', async () => {
    const foreign = {
      ...incoming,
      subject: 'השרת שלי web-1 לא עונה.',
      customer: { ...anna, name: 'دانة' },
      host_id: 'H'.repeat(22),
      host_name: 'שרת 3',
      last_message: { text: '\u202Etxt.exe לא עונה', by_staff: false },
    }
    await reply(`GET ${LIST}`, listed(foreign))
    await open()
    const directionOf = (text: string) => getComputedStyle(page.getByText(text).element())
    await visible(foreign.subject)
    expect(directionOf(foreign.subject).direction).toBe('rtl')
    for (const name of [foreign.customer.name, foreign.host_name])
      expect(directionOf(name), name).toMatchObject({ direction: 'rtl', unicodeBidi: 'isolate' })
    const words = directionOf(foreign.last_message.text)
    expect([words.direction, words.unicodeBidi, words.display]).toEqual(['ltr', 'isolate', 'block'])
  })

  it('R-03 K-02 shows waiting customers and times, in tabs with the number of tickets in each', async () => {
    await open()
    await visible('Cannot reach my server')
    const row = page.getByRole('listitem').first()
    await reads(row, /1 newIt does not answer since noon.#1042 · Anna Berger · Technical question/)
    await reads(row, /Waiting for 2 hours/)
    const tabs = page.getByRole('navigation', { name: 'Tickets by status' })
    await reads(tabs, /^Incoming2In progress3Waiting1000\+Closed$/)
    await expect.element(tabs.getByRole('link', { name: /Incoming/ })).toHaveAttribute('aria-current', 'page')
    expect(await asked()).toEqual([`${LIST}?tab=incoming`])
  })

  it('shows the waiting time of a ticket in English, German and Russian', async () => {
    await open()
    await visible('Waiting for 2 hours')
    await inAct(() => setLocale('de'))
    await visible('Wartezeit: 2 Stunden')
    await inAct(() => setLocale('ru'))
    await visible('Ожидание: 2 часа')
  })

  it('goes to the search by /', async () => {
    await open()
    await visible('Cannot reach my server')
    await userEvent.keyboard('/')
    await expect.element(page.getByRole('searchbox')).toHaveFocus()
  })
})

describe('search and filters', () => {
  it('are kept in the address, go with the tabs, and are found there again', async () => {
    const { address } = await open('/staff-tickets?tab=processing')
    await visible('Cannot reach my server')
    await userEvent.fill(page.getByRole('searchbox'), 'сервер')
    await expect.poll(address).toContain('q=')
    await menu('Topic', 'Technical question')()
    await menu('Priority', 'High')()
    await menu('Assignee', 'Jonas Keller')()
    const query = new URLSearchParams({
      tab: 'processing',
      topic: 'technical',
      priority: 'high',
      assignee: jonas.id,
      q: 'сервер',
    })
    await expect
      .poll(async () => new URLSearchParams((await asked()).at(-1)?.split('?')[1]).toString())
      .toBe(query.toString())
    expect(new URL(address(), 'http://x').searchParams.toString()).toBe(query.toString())
    await userEvent.click(page.getByRole('link', { name: /^Waiting/ }))
    await expect.poll(async () => (await asked()).at(-1)).toMatch(/tab=waiting&.*q=/)
  })

  it('shows the late tickets alone of all tabs by a press, and all again by another one', async () => {
    const { address } = await open('/staff-tickets?tab=processing')
    await visible('Cannot reach my server')
    const late = page.getByRole('button', { name: 'Late', exact: true })
    await expect.element(late).toHaveAttribute('aria-pressed', 'false')
    await userEvent.click(late)
    await expect.element(late).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(asked).toContain(`${LIST}?tab=processing&late=yes`)
    await userEvent.click(page.getByRole('link', { name: 'All', exact: true }))
    await expect.poll(address).toBe('/staff-tickets?tab=all&late=yes')
    await userEvent.click(late)
    await expect.poll(address).toBe('/staff-tickets?tab=all')
  })

  it('ignores impossible values', async () => {
    await open('/staff-tickets?tab=nonsense&topic=x&assignee=you&customer=1')
    await expect.poll(asked).toEqual([`${LIST}?tab=incoming`])
  })

  it('offers all tabs if nothing is found in one, and shows the status there', async () => {
    await reply(`GET ${LIST}`, listed(), listed({ ...taken, status: 'closed' }))
    const { address } = await open('/staff-tickets?q=1042')
    await userEvent.click(button('Search in all tabs'))
    await expect.poll(address).toBe('/staff-tickets?tab=all&q=1042')
    await reads(page.getByRole('listitem').first(), /Closed/)
    expect((await asked()).at(-1)).toBe(`${LIST}?q=1042`)
  })

  it('show the name of the customer in the filter for one customer, which can be removed', async () => {
    await reply(`GET /api/staff/customers/${anna.id}/`, {
      status: 200,
      body: { name: anna.name, email: 'a' },
    })
    const { address } = await open(`/staff-tickets?tab=all&customer=${anna.id}`)
    await userEvent.click(button('Remove filter: Anna Berger'))
    await expect.poll(address).toBe('/staff-tickets?tab=all')
  })
})

describe('taking from the list', () => {
  it('takes a ticket, and confirms it', async () => {
    await reply(`PUT ${assignee}`, { status: 200, body: taken })
    await open()
    await visible('Cannot reach my server')
    await reply(`GET ${LIST}`, listed(another))
    await userEvent.click(button('Take ticket #1042'))
    await expect.poll(lastToast).toBe('Ticket #1042 is now assigned to you')
    expect(await bodies('PUT', assignee)).toEqual([{}])
    await expect.element(page.getByText('Cannot reach my server')).not.toBeInTheDocument()
  })

  it('shows the second colleague who was faster', async () => {
    const body = { status: 409, errors: [{ code: 'already_taken', message: 'x' }], assignee: jonas }
    await reply(`PUT ${assignee}`, { status: 409, body })
    await open()
    await userEvent.click(button('Take ticket #1042'))
    await expect.poll(lastToast).toBe('Jonas Keller has already taken this ticket')
  })

  it('K-04 shows an error when it did not work', async () => {
    await reply(`PUT ${assignee}`, refused(409, 'ticket_closed'))
    await open()
    await userEvent.click(button('Take ticket #1042'))
    await expect.poll(lastToast).toMatch(/^Failed to update ticket: /)
  })
})

it('is live: a new ticket appears by itself, and the counts follow', async () => {
  await reply(`GET ${LIST}`, listed())
  await reply(`GET ${COUNTS}`, counted(0))
  await open()
  await visible('No new tickets')
  await reply(`GET ${LIST}`, listed(incoming))
  await reply(`GET ${COUNTS}`, counted(1))
  await inAct(() =>
    live.find(([type]) => type === 'ticket.changed')?.[1]({
      chat_id: incoming.id,
      staff: true,
      concerns: 'all',
    }),
  )
  await visible('Cannot reach my server')
  await expect.element(page.getByRole('link', { name: 'Incoming1' })).toBeVisible()
})

it('K-04 shows what failed, with another try', async () => {
  await reply(`GET ${LIST}`, refused(400, 'invalid'), listed(incoming))
  await open()
  await visible('Failed to fetch tickets')
  await userEvent.click(button('Try again'))
  await visible('Cannot reach my server')
})
