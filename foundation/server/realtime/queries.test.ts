import { liveEvent } from '#foundation/contract.ts'
import { expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { endSession, startSession } from '#foundation/server/session/session.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { publish } from './publish.ts'
import { readFor } from './queries.ts'
import { questionOf } from './questions.ts'

const test = await startTestApp()
const { app } = test
const from = { ip: '127.0.0.1', user_agent: 'test' }

async function readerOf(user_id: string, as: { is_staff: boolean; in_staff_network: boolean }) {
  const { actor } = await transaction(app, 'system', (tx) =>
    startSession(app, tx, { user_id, methods: [], from }),
  )
  return { ...actor, ...as }
}
const near = { is_staff: false, in_staff_network: true }

it('rule 5: readers are named only where their session is over or they are no longer what they were', async () => {
  const [customer, staff] = [await signedInCustomer(test), await signedInStaff(test)]
  const gone = await readerOf(customer.user_id, near)
  await transaction(app, 'system', (tx) => endSession(tx, gone))
  const readers = [
    await readerOf(customer.user_id, near),
    gone,
    { ...(await readerOf(customer.user_id, near)), generation: 7 },
    await readerOf(customer.user_id, { is_staff: true, in_staff_network: true }),
    await readerOf(staff.user_id, { is_staff: true, in_staff_network: true }),
    await readerOf(staff.user_id, near),
    // From a network that is not for staff, a member of staff is a customer.
    await readerOf(staff.user_id, { is_staff: false, in_staff_network: false }),
  ]
  const questions = readers.map((reader) => questionOf(reader, [{ topic: reader.user_id, after: 0 }]))
  const { ended } = await readFor(app, questions, 10)
  expect(new Set(ended)).toEqual(new Set([2, 3, 4, 6]))
})

it('rule 29: topics are answered only where something has happened, or nothing is known of them', async () => {
  const [one, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  await transaction(app, 'system', (tx) => publish(tx, one.user_id, { type: liveEvent('test.said'), n: 1 }))
  const reader = await readerOf(one.user_id, near)
  const questions = [
    [{ topic: one.user_id, after: 1 }],
    [{ topic: one.user_id, after: 0 }],
    [
      { topic: other.user_id, after: 0 },
      { topic: other.user_id, after: undefined },
    ],
    [{ topic: other.user_id, after: 3 }],
    [{ topic: one.user_id, after: 0 }],
  ].map((positions) => questionOf(reader, positions))
  const { readings } = await readFor(app, questions, 10)
  const found = new Map(readings.map(({ topic, after, ...reading }) => [`${topic} ${after}`, reading]))
  expect(readings).toHaveLength(3)
  expect(found.get(`${one.user_id} 0`)).toMatchObject({ last_seq: 1, events: [{ seq: 1 }] })
  expect(found.get(`${other.user_id} null`)).toMatchObject({ last_seq: 0, events: [] })
  expect(found.get(`${other.user_id} 3`)).toMatchObject({ last_seq: 0, events: [] })
})
