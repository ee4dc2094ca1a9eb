import type { Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { csvFile, csvLine, textCell } from '#foundation/csv.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { sendCsv } from '#foundation/server/http/send-csv.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/announcements/contract.ts'
import { newsReaders } from './queries.ts'

/** Answers `GET /api/staff/announcements/news-readers.csv`. */
export const downloadNewsReaders = handler(
  contract.downloadNewsReaders,
  async ({ app, actor, caller, query: { language }, reply }) => {
    const { file } = await newsReadersFile(app, language, { by: actor.user_id, origin: originOf(caller) })
    return sendCsv(reply, 'news-readers.csv', file)
  },
)

type By = { by: string; origin?: ReturnType<typeof originOf> }

/** Returns those who asked for news as CSV. Nobody gets their addresses without a line in the audit. */
export async function newsReadersFile(
  app: App,
  language: Locale | undefined,
  { by, origin }: By,
): Promise<{ file: string; customers: number }> {
  return transaction(app, 'system', async (tx) => {
    const rows = await newsReaders(tx, language)
    const names = await displayNames(
      app,
      tx,
      rows.map(({ user_id }) => user_id),
    )
    const detail = { by, customers: rows.length, ...(language && { language }) }
    await recordAction(tx, { user_id: null, act: 'news.exported', ...origin, detail })
    const lines = rows.map(({ user_id, email, locale }) =>
      csvLine([user_id, textCell(names.of(user_id).name), textCell(email), locale]),
    )
    return { file: csvFile(['id', 'name', 'email', 'language'], lines), customers: rows.length }
  })
}
