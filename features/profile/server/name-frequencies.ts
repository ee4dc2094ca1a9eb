import type { App } from '#foundation/server/app.ts'
import { remembered } from '#foundation/server/remembered.ts'
import { frequentParts, type FrequentPart } from './queries.ts'

type Db = App['db']
type Parts = ReadonlyMap<string, FrequentPart>

/** PostgreSQL counts them anew hours or days apart. */
const TRUSTED_MS = 10 * 60_000

const knownParts = remembered(TRUSTED_MS, frequentParts)

/**
 * How many names contain this text, by its parts of three letters, as PostgreSQL counted them last: `most` as many as have the rarest of
 * them, and `expected` if each had come to the names by itself, which names that many share exceed by far. Both are 0 where a part is
 * not among those that most have.
 */
export async function countNamesWith(db: Db, text: string): Promise<{ expected: number; most: number }> {
  const parts = await knownParts.get(db)
  const letters = [...text.toLowerCase()]
  if (letters.length === 0) return { expected: Infinity, most: Infinity }
  const size = Math.min(3, letters.length)
  let most = Infinity
  let share = 1
  for (let place = 0; place + size <= letters.length; place += 1) {
    const part = parts.get(letters.slice(place, place + size).join(''))
    most = Math.min(most, part?.names ?? 0)
    // Parts that overlap depend on each other.
    if (place % size === 0) share *= part?.share ?? 0
  }
  return { expected: Math.min(most, share * allNames(parts)), most }
}

/** Each part tells it: its names are its share of all. */
function allNames(parts: Parts): number {
  const [first] = parts.values()
  return first ? first.names / first.share : 0
}
