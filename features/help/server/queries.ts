import { sql } from 'kysely'
import type { Audience } from '#features/help/rules.ts'
import { must } from '#foundation/must.ts'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']

export type Content = { title: Translated; text: Translated; keywords: Translated }

export type Place = { section_id: string; slug: string; rank: number; audience: Audience }

export type ListedRow = Place & {
  id: string
  title: Translated
  is_published: boolean
  revision: number
  has_changes: boolean
  changed_at: Date
  published_at: Date | null
  helpful: number
  unhelpful: number
  section_slug: string
  version: number
}
export type ArticleRow = ListedRow & Content

const listed = sql`a.id, a.section_id, a.slug, a.rank, a.audience, a.title, a.is_published, a.revision, a.changed_at, a.version,
  r.published_at, coalesce(v.helpful, 0) as helpful, coalesce(v.unhelpful, 0) as unhelpful, s.slug as section_slug,
  (a.title, a.text, a.keywords) is distinct from (r.title, r.text, r.keywords) as has_changes`
const all = sql`help_articles a join help_sections s on s.id = a.section_id
  left join help_revisions r on (r.article_id, r.revision) = (a.id, a.revision) left join help_votes v on v.article_id = a.id`

export async function articles(db: Db): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`select ${listed} from ${all} order by a.rank, a.slug`.execute(db)
  return rows
}

export async function articleById(db: Db, id: string): Promise<ArticleRow | undefined> {
  const { rows } = await sql<ArticleRow>`
    select ${listed}, a.text, a.keywords from ${all} where a.id = ${id}`.execute(db)
  return rows[0]
}

/** Returns the articles whose words link to an article. It reads the words of all articles. */
export async function linksTo(
  db: Db,
  { id, slug }: Pick<ArticleRow, 'id' | 'slug'>,
): Promise<{ id: string; title: Translated }[]> {
  const { rows } = await sql<{ id: string; title: Translated }>`
    select id, title from help_articles
    where id <> ${id} and text::text ~ ('/help/([a-z0-9-]+/){1,2}' || ${slug}::text || '[/)#?]') order by slug`.execute(
    db,
  )
  return rows
}

/** Locks an article against changes until the transaction ends, and returns it. */
export async function lockArticle(tx: Tx, id: string): Promise<ArticleRow | undefined> {
  await sql`select from help_articles where id = ${id} for no key update`.execute(tx)
  return articleById(tx, id)
}

export async function insertArticle(tx: Tx, given: Place & Content, by: string | null): Promise<string> {
  const { section_id, slug, rank, audience, title, text, keywords } = given
  const { rows } = await sql<{ id: string }>`
    insert into help_articles (section_id, slug, rank, audience, title, text, keywords, changed_by)
    values (${section_id}, ${slug}, ${rank}, ${audience}, ${JSON.stringify(title)}, ${JSON.stringify(text)}, ${JSON.stringify(keywords)}, ${by})
    returning id`.execute(tx)
  return must(rows[0]).id
}

export async function updateArticle(
  tx: Tx,
  id: string,
  given: Place & Content,
  by: string | null,
): Promise<void> {
  const { section_id, slug, rank, audience, title, text, keywords } = given
  await sql`
    update help_articles set section_id = ${section_id}, slug = ${slug}, rank = ${rank}, audience = ${audience},
      title = ${JSON.stringify(title)}, text = ${JSON.stringify(text)}, keywords = ${JSON.stringify(keywords)},
      changed_at = now(), changed_by = ${by} where id = ${id}`.execute(tx)
}

/** Publishes an article: its words become the next revision if readers do not know them yet. */
export async function publish(tx: Tx, id: string, isNew: boolean): Promise<void> {
  await sql`update help_articles set is_published = true, revision = revision + ${isNew ? 1 : 0} where id = ${id}`.execute(
    tx,
  )
  if (isNew)
    await sql`
      insert into help_revisions (article_id, revision, title, text, keywords)
      select id, revision, title, text, keywords from help_articles where id = ${id}`.execute(tx)
}

export async function withdraw(tx: Tx, id: string): Promise<void> {
  await sql`update help_articles set is_published = false where id = ${id}`.execute(tx)
}

/** Deletes an article with its versions, its votes and the stems by which it is found. */
export async function deleteArticle(tx: Tx, id: string): Promise<void> {
  await sql`select delete_help_article(${id})`.execute(tx)
}

export async function revisions(
  db: Db,
  id: string,
): Promise<(Content & { revision: number; published_at: Date })[]> {
  const { rows } = await sql<Content & { revision: number; published_at: Date }>`
    select revision, published_at, title, text, keywords from help_revisions where article_id = ${id}
    order by revision desc limit 50`.execute(db)
  return rows
}
