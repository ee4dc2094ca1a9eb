import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { hostRemoved } from '#features/hosts/event-contract.ts'
import { createEndpoint } from '#features/webhooks/contract.ts'
import { MOST_AT_ONCE } from '#features/webhooks/rules.ts'
import { record } from '#foundation/server/account-events/record.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { openTo, startReceiver, type Receiver } from '#tests/harness/receiver/receiver.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { deliverDue } from './webhooks.ts'
import { deliveriesEnded } from './deliver.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
const receiver = await startReceiver()
openTo(app, { most_ms: 60_000 })
afterAll(() => receiver.close())
afterEach(() => void vi.restoreAllMocks())

/** The lanes that a process delivers at once. */
const PLACES = 64

/** Makes an account with endpoints at these paths, and lets as many things happen in it. */
async function accountWith(paths: readonly string[], names: readonly string[]): Promise<void> {
  const { api, user_id } = await signedInCustomer(test)
  for (const path of paths) bodyOf(await api.call(createEndpoint, { body: { url: receiver.url(path) } }), 201)
  await transaction(app, 'system', async (tx) => {
    for (const name of names) record(tx, user_id, hostRemoved, { id: 'x', name })
  })
}

/** Lets the clock of turns go on by itself no more, but by what this adds. */
function stopClock(): (more_ms: number) => void {
  const began_ms = performance.now()
  let later_ms = 0
  vi.spyOn(performance, 'now').mockImplementation(() => began_ms + later_ms)
  return (more_ms) => void (later_ms += more_ms)
}

type Answer = Parameters<Parameters<Receiver['answer']>[1]>[0]

it('O-13 more slow programs than there are places give one to a fast program when their turn is over', async () => {
  const slow = Array.from({ length: PLACES + 1 }, (_, place) => `/slow/${place}`)
  const waiting: Answer[] = []
  for (const path of slow) receiver.answer(path, (response) => void waiting.push(response))
  const passTime = stopClock()
  for (let at = 0; at < slow.length; at += MOST_AT_ONCE)
    await accountWith(slow.slice(at, at + MOST_AT_ONCE), ['a', 'b', 'c'])
  await deliverDue(app)
  await expect.poll(() => waiting.length, { interval: 10 }).toBe(PLACES)
  await accountWith(['/fast'], ['quick'])
  await deliverDue(app)
  expect(receiver.got('/fast')).toEqual([])

  // Each program has taken 14 s for its answer.
  passTime(14_000)
  for (const response of waiting.splice(0)) response.writeHead(200).end()
  await deliveriesEnded(app)
  await deliverDue(app)
  await expect.poll(() => receiver.got('/fast').length, { interval: 10 }).toBe(1)

  // The others go on where they stood.
  await expect.poll(() => waiting.length, { interval: 10 }).toBeGreaterThan(PLACES - 10)
  for (const path of slow) receiver.answer(path, (response) => void response.writeHead(200).end())
  for (const response of waiting) response.writeHead(200).end()
  await deliveriesEnded(app)
  await deliverDue(app)
  await deliveriesEnded(app)
  const got = slow.map((path) => receiver.got(path).map(({ event }) => event.data['name']))
  expect(got).toEqual(slow.map(() => ['a', 'b', 'c']))
})
