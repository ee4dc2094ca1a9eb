import { QueryClientProvider, QueryObserver, useInfiniteQuery } from '@tanstack/react-query'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '#tests/web/render.tsx'
import { list } from '#tests/web/things.ts'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { keepAnswer } from './keep.ts'
import { queryClient, pagedQueryFor, queryFor, refreshQueries } from './query.ts'
import { seeNow } from './seen.ts'

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

it('reports a refused load as an error, and loads a shown list again when it is out of date', async () => {
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

// This once failed: terms that had just been accepted were asked for again.
it('rule 45: an answer of a write is not undone by a reading that began before it', async () => {
  await reply(
    'GET /api/things/',
    { status: 200, body: { items: ['before'], next_cursor: null }, hold_ms: 2000 },
    { status: 200, body: { items: ['after'], next_cursor: null } },
  )
  const reading = queryFor(list, { query: {} })
  const shown: unknown[] = []
  const stop = queryClient.getQueryCache().subscribe(() => {
    const now = queryClient.getQueryData(reading.queryKey)?.items[0]
    if (now !== shown.at(-1)) shown.push(now)
  })
  const observer = new QueryObserver(queryClient, reading)
  const leave = observer.subscribe(() => undefined)
  await expect.poll(asked).toHaveLength(1)
  keepAnswer({ seen: seeNow() }, reading.queryKey, { items: ['written'], next_cursor: null })
  await expect.poll(() => shown.at(-1)).toBe('after')
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  expect(shown.filter((one) => one !== undefined)).toEqual(['written', 'after'])
  expect(await asked()).toHaveLength(2)
  leave()
  stop()
})

// This once failed: an offer that arrived while the list of offers loaded for the first time was not shown.
it('rule 45: an event that comes while a list loads for the first time loads it again', async () => {
  await reply(
    'GET /api/things/',
    { status: 200, body: { items: ['before'], next_cursor: null }, hold_ms: 1000 },
    { status: 200, body: { items: ['after'], next_cursor: null } },
  )
  await open()
  await expect.poll(asked).toHaveLength(1)
  refreshQueries(list)
  void queryClient.invalidateQueries()
  await expect.element(page.getByText('after')).toBeVisible()
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  expect(await asked()).toHaveLength(2)
})
