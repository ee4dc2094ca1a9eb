import type { Tx } from '#foundation/server/database/transaction.ts'
import { isProbablySame } from '#features/banking/rules.ts'
import { updateLine, type LineRow } from './queries.ts'
import { alikeInOthers, wholesInParts } from './stored-queries.ts'

/**
 * Returns, by the id of a new payment, the id of the earlier payment that it probably repeats: a payment that is imported as CAMT and
 * again as CSV looks different. Each earlier payment is repeated once at most: if two payments look alike in the earlier statement and
 * three in the new one, the third is new. `apart` are the stored payments that none of these repeats: those that the
 * statement has too, and those of its other pages.
 */
export async function samePayments(
  tx: Tx,
  fresh: readonly LineRow[],
  apart: readonly string[],
): Promise<Map<string, string>> {
  if (fresh.length === 0) return new Map()
  const found = await sameInParts(tx, fresh)
  const earlier = Map.groupBy(await alikeInOthers(tx, fresh, apart), dayAndAmountOf)
  for (const line of fresh) {
    const left = earlier.get(dayAndAmountOf(line)) ?? []
    const place = found.has(line.id)
      ? -1
      : left.slice(0, MOST_COMPARED).findIndex((one) => isProbablySame(line, one))
    for (const { id } of place < 0 ? [] : left.splice(place, 1)) found.set(line.id, id)
  }
  return found
}

/** The most payments of its day and amount with which a payment is compared: two files of thousands alike would take minutes. */
const MOST_COMPARED = 1_000

const dayAndAmountOf = ({ booked_on, amount }: Pick<LineRow, 'booked_on' | 'amount'>): string =>
  `${booked_on} ${amount}`

/**
 * Returns the new payments that repeat a batch: the whole, if its parts are stored, and the parts, if the whole was dealt with. A whole that
 * is still open makes place for its parts, and says so.
 */
async function sameInParts(tx: Tx, fresh: readonly LineRow[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const isNew = new Set(fresh.map(({ id }) => id))
  for (const { whole, part, state } of await wholesInParts(tx, fresh)) {
    if (isNew.has(whole)) found.set(whole, part)
    else if (state !== 'open') found.set(part, whole)
    else await updateLine(tx, whole, { match: 'ambiguous', cause: 'came_in_parts', same_as: part })
  }
  return found
}
