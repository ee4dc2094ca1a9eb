import { expect, it } from 'vitest'
import { buildProgram, type Given } from './program.ts'
import { typedWords } from './typed-words.ts'

const withdraw = async (...words: string[]): Promise<Given | undefined> => {
  let given: Given | undefined
  const program = buildProgram({
    execute: (_, its) => {
      given = its
      return Promise.resolve()
    },
    start: () => Promise.resolve(),
  })
  await program.parseAsync(typedWords(['licence', 'withdraw-key', ...words]), { from: 'user' })
  return given
}

// Failed for one key in 64 while commander read an id that begins with a hyphen as an option.
it.each(['-', '-h', '-V', '--'])('takes the id of a key that begins with %s', async (beginning) => {
  const id = beginning.padEnd(43, 'x')
  expect(await withdraw(id)).toMatchObject({ parameters: [id] })
  expect(await withdraw(id, '--json')).toMatchObject({ parameters: [id] })
})

it('leaves an id without a leading hyphen, and the words of other commands, unchanged', async () => {
  const id = 'x'.repeat(43)
  expect(await withdraw(id)).toMatchObject({ parameters: [id] })
  expect(typedWords(['plan', 'add', '--json', '-h'])).toEqual(['plan', 'add', '--json', '-h'])
})
