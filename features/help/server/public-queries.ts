import { sql } from 'kysely'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']

/** A published article with its section, without its text. */
export type PublicRow = {
  id: string
  slug: string
  title: Translated
  published_at: Date
  section: string
  section_title: Translated
}

/** Returns all articles that everybody may read, in the order of the help centre. */
export async function publicArticles(db: Db): Promise<PublicRow[]> {
  const { rows } = await sql<PublicRow>`
    select a.id, a.slug, r.title, r.published_at, s.slug as section, s.title as section_title
    from help_articles a join help_sections s on s.id = a.section_id
    join help_revisions r on (r.article_id, r.revision) = (a.id, a.revision)
    where a.is_published and a.audience = 'everybody' order by s.rank, s.slug, a.rank, a.slug`.execute(db)
  return rows
}

/** True while there is an article that everybody may read. */
export async function hasPublicArticle(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from help_articles where is_published and audience = 'everybody') as is`.execute(db)
  return rows[0]?.is ?? false
}

export async function publicText(db: Db, id: string): Promise<Translated | undefined> {
  const { rows } = await sql<{ text: Translated }>`
    select r.text from help_articles a join help_revisions r on (r.article_id, r.revision) = (a.id, a.revision)
    where a.id = ${id} and a.is_published and a.audience = 'everybody'`.execute(db)
  return rows[0]?.text
}

export async function countVote(tx: Tx, id: string, isHelpful: boolean): Promise<void> {
  const [yes, no] = isHelpful ? [1, 0] : [0, 1]
  await sql`
    insert into help_votes (article_id, helpful, unhelpful) values (${id}, ${yes}, ${no})
    on conflict (article_id) do update set helpful = help_votes.helpful + ${yes}, unhelpful = help_votes.unhelpful + ${no}`.execute(
    tx,
  )
}
