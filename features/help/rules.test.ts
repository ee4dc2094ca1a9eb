import { expect, it } from 'vitest'
import { languageOf, languageTyped, partsOf, wordsOf, writtenIn } from './rules.ts'

it('reads headings outside of code, and everything else as messages do', () => {
  const text = '## One\n\nText\n### Two\n```\n## no heading\n```\n#none'
  expect(
    partsOf(text, 'https://x.example').map((part) =>
      'heading' in part ? [part.level, part.heading] : 'blocks',
    ),
  ).toEqual([[2, 'One'], 'blocks', [3, 'Two'], 'blocks'])
})

// Seen red: addresses of own pages stood in the results of a search, and were words to be found.
it('leaves of a link its words alone, whether it leads out or to a page of this installation', () => {
  expect(wordsOf('## One\n\n**Two** [three](/four) [of](https://example.com/4)\n\n- five\n- six')).toBe(
    'One\n\nTwo three of\n\nfive\nsix',
  )
})

it('leads to this installation by a path, and nowhere by what only looks like one', () => {
  const text = '- [a](/b)\n- [c](//evil.example) [d](/\\evil.example) `[e](/f)`\n\n```\n[g](/h)\n```'
  const parts = JSON.stringify(partsOf(text, 'https://x.example'))
  expect(parts.match(/"href":"[^"]*"/g)).toEqual(['"href":"https://x.example/b"'])
  // Seen red: code about links was shown with an origin that nobody had typed.
  for (const typed of ['[c](//evil.example)', '[e](/f)', '[g](/h)']) expect(parts).toContain(typed)
})

it('shows another language where one was not written, and looks for Russian words in Russian', () => {
  const title = { en: '', de: 'Titel', ru: 'Имя' }
  expect([languageOf(title, 'en'), languageOf(title, 'ru')]).toEqual(['de', 'ru'])
  expect(writtenIn({ title, text: { en: 'Text', de: 'Text', ru: ' ' } })).toEqual(['de'])
  expect(languageTyped('как пополнить', 'en')).toBe('ru')
  expect(languageTyped('how to top up', 'ru')).toBe('en')
  expect(languageTyped('wie lade ich auf', 'de')).toBe('de')
})
