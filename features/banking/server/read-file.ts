import { createReadStream } from 'node:fs'
import type { App } from '#foundation/server/app.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { ownIban } from '#features/finance/server/finance.ts'
import type { CsvForm } from '#features/banking/csv-profile.ts'
import { readStatements } from './camt.ts'
import { readCsv } from './csv.ts'
import { StatementError, unreadable, type Statement } from './statement.ts'
import { unzipped } from './unzip.ts'

type GivenFile = { path: string; head: Buffer }

/**
 * Returns the statements of a file: CAMT.053, a ZIP of such files, or CSV in this form. Throws 400 with the code of the refusal, such
 * as `wrong_account` and `wrong_currency` for any other account and currency than the operator's.
 */
export async function readFileStatements(app: App, file: GivenFile, form?: CsvForm): Promise<Statement[]> {
  const iban = ownIban(app)
  const { currency } = app.config
  const statements = await statementsIn(file, form, { iban: iban ?? '', currency }).catch(
    (error: unknown) => {
      throw error instanceof StatementError ? badRequest(error.code, 'file') : error
    },
  )
  for (const statement of statements) {
    if (statement.iban !== iban) throw badRequest('wrong_account', 'file')
    const currencies = [statement.currency, ...statement.lines.map((line) => line.currency)]
    if (currencies.some((one) => one !== currency)) throw badRequest('wrong_currency', 'file')
  }
  return statements
}

async function statementsIn(
  { path, head }: GivenFile,
  form: CsvForm | undefined,
  own: { iban: string; currency: string },
): Promise<Statement[]> {
  if (form) return [await readCsv(textOf(piecesOf(path), form.encoding), form, own)]
  if (!isZip(head)) return readStatements(textOf(piecesOf(path), encodingIn(head)))
  const statements: Statement[] = []
  for (const entry of await unzipped(piecesOf(path))) {
    const pieces = textOf(entry, encodingIn(entry[0] ?? Buffer.alloc(0)))
    statements.push(...(await readStatements(pieces)))
  }
  return statements
}

const isZip = (head: Buffer): boolean => head.subarray(0, 4).equals(Buffer.from('PK\u{3}\u{4}', 'latin1'))

const PIECE_BYTES = 65_536

/** Opens the file when its first piece is asked for, and closes it however the reading ends, as a refused file is removed at once. */
async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  // Without an encoding a file is read as buffers.
  const pieces: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: PIECE_BYTES })
  yield* pieces
}

/** Returns the encoding that an XML file names, or else UTF-8. Throws for any encoding that no bank uses, such as UTF-16. */
function encodingIn(head: Buffer): string {
  const [, encoding = 'utf-8'] =
    /^<\?xml[^>]*\bencoding=["']([\w-]+)["']/.exec(head.subarray(0, 1000).toString('latin1')) ?? []
  if (!/^(?:utf-?8|us-ascii|iso-8859-1|windows-1252)$/i.test(encoding) || head.includes(0)) throw unreadable()
  return encoding
}

async function* textOf(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const decode = (piece?: Buffer) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch {
      throw unreadable()
    }
  }
  for await (const piece of pieces) yield decode(piece)
  yield decode()
}
