import { QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { render } from '#tests/web/render.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { queryClient, pagedQueryFor, refreshQueries } from './query.ts'

const list = route({
  id: 'list',
  tag: 'Servers',
  method: 'GET',
  path: '/api/things/',
  access: { who: 'customer' },
  summary: 'Things',
  query: z.strictObject({ ...pageQuery, q: z.optional(z.string()) }),
  replies: { 200: pageOf(z.string()) },
})

function Things() {
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(
    pagedQueryFor(list, { query: { q: 'a' } }),
  )
  return (
    <>
      <p>{error ? 'refused' : data?.pages.flatMap(({ items }) => items).join(' ')}</p>
      {hasNextPage ? (
        <button type="button" onClick={() => void fetchNextPage()}>
          more
        </button>
      ) : null}
    </>
  )
}

const open = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <Things />
    </QueryClientProvider>,
  )
const asked = async () => (await requests()).map(({ path }) => path)

beforeEach(async () => {
  queryClient.clear()
  await resetWire()
})

it('reads a list page by page behind the cursor it was given, and keeps what it has read', async () => {
  await reply(
    'GET /api/things/',
    { status: 200, body: { items: ['one', 'two'], next_cursor: 'c2' } },
    { status: 200, body: { items: ['three'], next_cursor: null } },
  )
  await open()
  await userEvent.click(page.getByRole('button', { name: 'more' }))
  await expect.element(page.getByText('one two three')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'more' })).not.toBeInTheDocument()
  expect(await asked()).toEqual(['/api/things/?q=a', '/api/things/?q=a&cursor=c2'])
})

it('throws what was refused, and loads anew what is shown when it is out of date', async () => {
  await reply(
    'GET /api/things/',
    { status: 404 },
    { status: 200, body: { items: ['one'], next_cursor: null } },
  )
  await open()
  await expect.element(page.getByText('refused')).toBeVisible()
  refreshQueries(list)
  await expect.element(page.getByText('one')).toBeVisible()
})
