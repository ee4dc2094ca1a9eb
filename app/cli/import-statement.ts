import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
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
    const delivery = await banking.readFileStatements(app, bytes, form).catch(explain)
    const sha256 = createHash('sha256').update(bytes).digest()
    const original = { name: basename(path), content: await banking.packed(bytes), form }
    const { files, counts, odd, pending } = await banking.afterOthers(() =>
      keep(app, dryRun === true, (tx) =>
        banking.keepStatements(tx, delivery, { by: null, sha256, original }),
      ),
    )
    if (files.length === 0 && odd === 0)
      return { lines: ['All of this file was imported before.'], data: { known: true } }
    if (bookExact === true && dryRun !== true) await banking.bookExact(app, { by: null })
    const { exact, ambiguous, unknown, known } = counts
    const left = ambiguous + unknown + (bookExact === true && dryRun !== true ? 0 : exact)
    const line = `${exact} exact, ${ambiguous} to look at, ${unknown} unknown, ${known} known already.`
    return {
      lines: [
        dryRun === true ? `Nothing was kept. ${line}` : line,
        ...(odd > 0 ? [`${odd} parts of it are not certain: they are on the page of bank transfers.`] : []),
        ...(pending > 0 ? [`${pending} are not booked by the bank yet.`] : []),
      ],
      data: { counts, odd, pending },
      failed: left + odd > 0,
    }
  })

type Kept = Awaited<ReturnType<typeof banking.keepStatements>>

/** Stores the payments. A trial rolls the transaction back and returns only the counts. */
async function keep(
  app: App,
  isTrial: boolean,
  work: (tx: Parameters<typeof banking.keepStatements>[0]) => Promise<Kept>,
): Promise<Kept> {
  try {
    return await transaction(app, 'system', async (tx) => {
      const kept = await work(tx)
      if (isTrial) throw new Trial(kept)
      return kept
    })
  } catch (error) {
    if (error instanceof Trial) return error.kept
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
  encrypted_file: 'It is encrypted.',
  day_unclear: 'The days of its payments are not certain: look at the form of its bank.',
  amount_unclear: 'The amounts of its payments are not certain: look at the form of its bank.',
  direction_unclear:
    'It does not say for sure which payments came in and which went out: look at the form of its bank.',
  state_unclear: 'It does not say for sure which payments are booked: look at the form of its bank.',
  columns_unclear: 'Its columns are others than those of the form of its bank.',
}

function explain(error: unknown): never {
  if (!(error instanceof HttpError)) throw error
  throw new WrongUse(REASONS[error.errors[0]?.code ?? ''] ?? 'It is no bank statement that can be read.')
}
