import { expect, it } from 'vitest'
import { batched } from './batched.ts'

type Source = { rows: Map<string, number>; asked: string[][]; answer: () => Promise<void> }
const make = (): Source => ({ rows: new Map([['a', 1]]), asked: [], answer: async () => {} })

const find = batched(async ({ rows, asked, answer }: Source, keys: readonly string[]) => {
  asked.push([...keys])
  const now = new Map(rows)
  await answer()
  return now
})

it('reads all keys requested at the same time with one statement, each key once', async () => {
  const source = make()
  expect(await Promise.all([find(source, 'a'), find(source, 'b'), find(source, 'a')])).toEqual([
    1,
    undefined,
    1,
  ])
  expect(source.asked).toEqual([['a', 'b']])
})

it('never answers from a statement that began before the question', async () => {
  const source = make()
  let release = () => {}
  source.answer = () => new Promise<void>((resolve) => (release = resolve))
  const before = find(source, 'a')
  await new Promise((resolve) => setImmediate(resolve))
  source.rows.set('a', 2)
  source.answer = async () => {}
  const after = find(source, 'a')
  expect(await after).toBe(2)
  release()
  expect(await before).toBe(1)
})

it('starts no third statement while two are running, and reads all waiting keys with one statement afterwards', async () => {
  const source = make()
  const releases: (() => void)[] = []
  source.answer = () => new Promise<void>((resolve) => releases.push(resolve))
  const answers: Promise<number | undefined>[] = []
  for (const key of ['a', 'a', 'a', 'a']) {
    answers.push(find(source, key))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(source.asked).toHaveLength(2)
  source.answer = async () => {}
  releases.forEach((release) => release())
  expect(await Promise.all(answers)).toEqual([1, 1, 1, 1])
  expect(source.asked).toHaveLength(3)
})

it('passes a failure to all callers that waited for it, and to no other', async () => {
  const source = make()
  source.answer = () => Promise.reject(new Error('gone'))
  const failed = await Promise.allSettled([find(source, 'a'), find(source, 'b')])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  source.answer = async () => {}
  expect(await find(source, 'a')).toBe(1)
})

it('rule 33: splits 450 keys into statements of at most 200 keys each, and finds a row for every key', async () => {
  const source = make()
  const keys = Array.from({ length: 450 }, (_, place) => `key-${place}`)
  for (const [place, key] of keys.entries()) source.rows.set(key, place)
  expect(await Promise.all(keys.map((key) => find(source, key)))).toEqual([...keys.keys()])
  expect(source.asked.map((asked) => asked.length)).toEqual([200, 200, 50])
})
