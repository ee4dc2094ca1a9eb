import type { Tx } from '#foundation/server/database/transaction.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import type { BankImport } from '#features/banking/contract.ts'
import { newAmong } from './known-lines.ts'
import { keepOddParts } from './keep-odd-parts.ts'
import { matchLines } from './match-lines.ts'
import { keepOriginal, type Original } from './original-queries.ts'
import { samePayments } from './same-payments.ts'
import * as queries from './queries.ts'
import type { Delivery, Statement } from './statement.ts'
import * as stored from './stored-queries.ts'

/**
 * `by` is the id of the member of staff who imports the file, or null for the command line; `sha256` is the hash of the file, and `original`
 * its bytes, which are kept so that they can be read again.
 */
type From = {
  by: string | null
  sha256: Buffer
  origin?: Pick<Caller, 'ip' | 'user_agent' | 'request_id'>
  original?: Omit<Original, 'sha256' | 'kept_by'>
}

/**
 * Stores what a file brought and matches its payments. Returns the statements that are new or have new payments; a file that was imported
 * before is read all the same, and adds what is missing: payments that a worse reader took for known ones.
 */
export async function keepStatements(
  tx: Tx,
  { statements, odd, pending }: Delivery,
  { by, sha256, origin, original }: From,
): Promise<BankImport> {
  await queries.lockFiles(tx)
  const counts = { exact: 0, ambiguous: 0, unknown: 0, known: 0 }
  const files: BankImport['files'] = []
  for (const [place, statement] of statements.entries()) {
    // A file may hold several statements. The first is stored with the hash of the file, each other with its place appended.
    const digest = place === 0 ? sha256 : Buffer.concat([sha256, Buffer.from(String(place))])
    const known = await queries.fileWith(tx, digest)
    const row = known ?? (await queries.insertFile(tx, statement, { sha256: digest, imported_by: by }))
    const added = await keepLines(tx, row, statement)
    for (const match of added) counts[match] += 1
    counts.known += statement.lines.length - added.length
    if (!known || added.length > 0) files.push(fileReply(row, statement))
  }
  const oddCount = await keepOddParts(tx, odd, { sha256, name: original?.name ?? '' })
  if (original) await keepOriginal(tx, { ...original, sha256, kept_by: by })
  const isNew = files.length > 0 || oddCount > 0
  const detail = { by: by ?? 'command line', files: files.map(({ id }) => id), ...counts, odd: oddCount }
  if (isNew) await recordAction(tx, { user_id: null, act: 'bank.imported', ...origin, detail })
  return { files, counts, odd: oddCount, pending }
}

/** Stores the payments of a statement that are not stored yet, and returns how each of them is matched. */
async function keepLines(
  tx: Tx,
  row: queries.KeptFile,
  statement: Statement,
): Promise<queries.Reading['match'][]> {
  const like = await stored.storedLike(tx, row, statement)
  const { fresh, known } = newAmong(statement.lines, like)
  const ofOtherPages = like.filter(({ is_of_other_page }) => is_of_other_page).map(({ id }) => id)
  const lines = await queries.insertLines(tx, row, fresh)
  const same = await samePayments(tx, lines, [...known, ...ofOtherPages])
  const doubts = new Map(fresh.flatMap(({ place, doubt }) => (doubt ? [[place, doubt] as const] : [])))
  const readings = await matchLines(tx, lines, { same, doubt: ({ place }) => doubts.get(place) ?? null })
  return readings.map(({ match }) => match)
}

const fileReply = (row: queries.KeptFile, statement: Statement): BankImport['files'][number] => ({
  id: row.id,
  statement_id: row.statement_id,
  iban: row.account_iban,
  opened_on: statement.opened_on,
  closed_on: statement.closed_on,
  imported_at: row.imported_at.toISOString(),
})
