import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { App } from '#foundation/server/app.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { receiveFile, type ReceivedFile } from '#foundation/server/http/receive-file.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { ownIban } from '#features/finance/server/finance.ts'
import * as contract from '#features/banking/contract.ts'
import { MOST_FILE_BYTES } from '#features/banking/rules.ts'
import { readStatements } from './camt.ts'
import { keepStatements } from './keep-statements.ts'
import { StatementError, type Statement } from './statement.ts'

/** Answers `POST /api/staff/bank-files/`. */
export const importStatement = handler(contract.importStatement, async ({ app, actor, caller, request }) => {
  const file = await receiveFile(request, {
    folder: app.storage.incoming,
    most_bytes: MOST_FILE_BYTES,
    taking: () => {},
  })
  try {
    const statements = await readOwn(app, file)
    const from = { by: actor.user_id, sha256: file.sha256, origin: originOf(caller) }
    const body = await transaction(app, 'system', async (tx) => {
      const kept = await keepStatements(tx, statements, from)
      if (kept) await publishToStaff(tx, { type: contract.BANK_LINES_CHANGED })
      return kept
    })
    if (body) return { status: 201, body } as const
    const known = statements.reduce((sum, { lines }) => sum + lines.length, 0)
    return {
      status: 200,
      body: { files: [], counts: { exact: 0, ambiguous: 0, unknown: 0, known } },
    } as const
  } finally {
    await rm(file.path, { force: true })
  }
})

/** The statements of a file, which are all of our own account and currency. */
async function readOwn(app: App, file: ReceivedFile): Promise<Statement[]> {
  const statements = await readStatements(textOf(file)).catch((error: unknown) => {
    throw error instanceof StatementError ? badRequest(error.code, 'file') : error
  })
  const iban = ownIban(app)
  for (const statement of statements) {
    if (statement.iban !== iban) throw badRequest('wrong_account', 'file')
    const currencies = [statement.currency, ...statement.lines.map(({ currency }) => currency)]
    if (currencies.some((currency) => currency !== app.config.currency))
      throw badRequest('wrong_currency', 'file')
  }
  return statements
}

const PIECE_BYTES = 65_536

/** In the encoding that the file names, UTF-8 where it names none; another one of Unicode is refused, since no bank writes it. */
async function* textOf({ path, head }: ReceivedFile): AsyncGenerator<string> {
  const [, encoding = 'utf-8'] = /^<\?xml[^>]*\bencoding=["']([\w-]+)["']/.exec(head.toString('latin1')) ?? []
  if (!/^(?:utf-?8|us-ascii|iso-8859-1|windows-1252)$/i.test(encoding) || head.includes(0))
    throw new StatementError('unreadable_file')
  const decoder = new TextDecoder(encoding, { fatal: true })
  const decode = (piece?: Buffer) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch {
      throw new StatementError('unreadable_file')
    }
  }
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES }))
    yield decode(piece as Buffer)
  yield decode()
}
