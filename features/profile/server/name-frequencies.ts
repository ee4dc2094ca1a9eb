import type { App } from '#foundation/server/app.ts'
import { remembered } from '#foundation/server/remembered.ts'
import { frequentParts, type FrequentPart } from './queries.ts'

type Db = App['db']
type Parts = ReadonlyMap<string, FrequentPart>

/** PostgreSQL counts them anew hours or days apart. */
const TRUSTED_MS = 10 * 60_000

const knownParts = remembered(TRUSTED_MS, frequentParts)

type Known = FrequentPart & { part: string; place: number }

/** Enough to tell names apart that have one of them in common. */
const RAREST = 3

/**
 * How many names contain this text, by its parts of three letters, as PostgreSQL counted them last: `expected` if each had come to the
 * names by itself, which names that many share exceed by far. It is 0 where a part is not among those that most have. `rarest` are
 * parts beside each other that the fewest names have.
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
  // Parts that overlap depend on each other.
  const share = parts.reduce((all, part) => (part.place % size === 0 ? all * part.share : all), 1)
  return { expected: Math.min(most, share * allNames(known)), rarest: rarestOf(parts, size) }
}

/** The parts that the fewest names have, none over another: the second of two that overlap says nothing that the first does not. */
function rarestOf(parts: readonly Known[], size: number): string[] {
  const chosen: Known[] = []
  for (const part of parts.toSorted((one, other) => one.names - other.names))
    if (chosen.every(({ place }) => Math.abs(place - part.place) >= size)) chosen.push(part)
  return chosen.slice(0, RAREST).map(({ part }) => part)
}

/** Each part tells it: its names are its share of all. */
function allNames(parts: Parts): number {
  const [first] = parts.values()
  return first ? first.names / first.share : 0
}
