import { QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { queryClient, pagedQueryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { render } from '#tests/web/render.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { LoadMore } from './load-more.tsx'

const things = route({
  id: 'things',
  tag: 'Servers',
  method: 'GET',
  path: '/api/things/',
  access: { who: 'customer' },
  summary: '',
  query: z.strictObject({ ...pageQuery, colour: z.optional(z.string()) }),
  replies: { 200: pageOf(z.strictObject({ name: z.string() })) },
})

function Things() {
  const pages = useInfiniteQuery(pagedQueryFor(things, { query: { colour: 'red' } }))
  return (
    <>
      <ul>
        {pages.data?.pages
          .flatMap(({ items }) => items)
          .map(({ name }) => (
            <li key={name}>{name}</li>
          ))}
      </ul>
      <LoadMore pages={pages} />
    </>
  )
}

const open = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <Things />
    </QueryClientProvider>,
  )
const names = () => [...document.querySelectorAll('li')].map((item) => item.textContent)
const paths = async () => (await requests()).map(({ path }) => path)
const more = page.getByRole('button', { name: 'Load more' })
const first = { status: 200, body: { items: [{ name: 'one' }, { name: 'two' }], next_cursor: 'c1' } }
const last = { status: 200, body: { items: [{ name: 'three' }], next_cursor: null } }

beforeEach(async () => {
  // Another file may have left its language in the storage.
  setLocale('en')
  queryClient.clear()
  await resetWire()
})

it('loads the next page behind the first, and leaves the focus at the end of the list', async () => {
  await reply('GET /api/things/', first, last)
  await open()
  await expect.poll(names).toEqual(['one', 'two'])
  await userEvent.dblClick(more)
  await expect.poll(names).toEqual(['one', 'two', 'three'])
  expect(await paths()).toEqual(['/api/things/?colour=red', '/api/things/?colour=red&cursor=c1'])
  expect(more.elements()).toEqual([])
  expect(document.activeElement?.querySelector('[role=status]')).not.toBeNull()
})

it('shows all pages that were loaded before when a person comes back to the list', async () => {
  await reply('GET /api/things/', first, last)
  const shown = await open()
  await userEvent.click(more)
  await expect.poll(names).toHaveLength(3)
  shown.remove()
  await open()
  expect(names()).toEqual(['one', 'two', 'three'])
})

it('shows when a page did not come, keeps what is there and tries again', async () => {
  await reply('GET /api/things/', first, { status: 400 }, last)
  await open()
  await userEvent.click(more)
  await expect.element(page.getByText('Something went wrong. Please try again.')).toBeVisible()
  expect(names()).toEqual(['one', 'two'])
  await userEvent.click(more)
  await expect.poll(names).toEqual(['one', 'two', 'three'])
})

const changed = {
  status: 200,
  body: { items: [{ name: 'one' }, { name: 'two, renamed' }], next_cursor: 'c1' },
}

// This once failed: the refetch that the event had begun ended the loading of the next page, and a second click was needed.
it('rule 45: an event that comes while the next page loads ends neither', async () => {
  await reply('GET /api/things/', first, { ...last, hold_ms: 1500 }, changed, last)
  await open()
  await userEvent.click(more)
  await expect.poll(paths).toHaveLength(2)
  refreshQueries(things)
  await expect.poll(names).toEqual(['one', 'two, renamed', 'three'])
})

// This once failed: the click ended the refetch that the event had begun, and the list stayed old.
it('rule 45: the next page that is asked for while an event loads the list again ends neither', async () => {
  await reply('GET /api/things/', first, { ...changed, hold_ms: 1500 }, last)
  await open()
  await expect.poll(names).toEqual(['one', 'two'])
  refreshQueries(things)
  await expect.poll(paths).toHaveLength(2)
  await userEvent.click(more)
  await expect.poll(names).toEqual(['one', 'two, renamed', 'three'])
})
