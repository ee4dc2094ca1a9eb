import type { App } from '#foundation/server/app.ts'
import { remembered } from '#foundation/server/remembered.ts'
import { frequentParts, type FrequentPart } from './queries.ts'

type Db = App['db']
type Parts = ReadonlyMap<string, FrequentPart>

/** PostgreSQL counts them anew hours or days apart. */
const TRUSTED_MS = 10 * 60_000

const knownParts = remembered(TRUSTED_MS, frequentParts)

/** Enough to tell names apart that have one of them in common. */
const RAREST = 3

/**
 * How many names contain this text, by its parts of three letters, as PostgreSQL counted them last: `most` as many as have the rarest of
 * them, and `expected` if each had come to the names by itself, which names that many share exceed by far. Both are 0 where a part is
 * not among those that most have. `rarest` are the parts that the fewest names have.
 */
export async function countNamesWith(
  db: Db,
  text: string,
): Promise<{ expected: number; most: number; rarest: string[] }> {
  const known = await knownParts.get(db)
  const letters = [...text.toLowerCase()]
  if (letters.length === 0) return { expected: Infinity, most: Infinity, rarest: [] }
  const size = Math.min(3, letters.length)
  const names = new Map<string, number>()
  let share = 1
  for (let place = 0; place + size <= letters.length; place += 1) {
    const part = letters.slice(place, place + size).join('')
    names.set(part, known.get(part)?.names ?? 0)
    // Parts that overlap depend on each other.
    if (place % size === 0) share *= known.get(part)?.share ?? 0
  }
  const most = Math.min(...names.values())
  const byRarity = [...names].toSorted(([, one], [, other]) => one - other).map(([part]) => part)
  return { expected: Math.min(most, share * allNames(known)), most, rarest: byRarity.slice(0, RAREST) }
}

/** Each part tells it: its names are its share of all. */
function allNames(parts: Parts): number {
  const [first] = parts.values()
  return first ? first.names / first.share : 0
}
