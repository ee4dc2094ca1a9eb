import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import {
  code,
  multilineText,
  opaqueText,
  pastedKey,
  requiredMultilineText,
  requiredText,
  text,
} from './fields.ts'

const codeOf = (schema: z.ZodMiniType, value: string) => z.safeParse(schema, value).error?.issues[0]?.message

it.each([
  'two\nlines',
  'two\r\nBcc: everybody@example.com',
  'tab\tbed',
  'bell\u0007',
  'c1\u0085',
  'turned\u202egpj.exe',
  'isolated\u2066x\u2069',
  'marked\u200fx',
  'arabic\u061cmark',
  'line\u2028x',
  'paragraph\u2029x',
])('rule 23: %j is no line of text', (value) => {
  expect(codeOf(text(100), value)).toBe('unprintable_characters')
  expect(codeOf(requiredText(100), value)).toBe('unprintable_characters')
  expect(codeOf(opaqueText(100), value), 'a password may hold it').toBeUndefined()
})

it.each([
  'O\u2019Brien',
  '\u05d3\u05df \u05db\u05d4\u05df',
  '\u0646\u06cc\u200c\u0645',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '  spaced  ',
  'Bu\u0308ro',
])('rule 23: %j is one', (value) => {
  expect(z.parse(text(100), value)).toBe(value.trim().normalize('NFC'))
  expect(z.parse(requiredText(100), value)).toBe(value.trim().normalize('NFC'))
})

it('rule 23: a multi-line message keeps its line breaks, tabs and direction marks as they were typed', () => {
  const message = 'two\nlines\twith \u202ea turn'
  expect(z.parse(multilineText(100), message)).toBe(message)
  expect(z.parse(requiredMultilineText(100), message)).toBe(message)
})

// Seen red: only blanks at the ends were taken away, so that a code pasted from a page or typed on some keyboards was wrong.
it.each([
  ['123456', '123456'],
  [' 123\u00a0456\n', '123456'],
  ['123\u2009456\u200b', '123456'],
  ['123-456', '123456'],
  ['123\u2011456\u00ad', '123456'],
  ['\uff11\uff12\uff13\uff14\uff15\uff16', '123456'],
  ['\u0661\u0662\u0663\u06f4\u06f5\u06f6', '123456'],
  ['\ufeffABCD\u2013EFGH', 'ABCDEFGH'],
  ['abcd\u2212ef\u2060gh', 'abcdefgh'],
])('rule 55, as in 10-password: the code %j is read as %j', (typed, plain) => {
  expect(z.parse(code(), typed)).toBe(plain)
})

it('rule 55: a key keeps its capitals and hyphens, and loses what pasting added', () => {
  expect(z.parse(pastedKey(), '\u00a0aB\u2011c_\r\n D\u200b-e\uff11 ')).toBe('aB-c_D-e1')
  for (const blank of ['', ' ', '\u200b\u00a0', '--'])
    expect([blank, codeOf(code(), blank)]).toEqual([blank, 'required'])
  expect(codeOf(code(), '1\u00002')).toBe('null_characters_not_allowed')
  expect(codeOf(pastedKey(3), 'abcd')).toBe('max_length')
})
