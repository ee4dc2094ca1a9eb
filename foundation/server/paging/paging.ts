import { badRequest } from '#foundation/server/http/http-error.ts'
import { isUuid } from '#foundation/uuid.ts'

/**
 * Returns a page of rows, and the cursor of the next page. Ask the database for `limit + 1` rows in the order of the list: the extra row
 * shows that more follow. `placeOf` names the place of the last shown row in that order (`[time, id]`), after which the next page begins.
 */
export function pageFrom<Row, Item>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => readonly string[],
  show: (row: Row) => Item,
): { items: Item[]; next_cursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next_cursor = rows.length > limit && last !== undefined ? encode(placeOf(last)) : null
  return { items: shown.map(show), next_cursor }
}

/**
 * Returns the place that a cursor names; undefined without a cursor. Throws 400 `invalid`@cursor for a cursor of another form. A caller can
 * write any place into a cursor: give its parts to a query as values, and let `kinds` check the form of each.
 */
export function placeIn(
  cursor: string | undefined,
  kinds: readonly ((part: string) => boolean)[],
): readonly string[] | undefined {
  if (cursor === undefined) return undefined
  const place = decode(cursor)
  const ours = place?.length === kinds.length && kinds.every((is, index) => is(place[index] ?? ''))
  if (!place || !ours) throw badRequest('invalid', 'cursor')
  return place
}

/** Reads all pages of a list, and returns all its items. */
export async function everyItem<Item>(
  pageAfter: (cursor: string | undefined) => Promise<{ items: Item[]; next_cursor: string | null }>,
): Promise<Item[]> {
  const all: Item[] = []
  for (let cursor: string | undefined; ;) {
    const { items, next_cursor } = await pageAfter(cursor)
    all.push(...items)
    if (next_cursor === null) return all
    cursor = next_cursor
  }
}

/** Kinds of cursor parts: a value that passes can be cast in SQL without an error. */
export const placeKinds = {
  uuid: isUuid,
  /** A bigint of at most 18 digits. */
  number: (part: string) => /^-?\d{1,18}$/.test(part),
  /** A time as `Date.toISOString` writes it, of the years 1 to 9999: order lists by times of whole milliseconds. */
  time: (part: string) =>
    /^(?!0000)\d{4}-/.test(part) && !Number.isNaN(Date.parse(part)) && new Date(part).toISOString() === part,
  /** 2026-11-23, of the years 1 to 9999. */
  day: (part: string) => /^\d{4}-\d\d-\d\d$/.test(part) && placeKinds.time(`${part}T00:00:00.000Z`),
  text: (part: string) => part.length <= 300 && !part.includes('\0') && part.isWellFormed(),
}

const encode = (place: readonly string[]): string => Buffer.from(JSON.stringify(place)).toString('base64url')

function decode(cursor: string): string[] | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(place) && place.every((part) => typeof part === 'string') ? place : undefined
  } catch {
    return undefined
  }
}
