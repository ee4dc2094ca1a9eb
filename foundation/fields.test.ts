import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { multilineText, opaqueText, requiredMultilineText, requiredText, text } from './fields.ts'

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
