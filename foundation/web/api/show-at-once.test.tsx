import { beforeEach, expect, it } from 'vitest'
import { showAtOnce } from './keep.ts'
import { queryClient } from './query.ts'

const key = ['a ticket']
type Answer = { status: 200 | 409 }
type Ticket = { status: string; subject: string }
const open: Ticket = { status: 'open', subject: 'Slow' }
const known = () => queryClient.getQueryData<Ticket>(key)

beforeEach(() => {
  queryClient.clear()
  queryClient.setQueryData(key, open)
})

/** Begins an act whose answer comes when the test says so. */
function act() {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const ended = showAtOnce<Ticket, Answer>(key, { status: 'closed' }, () => promise)
  return { answer: (status: 200 | 409) => resolve({ status }), ended }
}

it('shows the change before the answer, and leaves it where the act succeeds', async () => {
  const closing = act()
  await expect.poll(known).toEqual({ status: 'closed', subject: 'Slow' })
  closing.answer(200)
  expect((await closing.ended).status).toBe(200)
  expect(known()).toEqual({ status: 'closed', subject: 'Slow' })
})

it('takes the change back where the act is refused', async () => {
  const closing = act()
  await expect.poll(known).toMatchObject({ status: 'closed' })
  closing.answer(409)
  await closing.ended
  expect(known()).toEqual(open)
})

it('loads again instead where something newer came meanwhile', async () => {
  const closing = act()
  await expect.poll(known).toMatchObject({ status: 'closed' })
  queryClient.setQueryData(key, { status: 'closed', subject: 'Slow at night' })
  closing.answer(409)
  await closing.ended
  expect(known()).toEqual({ status: 'closed', subject: 'Slow at night' })
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true)
})
