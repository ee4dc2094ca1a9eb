import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { mutate } from '#tests/mutants/broken-copy.ts'
import { mutants } from '#tests/mutants/list.ts'

it('each line that npm run mutants breaks is there exactly once, and so are its tests', () => {
  for (const mutant of mutants) {
    const text = readFileSync(mutant.file, 'utf8')
    expect(mutate(text, mutant), mutant.why).not.toBe(text)
    expect(
      mutant.tests.filter((file) => !existsSync(file)),
      mutant.file,
    ).toEqual([])
  }
})

it('a place that is gone, or there twice, is refused', () => {
  const change = { file: 'a.ts', find: 'if (late)', replace: '' }
  expect(mutate('x\nif (late) go()', change)).toBe('x\n go()')
  expect(() => mutate('nothing', change)).toThrow('a.ts must have exactly once: if (late)')
  expect(() => mutate('if (late) if (late)', change)).toThrow('exactly once')
})
