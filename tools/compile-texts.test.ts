import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { compileTexts } from './compile-texts.ts'

const roots: string[] = []

function checkout(): string {
  const root = mkdtempSync(join(tmpdir(), 'texts-'))
  roots.push(root)
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'))
  write(root, 'project.inlang/settings.json', { baseLocale: 'en', locales: ['en', 'de', 'ru'], modules: [] })
  return root
}

function write(root: string, file: string, content: object): void {
  mkdirSync(join(root, file, '..'), { recursive: true })
  writeFileSync(join(root, file), JSON.stringify(content))
}

const days = (match: Record<string, string>) => [
  {
    declarations: ['input count', 'local countPlural = count: plural'],
    selectors: ['countPlural'],
    match: Object.fromEntries(Object.entries(match).map(([form, text]) => [`countPlural=${form}`, text])),
  },
]

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

it(
  'G-01 has three plural forms in Russian, in plain Node as in the browser',
  { timeout: 30_000 },
  async () => {
    const root = checkout()
    write(root, 'foundation/messages/en.json', {
      x_days: days({ one: '{count} day', other: '{count} days' }),
    })
    const ru = { one: '{count} день', few: '{count} дня', many: '{count} дней', other: '{count} дня' }
    write(root, 'foundation/messages/ru.json', { x_days: days(ru) })
    await compileTexts(root)
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
    expect(m['x_days']?.({ count: 1 }, { locale: 'en' })).toBe('1 day')
  },
)

it('G-01 fills names in and falls back to English', async () => {
  const root = checkout()
  write(root, 'foundation/messages/en.json', { x_hello: 'Hello {name}', x_only: 'Only here' })
  write(root, 'features/some/messages/en.json', { some_bye: 'Bye' })
  write(root, 'foundation/messages/de.json', { x_hello: 'Hallo {name}' })
  await compileTexts(root)
  const m = await load(root)
  expect(m['x_hello']?.({ name: '{name} $&' }, { locale: 'de' })).toBe('Hallo {name} $&')
  expect(m['x_only']?.({}, { locale: 'de' })).toBe('Only here')
  expect(m['some_bye']?.({}, { locale: 'ru' })).toBe('Bye')
})

it('compiles again only when a text has changed', async () => {
  const root = checkout()
  write(root, 'foundation/messages/en.json', { x_one: 'One' })
  expect(await compileTexts(root)).toBe(true)
  expect(await compileTexts(root)).toBe(false)
  write(root, 'foundation/messages/en.json', { x_one: 'Two' })
  expect(await compileTexts(root)).toBe(true)
})
