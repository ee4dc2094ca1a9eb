import type { App } from '#foundation/server/app.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { ownIban } from '#features/finance/server/finance.ts'
import type { CsvForm } from '#features/banking/csv-profile.ts'
import type { OddReason } from '#features/banking/rules.ts'
import type { Own } from './camt-statement.ts'
import { readStatements } from './camt.ts'
import { readCsv } from './csv.ts'
import { encodingNamedIn, textOf } from './decode.ts'
import { emptyDelivery, StatementError, unreadable, type Delivery } from './statement.ts'
import { unzipped } from './unzip.ts'

/**
 * Returns what a file brought: CAMT.052, .053 or .054, CSV in this form, or a ZIP of such files. Parts that are of another account or
 * currency, or not certain, are set aside (rule 51). Throws 400 with the reason where nothing is left.
 */
export async function readFileStatements(app: App, bytes: Buffer, form?: CsvForm): Promise<Delivery> {
  const own = { iban: ownIban(app) ?? '', currency: app.config.currency }
  try {
    const delivery = isZip(bytes) ? await readZip(bytes, form, own) : await readOne(bytes, form, own)
    const { statements, odd, pending } = delivery
    const hasCsvOnly = statements.every(({ kind }) => kind === 'csv')
    const isNothing = statements.every(({ lines }) => lines.length === 0) && hasCsvOnly && pending === 0
    if (isNothing && odd.length > 0) throw new StatementError(mostFrequent(odd.map(({ reason }) => reason)))
    return delivery
  } catch (error) {
    throw error instanceof StatementError ? badRequest(error.code, 'file') : error
  }
}

function mostFrequent(reasons: readonly OddReason[]): OddReason {
  const counts = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, all]) => ({
    reason,
    count: all.length,
  }))
  return counts.toSorted((one, other) => other.count - one.count)[0]?.reason ?? 'unreadable_file'
}

const readOne = async (bytes: Buffer, form: CsvForm | undefined, own: Own): Promise<Delivery> =>
  form && !isXml(bytes)
    ? readCsv(bytes, form, own)
    : readStatements(textOf(bytes, encodingNamedIn(bytes)), own)

async function readZip(bytes: Buffer, form: CsvForm | undefined, own: Own): Promise<Delivery> {
  const all = emptyDelivery()
  for (const [place, { name, isEncrypted, content }] of unzipped(bytes).entries()) {
    const setAside = (reason: OddReason) =>
      all.odd.push({ kind: 'file', reason, source: name, place: place + 1, shown: name })
    if (!content) {
      setAside(isEncrypted ? 'encrypted_file' : 'unreadable_file')
      continue
    }
    try {
      const { statements, odd, pending } = await readOne(content, form, own)
      all.statements.push(...statements)
      all.odd.push(...odd.map((part) => ({ ...part, source: name })))
      all.pending += pending
    } catch (error) {
      if (!(error instanceof StatementError) || error.code === 'too_many_lines') throw error
      setAside(
        error.code === 'unreadable_file' && /\.(?:csv|tsv)$/i.test(name) && !form
          ? 'csv_needs_form'
          : error.code,
      )
    }
  }
  if (all.statements.length === 0 && all.odd.length === 0) throw unreadable()
  return all
}

const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(Buffer.from('PK\u{3}\u{4}', 'latin1'))

/** True if the first letter is '<', whatever encoding the file has. */
const isXml = (bytes: Buffer): boolean =>
  /^[^\x20-\x7e]*\s*[^\x20-\x7e]*</.test(bytes.subarray(0, 100).toString('latin1'))
