import type { App } from '#foundation/server/app.ts'
import { remembered } from '#foundation/server/remembered.ts'
import { frequentParts, type FrequentPart } from './queries.ts'
import { searchWords } from '#foundation/search-text.ts'

type Db = App['db']
type Parts = ReadonlyMap<string, FrequentPart>

/** The time for which the counts are kept here: PostgreSQL itself counts anew only every few hours or days. */
const TRUSTED_MS = 10 * 60_000

const knownParts = remembered(TRUSTED_MS, frequentParts, (db) => db)

/** `isFirst` is true for the parts of a word that do not overlap with each other; words have places far apart. */
type Known = FrequentPart & { part: string; place: number; isFirst: boolean }

/** The most parts that a search asks the index for: enough to tell names apart that have one part in common. */
const RAREST = 3

/**
 * Estimates how many names contain this text, from PostgreSQL's last count of its parts of three letters. `expected` supposes that
 * the parts are independent; a name that many people share exceeds it by far. It is 0 if a part is not among the most frequent.
 * `rarest` are the parts that the fewest names have, without parts that overlap.
 */
export async function countNamesWith(db: Db, text: string): Promise<{ expected: number; rarest: string[] }> {
  const known = await knownParts.get(db)
  const words = searchWords(text)
  if (words.length === 0) return { expected: Infinity, rarest: [] }
  const parts = words.flatMap((word, index) =>
    partsOf(word).map((part, place): Known => {
      const size = [...part].length
      return {
        part,
        place: index * 1000 + place,
        isFirst: place % size === 0,
        names: 0,
        share: 0,
        ...countOf(part, known),
      }
    }),
  )
  const most = Math.min(...parts.map(({ names }) => names))
  // Overlapping parts depend on each other, so only parts that do not overlap are multiplied.
  const share = parts.reduce((all, part) => (part.isFirst ? all * part.share : all), 1)
  return { expected: Math.min(most, share * allNames(known)), rarest: rarestOf(parts) }
}

/** Returns the count of a part. A part of one or two letters begins counted ones, at most as many names have it as those together. */
function countOf(part: string, known: Parts): FrequentPart | undefined {
  if ([...part].length === 3) return known.get(part)
  const begun = [...known].flatMap(([longer, count]) => (longer.startsWith(part) ? [count] : []))
  if (begun.length === 0) return undefined
  const sum = (of: keyof FrequentPart) => begun.reduce((all, count) => all + count[of], 0)
  const most = allNames(known)
  return { share: Math.min(1, sum('share')), names: Math.min(most, sum('names')) }
}

/**
 * Returns the parts that the fewest names have, without overlaps: the second of two overlapping parts would exclude hardly any more names.
 */
function rarestOf(parts: readonly Known[]): string[] {
  const chosen: Known[] = []
  for (const part of parts.toSorted((one, other) => one.names - other.names))
    if (chosen.every(({ place }) => Math.abs(place - part.place) >= 3)) chosen.push(part)
  return chosen.slice(0, RAREST).map(({ part }) => part)
}

function partsOf(word: string): string[] {
  const letters = [...word]
  const size = Math.min(3, letters.length)
  return letters.slice(size - 1).map((_, place) => letters.slice(place, place + size).join(''))
}

/** Returns the number of all names, from the count and the share of any one part. */
function allNames(parts: Parts): number {
  const [first] = parts.values()
  return first ? first.names / first.share : 0
}
