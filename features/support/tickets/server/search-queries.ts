import { sql } from 'kysely'
import { spellingsOf } from '#foundation/search-text.ts'
import { holdsWords } from '#foundation/server/database/search-queries.ts'

/**
 * True for a ticket with this number, these parts of words in the subject, or these words in the subject or a comment, by their stems in
 * the three languages or whatever their accents. A customer has few tickets: they are scanned one by one, without the index of all customers' words.
 */
export const holds = (q: string) => sql<boolean>`exists (
  select from (select ${stemsOf(q)} as words offset 0) as typed
  where number::text = ltrim(${q.trim()}, '#') or ${holdsWords(sql`subject`, q)} or tickets.search @@ words
    or exists (select from ticket_messages m
      where m.ticket_id = tickets.id and m.kind = 'comment' and m.search @@ words))`

function stemsOf(q: string) {
  const { written, folded } = spellingsOf(q)
  const stems = written.flatMap((spelling) =>
    ['english', 'german', 'russian'].map(
      (language) => sql`websearch_to_tsquery(${language}::regconfig, ${spelling})`,
    ),
  )
  return sql.join([...stems, sql`websearch_to_tsquery('simple', ${folded})`], sql` || `)
}
