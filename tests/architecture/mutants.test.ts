import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { mutate } from '#tests/mutants/broken-copy.ts'
import { mutants } from '#tests/mutants/list.ts'

it('each line that npm run mutants breaks occurs exactly once in its file, and its test files exist', () => {
  for (const mutant of mutants) {
    const text = readFileSync(mutant.file, 'utf8')
    expect(mutate(text, mutant), mutant.why).not.toBe(text)
    expect(
      mutant.tests.filter((file) => !existsSync(file)),
      mutant.file,
    ).toEqual([])
  }
})

it('a mutant whose text to replace is missing from the file, or occurs twice, is refused', () => {
  const change = { file: 'a.ts', find: 'if (late)', replace: '' }
  expect(mutate('x\nif (late) go()', change)).toBe('x\n go()')
  expect(() => mutate('nothing', change)).toThrow('a.ts must have exactly once: if (late)')
  expect(() => mutate('if (late) if (late)', change)).toThrow('exactly once')
})
