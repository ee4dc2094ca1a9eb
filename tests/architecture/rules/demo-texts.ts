import type { Tree } from './tree.ts'

export type Language = 'en' | 'de' | 'ru'
/** A text that people read, and where it stands. */
export type Text = { where: string; says: string }

/**
 * Returns the lines of the help's articles in a language, `=== de Title` and what follows it. The line below a title is left out: it holds
 * the keywords, which are what people type.
 */
export const helpIn = ({ paths, read }: Tree, language: Language): Text[] =>
  paths
    .filter((path) => /^app\/seed\/help\/.*\.md$/.test(path))
    .flatMap((path) => {
      let spoken = ''
      return read(path)
        .split('\n')
        .flatMap((line, index, lines) => {
          spoken = TITLE.exec(line)?.[1] ?? spoken
          if (spoken !== language || TITLE.test(lines[index - 1] ?? '')) return []
          return [{ where: `${path}:${index + 1}`, says: line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '…') }]
        })
    })

const TITLE = /^=== (en|de|ru) /

/** Returns the strings of the demo in German or Russian: its tickets, canned replies, editions. English ones look like code. */
export const seedIn = ({ paths, read }: Tree, language: Language): Text[] =>
  paths
    .filter((path) => /^app\/seed\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) =>
          stringsOf(line)
            .filter((text) => SPOKEN[language].test(text))
            .map((says) => ({ where: `${path}:${index + 1}`, says })),
        ),
    )

const stringsOf = (line: string): string[] =>
  /^\s*(?:\/\/|\/?\*)/.test(line)
    ? []
    : [...line.matchAll(/(?:de: )?(['"`])(?:(?!\1)[^\\]|\\.)*\1/g)].map(([text]) =>
        text.replaceAll(String.raw`\n`, ' '),
      )

const SPOKEN: Record<Language, RegExp> = {
  en: /(?!)/,
  de: /^de: |[äöüß]|(?<!\p{L})(?:der|das|und|ist|nicht|Sie|wir|ich|ein|eine|mit|für|im|auf|zu|von)(?!\p{L})/u,
  ru: /\p{Script=Cyrillic}/u,
}
