import type { Tx } from '#foundation/server/database/transaction.ts'
import { isProbablySame } from '#features/banking/rules.ts'
import * as queries from './queries.ts'
import type { LineRow } from './queries.ts'
import type { StatementLine } from './statement.ts'

/**
 * Finds for new payments the earlier ones that they probably repeat: imported as CAMT and again as CSV, a payment has another key. Each earlier
 * one is repeated once at most, so of three alike in one statement and two in the other the third is new. `all` are the payments
 * of the statement, also those that were known.
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
