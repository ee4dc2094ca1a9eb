import { placeIn } from './paging.ts'

/** The place after which a page begins: the number of its part, and the place and the id of a row in the order of this part. */
export type PlaceInParts = { part: number; place: string; id: string }

/**
 * Reads a page of a list that consists of parts, one after the other, each in an order of its own: such as servers by their end, and then
 * those without an end. One order of both would be read along no index. Each row says its part, for the cursor.
 */
export async function pageInParts<Part, Row>(
  parts: readonly Part[],
  { after, limit }: { after?: PlaceInParts | undefined; limit: number },
  read: (part: Part, page: { after: PlaceInParts | undefined; limit: number }) => Promise<readonly Row[]>,
): Promise<(Row & { part: number })[]> {
  const rows: (Row & { part: number })[] = []
  for (const [nth, part] of parts.entries()) {
    if (rows.length >= limit) break
    if (nth < (after?.part ?? 0)) continue
    const page = { after: nth === after?.part ? after : undefined, limit: limit - rows.length }
    rows.push(...(await read(part, page)).map((row) => ({ ...row, part: nth })))
  }
  return rows
}

/**
 * Returns the place that a cursor `[order, part, place, id]` names; undefined without a cursor. A cursor holds the order of its list, since a
 * place means nothing in another. All places of the list are of one kind: a caller can write any of them beside any part.
 */
export function placeInParts(
  cursor: string | undefined,
  order: string,
  isPlace: (part: string) => boolean,
  isId: (part: string) => boolean,
): PlaceInParts | undefined {
  const [, part, place, id] =
    placeIn(cursor, [(text) => text === order, (text) => /^\d$/.test(text), isPlace, isId]) ?? []
  if (part === undefined || place === undefined || id === undefined) return undefined
  return { part: Number(part), place, id }
}
