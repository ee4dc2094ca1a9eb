import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { compileTexts } from './compile-texts.ts'

const roots: string[] = []

function checkout(): string {
  const root = mkdtempSync(join(tmpdir(), 'texts-'))
  roots.push(root)
  return root
}

function write(root: string, file: string, content: object): void {
  mkdirSync(join(root, file, '..'), { recursive: true })
  writeFileSync(join(root, file), JSON.stringify(content))
}

type Message = (inputs: object, options: { locale: string }) => string
const load = async (root: string) =>
  (
    (await import(pathToFileURL(join(root, '.generated/texts/messages.js')).href)) as {
      m: Record<string, Message>
    }
  ).m

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

it('G-01 has three plural forms in Russian, and prints numbers as each language does', async () => {
  const root = checkout()
  write(root, 'foundation/messages/en.json', {
    x_days: { one: '{count} day by {name}', other: '{count} days by {name}' },
  })
  const ru = { one: '{count} день', few: '{count} дня', many: '{count} дней', other: '{count} дня' }
  write(root, 'foundation/messages/ru.json', { x_days: ru })
  compileTexts(root)
  const m = await load(root)
  const inRussian = (count: number) => m['x_days']?.({ count }, { locale: 'ru' })
  expect([1, 3, 5, 11, 21, 22].map(inRussian)).toEqual([
    '1 день',
    '3 дня',
    '5 дней',
    '11 дней',
    '21 день',
    '22 дня',
  ])
  const days = (count: number, locale: string) => m['x_days']?.({ count, name: 'Anna' }, { locale })
  expect([days(1, 'en'), days(1234, 'en')]).toEqual(['1 day by Anna', '1,234 days by Anna'])
  expect(days(1, 'de'), 'English stands in, with its own plural').toBe('1 day by Anna')
  const types = readFileSync(join(root, '.generated/texts/messages/_index.d.ts'), 'utf8')
  expect(types).toContain('x_days: (inputs: { count: number; name: string | number }')
})

it.each([
  ['a form too few', 'ru', { one: '{count} день', other: '{count} дня' }, /few, many/],
  ['a form too many', 'en', { one: '{count} day', few: '{count} days', other: '{count} days' }, /one, other/],
  ['no number', 'en', { one: 'a day', other: 'days' }, /\{count\}/],
])('refuses a plural with %s', (_, locale, forms, says) => {
  const root = checkout()
  write(root, 'foundation/messages/en.json', { x_days: 'Days' })
  write(root, `foundation/messages/${locale}.json`, { x_days: forms })
  expect(() => compileTexts(root)).toThrow(says)
})

it('G-01 fills names in and falls back to English', async () => {
  const root = checkout()
  write(root, 'foundation/messages/en.json', { x_hello: 'Hello {name}', x_only: 'Only here' })
  write(root, 'features/some/messages/en.json', { some_bye: 'Bye' })
  write(root, 'foundation/messages/de.json', { x_hello: 'Hallo {name}' })
  compileTexts(root)
  const m = await load(root)
  expect(m['x_hello']?.({ name: '{name} $&' }, { locale: 'de' })).toBe('Hallo {name} $&')
  expect(m['x_only']?.({}, { locale: 'de' })).toBe('Only here')
  expect(m['some_bye']?.({}, { locale: 'ru' })).toBe('Bye')
})

it('compiles again only when a text has changed', () => {
  const root = checkout()
  write(root, 'foundation/messages/en.json', { x_one: 'One' })
  expect(compileTexts(root)).toBe(true)
  expect(compileTexts(root)).toBe(false)
  write(root, 'foundation/messages/en.json', { x_one: 'Two' })
  expect(compileTexts(root)).toBe(true)
})
