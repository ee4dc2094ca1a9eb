import * as contract from '#features/help/staff-contract.ts'
import { languageOf, wordsOf, writtenIn } from '#features/help/rules.ts'
import { locales } from '#foundation/locale.ts'
import { must } from '#foundation/must.ts'
import { originOf, recordAction, type Origin } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import * as queries from './queries.ts'
import type { ArticleRow } from './queries.ts'
import { forgetStems, keepStems } from './search-queries.ts'
import { toArticle } from './write.ts'

/** Answers `POST /api/staff/help/articles/{articleId}/publication/`. */
export const publishHelpArticle = handler(
  contract.publishHelpArticle,
  ({ app, actor, caller, params, body }) =>
    transaction(app, 'system', async (tx) => {
      const row = await lockedArticle(tx, params.articleId)
      if (row.version !== body.version) throw new HttpError(409, [{ code: 'changed' }])
      if (row.is_published && !row.has_changes) throw new HttpError(409, [{ code: 'help_published' }])
      await publish(tx, row)
      await record(tx, 'help.published', row, originOf(caller), actor.user_id)
      return {
        status: 200,
        body: await toArticle(app, tx, must(await queries.articleById(tx, row.id))),
      } as const
    }),
)

/** Publishes an article as it is. Throws 409 `help_article_empty` where it can be read in no language. */
export async function publish(tx: Tx, row: ArticleRow): Promise<void> {
  if (writtenIn(row).length === 0) throw new HttpError(409, [{ code: 'help_article_empty' }])
  await queries.publish(tx, row.id, row.has_changes)
  await keepStems(
    tx,
    row.id,
    locales.map((locale) => {
      const written = languageOf(row.text, locale)
      return {
        locale,
        written,
        title: row.title[languageOf(row.title, locale)],
        keywords: row.keywords[locale],
        text: wordsOf(row.text[written]),
      }
    }),
  )
}

/** Answers `DELETE /api/staff/help/articles/{articleId}/publication/`. */
export const withdrawHelpArticle = handler(contract.withdrawHelpArticle, ({ app, actor, caller, params }) =>
  transaction(app, 'system', async (tx) => {
    const row = await lockedArticle(tx, params.articleId)
    if (row.is_published) {
      await queries.withdraw(tx, row.id)
      await forgetStems(tx, row.id)
      await record(tx, 'help.withdrawn', row, originOf(caller), actor.user_id)
    }
    return {
      status: 200,
      body: await toArticle(app, tx, must(await queries.articleById(tx, row.id))),
    } as const
  }),
)

/** Answers `DELETE /api/staff/help/articles/{articleId}/`. */
export const deleteHelpArticle = handler(contract.deleteHelpArticle, ({ app, actor, caller, params }) =>
  transaction(app, 'system', async (tx) => {
    const row = await lockedArticle(tx, params.articleId)
    await queries.deleteArticle(tx, row.id)
    await record(tx, 'help.deleted', row, originOf(caller), actor.user_id)
    return { status: 204 } as const
  }),
)

async function lockedArticle(tx: Tx, id: string): Promise<ArticleRow> {
  const row = await queries.lockArticle(tx, id)
  if (!row) throw notFound()
  return row
}

const record = (
  tx: Tx,
  act: 'help.published' | 'help.withdrawn' | 'help.deleted',
  { id, slug, title }: ArticleRow,
  origin: Origin,
  by: string,
) =>
  recordAction(tx, {
    user_id: null,
    act,
    ...origin,
    detail: { by, article_id: id, title: title[languageOf(title, 'en')] || slug },
  })

/** Answers `GET /api/staff/help/articles/{articleId}/revisions/`. */
export const listHelpRevisions = handler(contract.listHelpRevisions, async ({ app, params }) => {
  if (!(await queries.articleById(app.db, params.articleId))) throw notFound()
  const rows = await queries.revisions(app.db, params.articleId)
  const items = rows.map((row) => ({ ...row, published_at: row.published_at.toISOString() }))
  return { status: 200, body: { items } }
})
