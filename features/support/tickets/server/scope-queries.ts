import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Thing } from '#foundation/server/acting.ts'
import { batched } from '#foundation/server/database/batched.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import { rolesFor, type Topic, topics } from '#features/support/tickets/rules.ts'
import { spellingsOf } from '#foundation/search-text.ts'
import { holdsWords } from '#foundation/server/database/search-queries.ts'
import type { TicketScope } from './ticket-scope.ts'

/** Returns the owner and the server of the ticket with this public id, and the roles of helpers who may use its topic. */
export const ticketAsThing = batched(async (db: Kysely<Database>, public_ids: readonly string[]) => {
  const { rows } = await sql<{ public_id: string; owner_id: string; host_id: string | null; topic: Topic }>`
    select public_id, user_id as owner_id, host_public_id as host_id, topic from tickets
    where public_id = any(${arrayOf(public_ids, 'text')})`.execute(db)
  return new Map(
    rows.map(({ public_id, topic, ...row }): [string, Thing] => [
      public_id,
      { ...row, roles: rolesFor(topic) },
    ]),
  )
})

/** A condition on `tickets`: true for a ticket in one of these scopes. A ticket about no server is in no scope that has a `grant_id`. */
export function inScopes(scopes: readonly TicketScope[]): RawBuilder<boolean> {
  const [first] = scopes
  if (first && scopes.length === 1 && first.topics === topics && first.grant_id === null)
    return sql<boolean>`tickets.user_id = ${first.owner_id}::uuid`
  const owners = scopes.map(({ owner_id }) => owner_id)
  const of = scopes.map((scope) => scope.topics.join(','))
  const grants = scopes.map(({ grant_id }) => grant_id)
  return sql<boolean>`exists (
    select from unnest(${owners}::uuid[], ${of}::text[], ${grants}::uuid[]) as s (owner, topics, opened)
    where s.owner = tickets.user_id and tickets.topic = any (string_to_array(s.topics, ','))
      and (s.opened is null or tickets.host_public_id in (select o.public_id from hosts_of_grant(s.opened) o)))`
}

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
