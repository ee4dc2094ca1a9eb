import { expect, it, vi } from 'vitest'
import { waitFor, watch } from './wait-for.ts'

it('rule 50: says every few seconds what it waits for, and gives up after a limit with one line', async () => {
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  await expect(
    waitFor('somebody else', { limit_s: 1.5, word_s: 0.5, say }, async () => false),
  ).rejects.toMatchObject({
    lines: [expect.stringMatching(/^Gave up after \d s: somebody else\. Start again/)],
  })
  expect(said.length).toBeGreaterThan(1)
  expect(said[0]).toMatch(/^waiting for \d s now: somebody else$/)
})

it('says nothing about what comes at once', async () => {
  const said: string[] = []
  let tries = 0
  await waitFor('a moment', { say: (line) => void said.push(line) }, async () => ++tries > 2)
  expect(said).toEqual([])
})

it('goes on the moment that watched work is done: a first start makes dozens of indices, one after the other', async () => {
  vi.useFakeTimers()
  try {
    for (let index = 0; index < 50; index += 1)
      await expect(watch(Promise.resolve(), 'an index', {})).resolves.toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})

it('fails with the error of the watched work', async () => {
  await expect(watch(Promise.reject(new Error('no space')), 'an index', {})).rejects.toThrow('no space')
})
