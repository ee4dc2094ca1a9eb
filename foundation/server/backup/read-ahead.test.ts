import { expect, it } from 'vitest'
import { readAhead } from './read-ahead.ts'

async function collect(source: AsyncGenerator<number>, until = Infinity): Promise<number[]> {
  const got: number[] = []
  for await (const item of source) {
    got.push(item)
    if (got.length >= until) break
  }
  return got
}

it('reads one item ahead, each once and in order', async () => {
  const read: number[] = []
  async function* source() {
    for (const item of [1, 2, 3]) {
      read.push(item)
      yield item
    }
  }
  const items = readAhead(source())
  expect([(await items.next()).value, read]).toEqual([1, [1, 2]])
  expect(await collect(items)).toEqual([2, 3])
})

it('throws where the source throws, after what came before, and closes a source that is left', async () => {
  const ends: string[] = []
  async function* source() {
    try {
      yield 1
      yield 2
      throw new Error('cut short')
    } finally {
      ends.push('closed')
    }
  }
  const items = readAhead(source())
  expect([(await items.next()).value, (await items.next()).value]).toEqual([1, 2])
  await expect(items.next()).rejects.toThrow('cut short')
  expect(await collect(readAhead(source()), 1)).toEqual([1])
  expect(ends).toEqual(['closed', 'closed'])
})
