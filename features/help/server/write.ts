import * as contract from '#features/help/staff-contract.ts'
import { MOST_ARTICLES, type Audience } from '#features/help/rules.ts'
import { must } from '#foundation/must.ts'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { changedTo } from '#foundation/versions.ts'
import { articleAddress } from './addresses.ts'
import * as queries from './queries.ts'
import type { ArticleRow, Content, ListedRow, Place } from './queries.ts'
import { lockSection, sections } from './section-queries.ts'
import { toSection } from './sections.ts'
import { inEach, type GivenWords } from './words.ts'

/** Answers `GET /api/staff/help/`. */
export const listHelp = handler(contract.listHelp, async ({ app }) => {
  const [known, articles] = [await sections(app.db), await queries.articles(app.db)]
  return {
    status: 200,
    body: { sections: known.map(toSection), articles: articles.map((row) => toListed(app, row)) },
  }
})

/** Answers `GET /api/staff/help/articles/{articleId}/`. */
export const getHelpArticle = handler(contract.getHelpArticle, async ({ app, params }) => {
  const row = await queries.articleById(app.db, params.articleId)
  if (!row) throw notFound()
  return { status: 200, body: await toArticle(app, app.db, row) }
})

/** Answers `POST /api/staff/help/articles/`. */
export const createHelpArticle = handler(contract.createHelpArticle, (call) => {
  const { app, actor, body } = call
  const work = async (tx: Tx) =>
    ({ status: 201, body: await toArticle(app, tx, await write(tx, body, actor.user_id)) }) as const
  return withIdempotencyKey(contract.createHelpArticle, call, work, 'system')
})

type Changes = {
  section_id?: string | undefined
  slug?: string | undefined
  rank?: number | undefined
  audience?: Audience | undefined
  title?: GivenWords | undefined
  text?: GivenWords | undefined
  keywords?: GivenWords | undefined
}

/** Writes an article that nobody reads yet; `by` is null for the demo data. Throws 404 without its section, 409 `help_address_taken` and `help_full`. */
export async function write(
  tx: Tx,
  given: Changes & Pick<Place, 'section_id' | 'slug'>,
  by: string | null,
): Promise<ArticleRow> {
  await lockByName(tx, 'help')
  const known = await queries.articles(tx)
  if (known.length >= MOST_ARTICLES) throw new HttpError(409, [{ code: 'help_full' }])
  const { section_id, slug } = given
  const content = changed({ ...EMPTY, section_id, slug }, given)
  await judge(tx, content, known, undefined)
  return must(await queries.articleById(tx, await queries.insertArticle(tx, content, by)))
}

const nothing: Translated = { en: '', de: '', ru: '' }
const EMPTY = { rank: 100, audience: 'everybody' as const, title: nothing, text: nothing, keywords: nothing }

function changed(before: Place & Content, given: Changes): Place & Content {
  const { section_id, slug, rank, audience, title, text, keywords } = given
  return {
    section_id: section_id ?? before.section_id,
    slug: slug ?? before.slug,
    rank: rank ?? before.rank,
    audience: audience ?? before.audience,
    title: inEach(before.title, title),
    text: inEach(before.text, text),
    keywords: inEach(before.keywords, keywords),
  }
}

/** Throws 404 unless the section is there, and 409 where another article has the address. */
async function judge(
  tx: Tx,
  { section_id, slug }: Place,
  known: readonly ListedRow[],
  id: string | undefined,
): Promise<void> {
  if (!(await lockSection(tx, section_id))) throw notFound()
  if (known.some((other) => other.slug === slug && other.id !== id))
    throw new HttpError(409, [{ code: 'help_address_taken', param: 'slug' }])
}

/** Answers `PATCH /api/staff/help/articles/{articleId}/`. */
export const updateHelpArticle = handler(contract.updateHelpArticle, ({ app, actor, params, body }) =>
  transaction(app, 'system', async (tx) => {
    await lockByName(tx, 'help')
    const row = await queries.lockArticle(tx, params.articleId)
    if (!row) throw notFound()
    if (row.version !== body.version) return changedTo(await toArticle(app, tx, row))
    const content = changed(row, body)
    await judge(tx, content, await queries.articles(tx), row.id)
    await queries.updateArticle(tx, row.id, content, actor.user_id)
    return {
      status: 200,
      body: await toArticle(app, tx, must(await queries.articleById(tx, row.id))),
    } as const
  }),
)

export const toArticle = async (app: App, db: App['db'], row: ArticleRow): Promise<contract.HelpArticle> => ({
  ...toListed(app, row),
  text: row.text,
  keywords: row.keywords,
  linked_from: await queries.linksTo(db, row),
})

const toListed = (app: App, row: ListedRow): contract.ListedArticle => {
  const { id, section_id, slug, rank, audience, title, is_published, revision, has_changes, version } = row
  const isOpen = is_published && audience === 'everybody'
  return {
    id,
    section_id,
    slug,
    rank,
    audience,
    title,
    is_published,
    revision,
    has_changes,
    version,
    changed_at: row.changed_at.toISOString(),
    published_at: row.published_at?.toISOString() ?? null,
    helpful: row.helpful,
    unhelpful: row.unhelpful,
    url: isOpen ? `${app.config.publicOrigin}${articleAddress(row.section_slug, slug)}` : null,
  }
}
