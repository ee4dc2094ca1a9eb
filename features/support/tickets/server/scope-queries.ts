import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Thing } from '#foundation/server/acting.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import { rolesFor, topics, type Topic } from '#features/support/tickets/rules.ts'
import type { TicketScope } from './ticket-scope.ts'

/** Returns the owner and the server of the ticket with this public id, and the roles of helpers who may use its topic. */
export async function ticketAsThing(db: Kysely<Database>, public_id: string): Promise<Thing | undefined> {
  const row = await db
    .selectFrom('tickets')
    .select(['user_id', 'host_public_id', 'topic'])
    .where('public_id', '=', public_id)
    .$narrowType<{ topic: Topic }>()
    .executeTakeFirst()
  return row && { owner_id: row.user_id, host_id: row.host_public_id, roles: rolesFor(row.topic) }
}

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
