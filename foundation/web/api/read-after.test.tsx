import * as z from 'zod/mini'
import { beforeEach, expect, it, vi } from 'vitest'
import { route } from '#foundation/contract.ts'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { call } from './call.ts'
import { noteKnown, readAfter } from './read-after.ts'

const common = { tag: 'Servers', path: '/api/things/', access: { who: 'customer' }, summary: '' } as const
const list = route({ ...common, id: 'list', method: 'GET', replies: { 200: z.object({}) } })
const add = route({ ...common, id: 'add', method: 'POST', replies: { 201: z.object({}) } })

beforeEach(async () => {
  localStorage.clear()
  vi.useRealTimers()
  await resetWire()
})

const sent = async () => (await requests()).map(({ headers }) => headers['x-read-after'])
const answersTo = (position?: string) =>
  reply('POST /api/things/', {
    status: 201,
    body: {},
    ...(position && { headers: { 'x-read-after': position } }),
  })

it('reads carry how far the last write came, the farthest of all, for a minute', async () => {
  await answersTo('2/A0')
  await call(list)
  await call(add)
  await call(list)
  noteKnown('1/FFFFFFFF')
  await call(list)
  noteKnown('10/0')
  await call(list)
  expect(await sent()).toEqual(['0/0', '0/0', '2/A0', '2/A0', '10/0'])
  vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] })
  expect(readAfter()).toBe('0/0')
})

it('while a write is on its way, and where its answer was lost or names nothing, only the primary is asked', async () => {
  noteKnown('1/0')
  await answersTo('2/0')
  const adding = call(add)
  await Promise.resolve()
  await call(list)
  await adding
  expect((await sent()).filter((position) => position === undefined)).toHaveLength(1)
  expect(readAfter()).toBe('2/0')
  await answersTo()
  await call(add)
  expect(readAfter()).toBeUndefined()
})
