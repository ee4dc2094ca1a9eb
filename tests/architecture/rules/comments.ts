import type { Rule } from './tree.ts'

/** The first word of a comment that has a line of its own. */
const firstWord = /(?<=^|\n)[ \t]*\{?(?:\/\*\*?\s*(?:\*[ \t]*)?|\/\/ ?)(\w+)/g

const refused = new Set(
  'Of That Those What Whatever Where Whether Which Who Whoever Whom Whose Why'.split(' '),
)

/** A comment begins with the thing it speaks of: a reader of a relative clause learns only at its end what it is about. */
export const comments: Rule = ({ paths, read }) =>
  paths
    .filter((path) => /\.(tsx?|m?js|css)$/.test(path))
    .flatMap((path) => {
      const text = read(path)
      return [...text.matchAll(firstWord)].flatMap(({ 1: word = '', index }) => {
        const before = text.slice(0, index)
        if (!refused.has(word) || goesOn(before)) return []
        const line = before.split('\n').length
        return [
          `${path}:${line} begins a comment with ${word}: begin with the thing (The …, A …, True if …).`,
        ]
      })
    })

/** True if the line before is one of the same comment. */
const goesOn = (before: string): boolean => /(?:^|\n)[ \t]*\/\/[^\n]*\n$/.test(before)
