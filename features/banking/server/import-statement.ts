import * as contract from '#features/banking/contract.ts'
import { readFile, rm } from 'node:fs/promises'
import type { App } from '#foundation/server/app.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import { receiveFile, type ReceivedFile } from '#foundation/server/http/receive-file.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { toMoney } from '#foundation/money.ts'
import type { BankImport } from '#features/banking/contract.ts'
import { csvForm, type CsvForm } from '#features/banking/csv-profile.ts'
import { MOST_FILE_BYTES } from '#features/banking/rules.ts'
import { afterOthers } from './after-others.ts'
import { inspected } from './csv-inspection.ts'
import { keepStatements } from './keep-statements.ts'
import { packed } from './original-file.ts'
import { profileOf } from './queries.ts'
import { readFileStatements } from './read-file.ts'

/** Answers `POST /api/staff/bank-files/`. */
export const importStatement = handler(
  contract.importStatement,
  async ({ app, actor, caller, query, request }) => {
    const form = query.profile === undefined ? undefined : await profileOf(app.db, query.profile)
    if (query.profile !== undefined && !form) throw badRequest('unknown_profile', 'profile')
    return withFile(app, request, async (file) => {
      const bytes = await readFile(file.path)
      const delivery = await readFileStatements(app, bytes, form)
      const original = { name: file.name, content: await packed(bytes), form }
      const from = { by: actor.user_id, sha256: file.sha256, origin: originOf(caller), original }
      const body = await afterOthers(() =>
        transaction(app, 'system', async (tx) => {
          const kept = await keepStatements(tx, delivery, from)
          if (isNews(kept)) await publishToStaff(tx, { type: contract.BANK_LINES_CHANGED })
          return kept
        }),
      )
      return { status: isNews(body) ? 201 : 200, body } as const
    })
  },
)

const isNews = ({ files, odd }: BankImport): boolean => files.length > 0 || odd > 0

const SHOWN = 5

/** Answers `POST /api/staff/bank-files/preview/`. */
export const previewCsv = handler(contract.previewCsv, ({ app, query, request }) =>
  withFile(app, request, async (file) => {
    const delivery = await readFileStatements(app, await readFile(file.path), formIn(query.form))
    const lines = delivery.statements.flatMap((statement) => statement.lines)
    const first = lines.slice(0, SHOWN).map(({ booked_on, amount, currency, name, iban, text }) => ({
      booked_on,
      amount: toMoney(amount, currency),
      name,
      iban,
      text,
    }))
    const { odd, pending } = delivery
    return { status: 200, body: { lines: lines.length, odd: odd.length, pending, first } } as const
  }),
)

/** Answers `POST /api/staff/bank-files/inspection/`. */
export const inspectCsv = handler(contract.inspectCsv, ({ app, request }) =>
  withFile(app, request, async (file) => {
    const body = inspected(await readFile(file.path))
    if (!body) throw badRequest('unreadable_file', 'file')
    return { status: 200, body } as const
  }),
)

function formIn(text: string): CsvForm {
  try {
    return csvForm.parse(JSON.parse(text))
  } catch {
    throw badRequest('invalid', 'form')
  }
}

/** Receives the file of a request, and removes the file after `read`, also if `read` throws. */
async function withFile<Result>(
  app: App,
  request: Call<typeof contract.importStatement>['request'],
  read: (file: ReceivedFile) => Promise<Result>,
): Promise<Result> {
  const file = await receiveFile(request, {
    folder: app.storage.incoming,
    most_bytes: MOST_FILE_BYTES,
    taking: () => {},
  })
  try {
    return await read(file)
  } finally {
    await rm(file.path, { force: true })
  }
}
