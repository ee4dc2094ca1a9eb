import type { App } from '#foundation/server/app.ts'
import { remembered } from '#foundation/server/remembered.ts'
import { frequentParts, type FrequentPart } from './queries.ts'

type Db = App['db']
type Parts = ReadonlyMap<string, FrequentPart>

/** The time for which the counts are kept here: PostgreSQL itself counts anew only every few hours or days. */
const TRUSTED_MS = 10 * 60_000

const knownParts = remembered(TRUSTED_MS, frequentParts)

type Known = FrequentPart & { part: string; place: number }

/** The most parts that a search asks the index for: enough to tell names apart that have one part in common. */
const RAREST = 3

/**
 * Estimates how many names contain this text, from PostgreSQL's last count of its parts of three letters. `expected` supposes that
 * the parts are independent; a name that many people share exceeds it by far. It is 0 if a part is not among the most frequent.
 * `rarest` are the parts that the fewest names have, without parts that overlap.
 */
export async function countNamesWith(db: Db, text: string): Promise<{ expected: number; rarest: string[] }> {
  const known = await knownParts.get(db)
  const letters = [...text.toLowerCase()]
  if (letters.length === 0) return { expected: Infinity, rarest: [] }
  const size = Math.min(3, letters.length)
  const parts = letters.slice(size - 1).map((_, place): Known => {
    const part = letters.slice(place, place + size).join('')
    return { part, place, names: 0, share: 0, ...known.get(part) }
  })
  const most = Math.min(...parts.map(({ names }) => names))
  // Overlapping parts depend on each other, so only parts that do not overlap are multiplied.
  const share = parts.reduce((all, part) => (part.place % size === 0 ? all * part.share : all), 1)
  return { expected: Math.min(most, share * allNames(known)), rarest: rarestOf(parts, size) }
}

/**
 * Returns the parts that the fewest names have, without overlaps: the second of two overlapping parts would exclude hardly any more names.
 */
function rarestOf(parts: readonly Known[], size: number): string[] {
  const chosen: Known[] = []
  for (const part of parts.toSorted((one, other) => one.names - other.names))
    if (chosen.every(({ place }) => Math.abs(place - part.place) >= size)) chosen.push(part)
  return chosen.slice(0, RAREST).map(({ part }) => part)
}

/** Returns the number of all names, from the count and the share of any one part. */
function allNames(parts: Parts): number {
  const [first] = parts.values()
  return first ? first.names / first.share : 0
}
