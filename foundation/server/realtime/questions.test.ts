import { expect, it } from 'vitest'
import { arraysOf, questionOf } from './questions.ts'

const questionAt = (session_id: bigint, after: number) =>
  questionOf({ session_id, generation: 1, is_staff: false, in_staff_network: true }, [
    { topic: `t${session_id}`, after },
  ])

it('rule 29: uses the last query arrays again while no reader has moved, and makes new ones when the readers change', () => {
  const [one, two, three] = [questionAt(1n, 5), questionAt(2n, 6), questionAt(3n, 7)]
  const first = arraysOf([one, two])
  expect(first).toMatchObject({ session: '{1,2}', topics: '{t1,t2}', afters: '{5,6}' })
  expect(arraysOf([one, two])).toBe(first)
  expect(arraysOf([one, questionAt(2n, 9)])).toMatchObject({ session: '{1,2}', afters: '{5,9}' })
  expect(arraysOf([one, two, three])).toMatchObject({ session: '{1,2,3}', afters: '{5,6,7}' })
  expect(arraysOf([one])).toMatchObject({ session: '{1}', afters: '{5}' })
  expect(arraysOf([])).toMatchObject({ session: '{}' })
})
