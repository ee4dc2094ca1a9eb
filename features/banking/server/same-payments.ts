import type { Tx } from '#foundation/server/database/transaction.ts'
import { isProbablySame } from '#features/banking/rules.ts'
import * as queries from './queries.ts'
import type { LineRow } from './queries.ts'
import type { StatementLine } from './statement.ts'

/**
 * Returns, by the id of a new payment, the id of the earlier payment that it probably repeats: a payment that is imported as CAMT and
 * again as CSV gets two keys. Each earlier payment is repeated once at most: if two payments look alike in the earlier statement and
 * three in the new one, the third is new. `all` are all payments of the statement, also those that are stored already.
 */
export async function samePayments(
  tx: Tx,
  fresh: readonly LineRow[],
  all: readonly StatementLine[],
): Promise<Map<string, string>> {
  if (fresh.length === 0) return new Map()
  const told = new Map(fresh.map((line) => [line.id, line]))
  const found = new Map<string, string>()
  const taken = new Set<string>()
  for (const earlier of await queries.alikeInOthers(tx, fresh, all)) {
    const line = told.get(earlier.given)
    if (!line || found.has(line.id) || taken.has(earlier.id) || !isProbablySame(line, earlier)) continue
    found.set(line.id, earlier.id)
    taken.add(earlier.id)
  }
  return found
}
