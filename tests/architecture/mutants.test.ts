import { existsSync, globSync, readFileSync } from 'node:fs'
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

// Such a mutant would say "no test notices" of a line that no database has any more.
it('no mutant breaks a function or a policy that a later migration writes anew', () => {
  const files = globSync('database/{baseline,migrations}/*.sql').toSorted()
  const broken = mutants.filter(({ file }) => files.includes(file))
  expect(broken.length).toBeGreaterThan(10)
  for (const { file, find, why } of broken) {
    const text = readFileSync(file, 'utf8')
    const statement = text
      .slice(0, text.indexOf(find) + find.length)
      .split(/^(?=create )/m)
      .at(-1)
    const named = /^create (?:or replace )?((?:function|policy) \w+)/.exec(statement ?? '')?.[1]
    if (named === undefined) continue
    const later = files.slice(files.indexOf(file) + 1)
    const anew = later.filter((one) => new RegExp(`\\b${named}\\b`).test(readFileSync(one, 'utf8')))
    expect(anew, `${file}: ${why}`).toEqual([])
  }
})

it('a mutant whose text to replace is missing from the file, or occurs twice, is refused', () => {
  const change = { file: 'a.ts', find: 'if (late)', replace: '' }
  expect(mutate('x\nif (late) go()', change)).toBe('x\n go()')
  expect(() => mutate('nothing', change)).toThrow('a.ts must have exactly once: if (late)')
  expect(() => mutate('if (late) if (late)', change)).toThrow('exactly once')
})
