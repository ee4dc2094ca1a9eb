import type { FileHandle } from 'node:fs/promises'
import { unsuitableEnd, type ExportKind } from '#features/books/rules.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import { contentOf } from './content.ts'
import { writeTo } from './make.ts'
import type { Outcome } from './wanted.ts'

type Written = Outcome & { sha256: Buffer; bytes: number }

/** Writes a file of the books to a new file of the operator, and closes it. Throws WrongUse for unsuitable days, and Refused if DATEV is not set. */
export async function exportByCommand(
  app: App,
  { kind, from, to }: { kind: ExportKind; from: string; to: string },
  file: FileHandle,
): Promise<Written> {
  if (app.config.company.isIncomplete)
    throw new Refused('The company is incomplete: fill it in on the page Company.')
  if (kind === 'datev' && !app.config.datev) throw new Refused('DATEV is not set.')
  const wrong = unsuitableEnd(kind, from, to)
  if (wrong) throw new WrongUse(`--${wrong} does not suit: ${SUITABLE[kind] ?? 'at most 24 months'}.`)
  const wanted = { kind, first_day: from, last_day: to, locale: 'en', created_at: new Date() } as const
  const made = contentOf(app, wanted)
  const { sha256, bytes } = await writeTo(file, made.content)
  await transaction(app, 'system', (tx) =>
    recordAction(tx, {
      user_id: null,
      act: 'books.exported',
      detail: { by: 'command line', kind, from, to },
    }),
  )
  return { ...made.outcome, sha256, bytes }
}

const SUITABLE: Partial<Record<ExportKind, string>> = {
  datev: 'whole months, at most 24',
  vat: 'the first and the last day of a quarter',
}
