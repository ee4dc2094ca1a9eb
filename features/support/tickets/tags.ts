/** The tags of tickets. They are apart from rules.ts, because the frame of all pages loads the contracts. */

/** A ticket has at most `each` tags, all tickets together `all`; a tag has at most `length` code points. */
export const tagLimits = { each: 10, all: 500, length: 40 } as const

/**
 * Returns a tag as it is kept, whatever the way it was typed: without `#` and blanks around it, its letters small, and one blank where there
 * were several. Undefined if nothing is left.
 */
export function tagOf(typed: string): string | undefined {
  const tag = typed
    .normalize('NFKC')
    .replaceAll(/\s+/gu, ' ')
    .replace(/^[\s#]+/u, '')
    .trim()
    .toLowerCase()
  return tag === '' ? undefined : tag
}

/** Returns the tags after a change, in the order in which they were added. A tag that is taken away and added stays. */
export const tagsAfter = (
  tags: readonly string[],
  { add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] },
): string[] => [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])]
