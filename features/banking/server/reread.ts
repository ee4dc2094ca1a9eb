import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { must } from '#foundation/must.ts'
import type { BankImport } from '#features/banking/contract.ts'
import { afterOthers } from './after-others.ts'
import { announce } from './book-exact.ts'
import { keepStatements } from './keep-statements.ts'
import { unpacked } from './original-file.ts'
import { originalIds, originalWith } from './original-queries.ts'
import { readFileStatements } from './read-file.ts'

type Reread = {
  name: string
  kept_at: Date
  /** The payments and odd parts that were missing; undefined if the file can no longer be read. */
  added: Pick<BankImport, 'counts' | 'odd'> | undefined
}

/**
 * Reads every kept file again, oldest first, each in a transaction of its own, and stores what was missing: so a better reader mends what a
 * worse one read. A second run adds nothing.
 */
export async function rereadFiles(app: App): Promise<Reread[]> {
  const files: Reread[] = []
  for (const id of await originalIds(app.db)) files.push(await rereadOne(app, id))
  await announce(app)
  return files
}

async function rereadOne(app: App, id: string): Promise<Reread> {
  const { name, kept_at, content, form, sha256 } = must(await originalWith(app.db, id))
  try {
    const delivery = await readFileStatements(app, await unpacked(content), form ?? undefined)
    const added = await afterOthers(() =>
      transaction(app, 'system', (tx) =>
        keepStatements(tx, delivery, {
          by: null,
          sha256,
          original: { name, content, form: form ?? undefined },
        }),
      ),
    )
    return { name, kept_at, added }
  } catch (error) {
    if (error instanceof HttpError) return { name, kept_at, added: undefined }
    throw error
  }
}
