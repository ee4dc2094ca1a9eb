import type { Rule } from './tree.ts'

/** The first word of a comment that has a line of its own. */
const opening = /(?<=^|\n)[ \t]*\{?(?:\/\*\*?\s*(?:\*[ \t]*)?|\/\/ ?)(\w+)/g

const refused = new Set(
  'Of That Those What Whatever Where Whether Which Who Whoever Whom Whose Why'.split(' '),
)

/** The comments that have lines of their own: blocks, and lines that follow each other. */
const comment = /(?<=^|\n)[ \t]*\{?(?:\/\*\*?([\s\S]*?)\*\/|((?:\/\/[^\n]*(?:\n[ \t]*(?=\/\/))?)+))/g

/** The first word of a sentence that follows another sentence of the comment. */
const laterWord = /(?<=[.!?:;][ \n*/]+)([A-Z]\w+)/g

/** A comment and each of its sentences begin with their subject: after a relative clause, the reader would learn it only at the end. */
export const comments: Rule = ({ paths, read }) =>
  paths
    .filter((path) => /\.(tsx?|m?js|css)$/.test(path))
    .flatMap((path) => {
      const text = read(path)
      return [...wordsOf(text)].flatMap(([index, word, what]) => {
        if (!refused.has(word)) return []
        const line = text.slice(0, index).split('\n').length
        return [`${path}:${line} begins ${what} with ${word}: begin with the thing (The …, A …, True if …).`]
      })
    })

/** The words that begin a comment or a sentence of one, each with its place in the text. */
function* wordsOf(text: string): Iterable<[number, string, string]> {
  for (const { 1: word = '', index } of text.matchAll(opening))
    if (!goesOn(text.slice(0, index))) yield [index, word, 'a comment']
  for (const { 0: whole, index } of text.matchAll(comment))
    for (const { 1: word = '', index: place } of whole.matchAll(laterWord))
      yield [index + place, word, 'a sentence of a comment']
}

/** True if the line before is one of the same comment. */
const goesOn = (before: string): boolean => /(?:^|\n)[ \t]*\/\/[^\n]*\n$/.test(before)
