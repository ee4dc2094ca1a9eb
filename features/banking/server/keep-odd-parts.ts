import { createHash } from 'node:crypto'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { cut } from './bank-text.ts'
import { insertOddParts } from './odd-queries.ts'
import type { OddPart } from './statement.ts'

/** The most characters that are kept of a part; the whole is in the file, which is kept too. */
const MOST_SHOWN = 1_000

/**
 * Puts the odd parts of a file on the list for staff, and returns how many are new. An entry or a row is known again by all that it says and
 * its count within the file (rule 53); a statement or a file within a ZIP is one of its own in each file.
 */
export async function keepOddParts(
  tx: Tx,
  odd: readonly OddPart[],
  file: { sha256: Buffer; name: string },
): Promise<number> {
  const counts = new Map<string, number>()
  const rows = odd.map((part) => {
    const isPayment = part.kind === 'entry' || part.kind === 'row'
    const said = JSON.stringify([
      part.kind,
      part.shown,
      ...(isPayment ? [] : [file.sha256.toString('hex'), part.source]),
    ])
    const nth = (counts.get(said) ?? 0) + 1
    counts.set(said, nth)
    return {
      kind: part.kind,
      reason: part.reason,
      source: cut(part.source, 200),
      place: part.place,
      shown: cut(part.shown, MOST_SHOWN),
      key: createHash('sha256').update(`${said} ${nth}`).digest(),
      sha256: file.sha256,
      file_name: cut(file.name, 200),
    }
  })
  return insertOddParts(tx, rows)
}
