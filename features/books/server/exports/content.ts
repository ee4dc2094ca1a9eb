import { quarterOf } from '#features/books/rules.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { zipped, type ZippedFile } from '#foundation/server/zip.ts'
import { documentFiles } from './archive.ts'
import { auditFile } from './audit-list.ts'
import { invoicesFile, transactionsFile } from './lists.ts'
import { vatReturnFiles } from './vat-returns.ts'
import type { Outcome, Wanted } from './wanted.ts'

/** A file that is being made; `outcome` is final once the last piece of `content` has been read. */
export type Made = { name: string; content: AsyncGenerator<Uint8Array>; outcome: Outcome }

export function contentOf(app: App, wanted: Wanted): Made {
  const outcome: Outcome = { rows: 0, agrees: null }
  return { name: nameOf(wanted), content: piecesOf(app, wanted, outcome), outcome }
}

function piecesOf(app: App, wanted: Wanted, outcome: Outcome): AsyncGenerator<Uint8Array> {
  switch (wanted.kind) {
    case 'datev': {
      return zipped(datevFilesOf(app, wanted, outcome))
    }
    case 'vat': {
      return zipped(vatReturnFiles(app, wanted, outcome))
    }
    case 'documents': {
      return zipped(documentFiles(app, wanted, outcome))
    }
    case 'invoices': {
      return invoicesFile(app, wanted, outcome)
    }
    case 'transactions': {
      return transactionsFile(app, wanted, outcome)
    }
    case 'audit': {
      return auditFile(app, wanted, outcome)
    }
    default: {
      return wanted.kind satisfies never
    }
  }
}

/** Loads what writes files for DATEV with the first of them: the table of all letters takes half a megabyte. */
async function* datevFilesOf(app: App, wanted: Wanted, outcome: Outcome): AsyncGenerator<ZippedFile> {
  const { datevFiles } = await import('#features/books/server/datev/export.ts')
  yield* datevFiles(app, must(app.config.datev), wanted, outcome)
}

function nameOf({ kind, first_day, last_day }: Wanted): string {
  if (kind === 'vat') return `vat-${quarterOf(first_day, last_day) ?? ''}.zip`
  const [from, to] = kind === 'datev' ? [first_day.slice(0, 7), last_day.slice(0, 7)] : [first_day, last_day]
  const ending = kind === 'datev' || kind === 'documents' ? 'zip' : 'csv'
  return `${kind}-${from === to ? from : `${from}-to-${to}`}.${ending}`
}
