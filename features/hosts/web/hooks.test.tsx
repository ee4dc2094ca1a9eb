import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { getHost, listHosts } from '#features/hosts/contract.ts'
import { pagedQueryFor, queryClient, queryFor } from '#foundation/web/api/query.ts'
import { seeNow } from '#foundation/web/api/seen.ts'
import { paidHost } from '#tests/web/server-pages.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { putHost, reloadHost } from './hooks.ts'

const { id } = paidHost
const detail = `GET /api/hosts/${id}/`
const list = 'GET /api/hosts/'
const named = (name: string) => ({ status: 200, body: { ...paidHost, name } })
const listed = (name: string) => ({
  status: 200,
  body: { items: [{ ...paidHost, name }], next_cursor: null },
})
const asked = async () => (await requests()).length

beforeEach(async () => {
  queryClient.clear()
  await resetWire()
})

/** Shows the page or the list of hosts. Returns the names that it has shown, each change once. */
function show(what: 'page' | 'list'): string[] {
  const shown: string[] = []
  const note = (name: string | undefined) => name !== undefined && name !== shown.at(-1) && shown.push(name)
  const options = pagedQueryFor(listHosts, { query: {} })
  const stop =
    what === 'page'
      ? new QueryObserver(queryClient, queryFor(getHost, { params: { hostId: id } })).subscribe(
          ({ data }) => void note(data?.name),
        )
      : new InfiniteQueryObserver(queryClient, options).subscribe(
          ({ data }) => void note(data?.pages[0]?.items[0]?.name),
        )
  // A request that is still under way would reach the wire after its reset, and count for the next test.
  onTestFinished(async () => {
    await expect.poll(() => queryClient.isFetching()).toBe(0)
    stop()
  })
  return shown
}

// This test failed while the answer to the first event, which came last, was kept.
it('rule 45: of two events in quick succession the newer state stays, in whatever order the answers come', async () => {
  await reply(detail, named('first'), { ...named('older'), hold_ms: 1500 }, named('newer'))
  const shown = show('page')
  await expect.poll(() => shown).toEqual(['first'])
  const older = reloadHost(id)
  await expect.poll(asked).toBe(2)
  await Promise.all([older, reloadHost(id)])
  expect(shown).toEqual(['first', 'newer'])
})

// This test failed while a list that was requested before brought the old name back.
it('rule 45: a name that was just saved is not undone by a list that was read before', async () => {
  await reply(list, { ...listed('before'), hold_ms: 1500 }, listed('after'))
  const shown = show('list')
  await expect.poll(asked).toBe(1)
  putHost({ seen: seeNow() }, { ...paidHost, name: 'after' })
  await expect.poll(() => shown.at(-1)).toBe('after')
  await expect.poll(() => queryClient.isFetching()).toBe(0)
})

// This test failed while such an event was dropped, and its change never shown.
it('an event whose host cannot be read now is not forgotten', async () => {
  await reply(list, listed('before'), listed('after'))
  await reply(detail, { status: 400 })
  const shown = show('list')
  await expect.poll(() => shown).toEqual(['before'])
  await reloadHost(id)
  await expect.poll(() => shown).toEqual(['before', 'after'])
})
