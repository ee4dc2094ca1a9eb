import { helpIn, seedIn, type Language, type Text } from './demo-texts.ts'
import type { Rule, Tree } from './tree.ts'

const GLOSSARY = 'docs/words.md'
const languages = ['en', 'de', 'ru'] as const satisfies Language[]
type Row = { terms: Record<Language, string[]>; not: Partial<Record<Language, string[]>> }

/** A thing has one word in each language: no text says a word that the glossary refuses, and some text says each word that it gives. */
export const glossary: Rule = (tree) => {
  if (!tree.paths.includes(GLOSSARY)) return []
  const rows = rowsOf(tree.read(GLOSSARY))
  return languages.flatMap((language) => {
    const shown = shownIn(tree, language)
    const all = [...shown, ...helpIn(tree, language), ...seedIn(tree, language)]
    if (language === 'en') all.push(...writtenIn(tree))
    const everything = shown.map(({ says }) => says.toLowerCase()).join('\n')
    return rows.flatMap(({ terms, not }) => [
      ...(not[language] ?? []).map(patternOf).flatMap((word) =>
        all.flatMap(({ where, says }) => {
          const found = word.exec(says)?.[0]
          return found ? [`${where} says ${found}: write ${terms[language].join(', ')} (${GLOSSARY}).`] : []
        }),
      ),
      ...terms[language]
        .filter((term) => !everything.includes(term.toLowerCase()))
        .map((term) => `${GLOSSARY}: no text in ${language} says ${term}.`),
    ])
  })
}

/** Returns the rows of the tables: the terms in three languages, and the words not to use, as in `de: Firma · ru: фирма`. */
function rowsOf(markdown: string): Row[] {
  return markdown
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 7 && cells[2] !== 'English' && cells[2] !== '---')
    .map(([, , en = '', de = '', ru = '', not = '']) => ({
      terms: { en: wordsIn(en), de: wordsIn(de), ru: wordsIn(ru) },
      not: Object.fromEntries(
        not.split(' · ').map((part) => [part.slice(0, 2), wordsIn(part.slice('de: '.length))]),
      ),
    }))
}

const wordsIn = (cell: string): string[] => cell.split(', ').filter(Boolean)

/** Matches the word in a text, not a part of a longer word; `*` stands for the rest of one, and a blank for one that does not break, too. */
function patternOf(word: string): RegExp {
  const escaped = word
    .replaceAll(/[.?+()]/g, String.raw`\$&`)
    .replaceAll('*', String.raw`[\p{L}\d-]*`)
    .replaceAll(' ', String.raw`\s`)
  return new RegExp(String.raw`(?<![\p{L}\d-])${escaped}(?![\p{L}\d]|-\p{L})`, 'iu')
}

/** Returns what people read in a language, in pages, mails and documents. */
const shownIn = ({ paths, read }: Tree, language: Language): Text[] =>
  paths
    .filter((path) => path.endsWith(`/messages/${language}.json`))
    .flatMap((path) =>
      Object.entries(JSON.parse(read(path)) as Record<string, unknown>).map(([key, text]) => ({
        where: `${path}: ${key}`,
        says: (typeof text === 'string' ? text : JSON.stringify(text)).replaceAll(/\{\w+\}/g, '…'),
      })),
    )

/** Returns what is written in English alone: contracts, commands and docs, without code and the targets of links. */
const writtenIn = ({ paths, read }: Tree): Text[] =>
  paths
    .filter((path) =>
      /^features\/.*contract\.ts$|^app\/cli\/(?!.*\.test)|^README\.md$|^docs\/.*\.md$/.test(path),
    )
    .filter((path) => path !== GLOSSARY)
    .flatMap((path) =>
      read(path)
        .replaceAll(/```[\s\S]*?```/g, (code) => code.replaceAll(/[^\n]/g, ''))
        .split('\n')
        .map((line, index) => ({
          where: `${path}:${index + 1}`,
          says: path.endsWith('.md') ? line.replaceAll(/`[^`]*`|\]\([^)]*\)|https?:\S+/g, '…') : line,
        })),
    )
