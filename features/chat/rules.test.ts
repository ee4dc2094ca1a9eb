import { expect, it } from 'vitest'
import { excerptOf } from './rules.ts'

it.each([
  ['Hello', 'Hello'],
  ['**Done.** See [the guide](https://example.com/x)', 'Done. See the guide'],
  ['> you said\n\n# Title\nwords', 'you said\nTitle\nwords'],
  ['1\n2\n3\n4\n5\n6\n7', '1\n2\n3\n4\n5\n6 …'],
  ['x'.repeat(600), `${'x'.repeat(500)} …`],
  ['😀'.repeat(501), `${'😀'.repeat(500)} …`],
])('a mail shows the first lines without marks: %s', (text, shown) => {
  expect(excerptOf(text)).toBe(shown)
})

it.each([
  'Your password is `hunter2-hunter2`.',
  'Use this:\n```\nhunter2-hunter2\n```\nBye',
  'Use this:\n```sh\nhunter2-hunter2',
  'Use this:\n~~~\nhunter2-hunter2\n~~~',
  '``hunter2-hunter2``',
])('what is written as code, as keys and passwords are, goes into no mail: %j', (text) => {
  expect(excerptOf(text)).not.toContain('hunter2')
  expect(excerptOf(text)).toContain('[…]')
})
