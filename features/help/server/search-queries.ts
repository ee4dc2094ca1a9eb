import { sql } from 'kysely'
import type { Audience } from '#features/help/rules.ts'
import type { Locale, Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']

/** The words of an article in one language of readers, and the language in which they are written. */
export type Words = { locale: Locale; written: Locale; title: string; keywords: string; text: string }

/** Replaces the stems of an article, by which it is found. */
export async function keepStems(tx: Tx, article_id: string, words: readonly Words[]): Promise<void> {
  await forgetStems(tx, article_id)
  for (const { locale, written, title, keywords, text } of words)
    await sql`
      insert into help_stems (article_id, locale, stem, weight)
      select ${article_id}, ${locale}, lexeme,
        case when 'A' = any(weights) then 3 when 'B' = any(weights) then 2.5 else 1 end
      from unnest(setweight(help_stems_of(${written}, ${title}), 'A') || setweight(help_stems_of(${written}, ${keywords}), 'B')
        || help_stems_of(${written}, ${text}))`.execute(tx)
}

export async function forgetStems(tx: Tx, article_id: string): Promise<void> {
  await sql`delete from help_stems where article_id = ${article_id}`.execute(tx)
}

export type Hit = {
  id: string
  slug: string
  section: string
  section_title: Translated
  audience: Audience
  title: Translated
  text: Translated
}

type Search = { typed: string; locale: Locale; limit: number; staff: boolean; least: number }

// Nobody types more that says anything, and each is a condition of the statement.
const MOST_STEMS = 60

/**
 * Returns the published articles that fit best to a text, in a language of readers. A stem counts the more, the fewer articles have it, and in
 * a title or among the keywords more than in the text; the rarest counts 1. One that only begins like another counts less. Articles below
 * `least` are left out: they share only words that most articles have.
 */
export async function bestArticles(db: Db, { typed, locale, limit, staff, least }: Search): Promise<Hit[]> {
  const { rows } = await sql<Hit>`
    with asked as (select lexeme as stem from unnest(help_stems_of(${locale}, ${typed})) limit ${MOST_STEMS}),
    readable as (
      select a.id from help_articles a where a.is_published and (${staff} or a.audience = 'everybody')),
    hits as (
      select k.article_id, q.stem, max(k.weight * case when k.stem = q.stem then 1.0 else 0.4 end) as weight
      from asked q
      join help_stems k on k.locale = ${locale} and left(k.stem, 5) = left(q.stem, 5)
        and (starts_with(k.stem, q.stem) or starts_with(q.stem, k.stem))
      where k.article_id in (select id from readable) group by k.article_id, q.stem),
    rare as (
      select stem, ln(1 + (select count(*) from readable)::float / count(*)) / ln(1 + (select count(*) from readable)::float) as worth
      from hits group by stem),
    best as (
      select h.article_id, sum(h.weight * r.worth) as score from hits h join rare r using (stem)
      group by h.article_id having sum(h.weight * r.worth) >= ${least} order by score desc limit ${limit})
    select a.id, a.slug, s.slug as section, s.title as section_title, a.audience, r.title, r.text
    from best b join help_articles a on a.id = b.article_id join help_sections s on s.id = a.section_id
    join help_revisions r on (r.article_id, r.revision) = (a.id, a.revision) order by b.score desc, a.slug`.execute(
    db,
  )
  return rows
}

/** The letters that stand around the words that were found in an excerpt; no text of ours has them. */
export const [BEFORE, AFTER] = ['\u0002', '\u0003'] as const

/** Returns for each of these texts an excerpt of some 25 words around the words that were typed. */
export async function excerpts(
  db: Db,
  { typed, locale, texts }: { typed: string; locale: Locale; texts: readonly string[] },
): Promise<string[]> {
  const options = `StartSel=${BEFORE}, StopSel=${AFTER}, MaxWords=28, MinWords=14, MaxFragments=1`
  const { rows } = await sql<{ excerpt: string }>`
    with asked as (
      select string_agg(quote_literal(lexeme), ' | ')::tsquery as words from unnest(help_stems_of(${locale}, ${typed})))
    select ts_headline(case ${locale} when 'de' then 'german' when 'ru' then 'russian' else 'english' end::regconfig,
      given.value, coalesce(asked.words, ''::tsquery), ${options}) as excerpt
    from unnest(${[...texts]}::text[]) with ordinality as given (value, place), asked order by given.place`.execute(
    db,
  )
  return rows.map(({ excerpt }) => excerpt)
}
