import type { Tx } from '#foundation/server/database/transaction.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import type { BankImport } from '#features/banking/contract.ts'
import { matchLines } from './match-lines.ts'
import { samePayments } from './same-payments.ts'
import * as queries from './queries.ts'
import type { Statement } from './statement.ts'

/** `by` is the id of the member of staff who imports the file, or null for the command line; `sha256` is the hash of the file. */
type From = {
  by: string | null
  sha256: Buffer
  origin?: Pick<Caller, 'ip' | 'user_agent' | 'request_id'>
}

/** Stores the statements of a file and matches their payments. Returns undefined, and writes nothing, if the file is stored already. */
export async function keepStatements(
  tx: Tx,
  statements: readonly Statement[],
  { by, sha256, origin }: From,
): Promise<BankImport | undefined> {
  if (await queries.isKnownFile(tx, sha256)) return undefined
  const counts = { exact: 0, ambiguous: 0, unknown: 0, known: 0 }
  const files: BankImport['files'] = []
  for (const { lines, ...statement } of statements) {
    // A file may hold several statements. The first is stored with the hash of the file, each other with its place appended.
    const digest = files.length === 0 ? sha256 : Buffer.concat([sha256, Buffer.from(String(files.length))])
    const row = await queries.insertFile(tx, statement, { sha256: digest, imported_by: by })
    const fresh = await queries.insertLines(tx, row, lines)
    counts.known += lines.length - fresh.length
    const same = await samePayments(tx, fresh, lines)
    for (const { match } of await matchLines(tx, fresh, same)) counts[match] += 1
    files.push({
      id: row.id,
      statement_id: row.statement_id,
      iban: row.account_iban,
      opened_on: statement.opened_on,
      closed_on: statement.closed_on,
      imported_at: row.imported_at.toISOString(),
    })
  }
  const detail = { by: by ?? 'command line', files: files.map(({ id }) => id), ...counts }
  await recordAction(tx, { user_id: null, act: 'bank.imported', ...origin, detail })
  return { files, counts }
}
