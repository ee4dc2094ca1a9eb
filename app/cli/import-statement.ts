import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as banking from '#features/banking/server/banking.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { withApp } from './with-app.ts'

/** `transfer import FILE`. Throws WrongUse if the file is no statement of the operator's account, NotFound for an unknown profile. */
export const importStatementBy = (
  surroundings: CommandEnvironment,
  path: string,
  { profile, bookExact = false, dryRun = false }: Options,
) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const bytes = await readFile(path)
    const form = await banking.profileNamed(app.db, typeof profile === 'string' ? profile : undefined)
    if (profile !== undefined && !form) throw new NotFound(`No CSV form is saved for '${String(profile)}'.`)
    const head = bytes.subarray(0, 65_536)
    const statements = await banking.readFileStatements(app, { path, head }, form).catch(explain)
    const sha256 = createHash('sha256').update(bytes).digest()
    const counts = await banking.afterOthers(() =>
      keep(app, dryRun === true, (tx) => banking.keepStatements(tx, statements, { by: null, sha256 })),
    )
    if (counts === undefined) return { lines: ['This file was imported before.'], data: { known: true } }
    if (bookExact === true && dryRun !== true) await banking.bookExact(app, { by: null })
    const { exact, ambiguous, unknown, known } = counts
    const left = ambiguous + unknown + (bookExact === true && dryRun !== true ? 0 : exact)
    const line = `${exact} exact, ${ambiguous} to look at, ${unknown} unknown, ${known} known already.`
    return {
      lines: [dryRun === true ? `Nothing was kept. ${line}` : line],
      data: { counts },
      failed: left > 0,
    }
  })

type Kept = Awaited<ReturnType<typeof banking.keepStatements>>

/** Stores the payments. A trial rolls the transaction back and returns only the counts. */
async function keep(
  app: App,
  isTrial: boolean,
  work: (tx: Parameters<typeof banking.keepStatements>[0]) => Promise<Kept>,
): Promise<NonNullable<Kept>['counts'] | undefined> {
  try {
    return await transaction(app, 'system', async (tx) => {
      const kept = await work(tx)
      if (isTrial) throw new Trial(kept)
      return kept?.counts
    })
  } catch (error) {
    if (error instanceof Trial) return error.kept?.counts
    throw error
  }
}

class Trial extends Error {
  readonly kept: Kept

  constructor(kept: Kept) {
    super('only tried')
    this.kept = kept
  }
}

const REASONS: Readonly<Record<string, string>> = {
  balance_mismatch: 'Its balances and payments do not add up.',
  too_many_lines: 'It has more than 50,000 payments.',
  wrong_account: 'It is of another account than BANK_ACCOUNT.',
  wrong_currency: 'It is in another currency than CURRENCY.',
}

function explain(error: unknown): never {
  if (!(error instanceof HttpError)) throw error
  throw new WrongUse(REASONS[error.errors[0]?.code ?? ''] ?? 'It is no bank statement that can be read.')
}
