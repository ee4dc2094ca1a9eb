import { QueryObserver } from '@tanstack/react-query'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { storeUser } from '#tests/web/stored.ts'
import { list } from '#tests/web/things.ts'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { call } from './call.ts'
import { keepAnswer, keepData, keepInLists } from './keep.ts'
import { queryClient, queryFor } from './query.ts'
import type { Answered } from './seen.ts'

const asked = async () => (await requests()).map(({ path }) => path)

beforeEach(async () => {
  queryClient.clear()
  await resetWire()
})

const thing = route({
  id: 'thing',
  tag: 'Servers',
  method: 'POST',
  path: '/api/things/change/',
  access: { who: 'customer' },
  summary: 'A thing',
  replies: { 200: z.string() },
})
const THING = 'POST /api/things/change/'

describe('rule 57: of two calls side by side that store', () => {
  const reading = queryFor(list, { query: {} })
  const { queryKey } = reading
  const page = (name: string) => ({ items: [name], next_cursor: null })
  type Page = ReturnType<typeof page>
  const shown = () => queryClient.getQueryData(queryKey)?.items[0]
  const ways = {
    'the thing': (answered: Answered, name: string) => keepAnswer(answered, queryKey, page(name)),
    'the lists': (answered: Answered, name: string) => keepInLists<Page>(answered, list, () => page(name)),
  }
  it.each(Object.entries(ways))(
    'none undoes what came meanwhile, in both orders: %s',
    async (_what, keep) => {
      for (const [first, second] of [
        [0, 150],
        [150, 0],
      ] as const) {
        queryClient.clear()
        await resetWire()
        await reply('GET /api/things/', { status: 200, body: page('as the server has it') })
        queryClient.setQueryData(queryKey, page('before'))
        const stop = new QueryObserver(queryClient, { ...reading, staleTime: Infinity }).subscribe(() => {})
        await reply(
          THING,
          { status: 200, body: 'one', hold_ms: first },
          { status: 200, body: 'other', hold_ms: second },
        )
        const run = async () => {
          const answer = await call(thing)
          if (answer.status === 200) keep(answer, answer.body)
        }
        await Promise.all([run(), run()])
        // The one that came last began before the other was kept: the page asks which of both the server has.
        await expect.poll(shown).toBe('as the server has it')
        stop()
      }
    },
  )
  it('a function changes its own fields, and an answer alone is kept without asking', async () => {
    queryClient.setQueryData(queryKey, page('before'))
    await reply(THING, { status: 200, body: 'kept' })
    const answer = await call(thing)
    keepData<Page>(queryKey, (known) => known && { ...known, next_cursor: null })
    keepAnswer<Page>(answer, queryKey, (known) => known && { ...known, items: ['changed'] })
    expect(shown()).toBe('changed')
    keepAnswer(await call(thing), queryKey, page('kept'))
    expect(shown()).toBe('kept')
    expect(await asked()).toEqual(['/api/things/change/', '/api/things/change/'])
  })
  it.each(Object.entries(ways))(
    'none keeps anything for the person who signs in next: %s',
    async (_what, keep) => {
      storeUser({ id: 'first', display: '' })
      await reply(THING, { status: 200, body: 'of the first' })
      const answer = await call(thing)
      queryClient.setQueryData(queryKey, page('of the second'))
      const later = await call(thing)
      localStorage.setItem('user', JSON.stringify({ id: 'second', display: '' }))
      for (const one of [answer, later]) keep(one, 'of the first')
      expect(shown()).toBe('of the second')
    },
  )
})
