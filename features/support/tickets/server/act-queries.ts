import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { tagLimits } from '#features/support/tickets/tags.ts'
import type { TicketRow } from './queries.ts'

export async function setTags(tx: Tx, id: bigint, tags: readonly string[]): Promise<void> {
  await sql`update tickets set tags = ${tags}::text[] where id = ${id}`.execute(tx)
}

/** Returns the tags of these that no ticket ever had. */
export async function newTags(tx: Tx, tags: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${tags}::text[]) as name except select name from ticket_tags`.execute(tx)
  return rows.map(({ name }) => name)
}

/** Keeps new tags; false if there were too many with them. Tags that no ticket has any more make room. */
export async function keepTags(tx: Tx, tags: readonly string[]): Promise<boolean> {
  const count = async () => {
    const { rows } = await sql<{ kept: number }>`select count(*)::int as kept from ticket_tags`.execute(tx)
    return (rows[0]?.kept ?? 0) + tags.length
  }
  if ((await count()) > tagLimits.all) {
    await sql`delete from ticket_tags where not exists (
      select from tickets where tags <> '{}' and tags @> array[ticket_tags.name])`.execute(tx)
    if ((await count()) > tagLimits.all) return false
  }
  await sql`insert into ticket_tags (name) select unnest(${tags}::text[]) on conflict do nothing`.execute(tx)
  return true
}

/** Lets a ticket sleep until a time, or with null until its customer answers. Returns false if that time has passed. */
export async function setSnooze(tx: Tx, id: bigint, until: Date | null): Promise<boolean> {
  const { rows } = await sql`
    update tickets set snoozed_at = now(), snoozed_until = ${until}::timestamptz
    where id = ${id} and (${until}::timestamptz is null or ${until}::timestamptz between now() and now() + interval '366 days')
    returning id`.execute(tx)
  return rows.length > 0
}

/** Wakes a ticket. One that waits for its customer waits anew from now: it was not to be closed while it slept. */
export async function wake(tx: Tx, id: bigint): Promise<void> {
  await sql`update tickets set snoozed_at = null, snoozed_until = null,
    pending_since = case when pending_since is not null and snoozed_until is not null then date_trunc('milliseconds', now()) else pending_since end
    where id = ${id}`.execute(tx)
}

/** Returns the ticket, locked, if the time until which it sleeps has come. */
export async function lockDueTicket(tx: Tx, id: bigint): Promise<TicketRow | undefined> {
  const row = await tx
    .selectFrom('tickets')
    .selectAll()
    .where('id', '=', id)
    .where('status', '<>', 'closed')
    .where('snoozed_until', '<=', sql<Date>`now()`)
    .forUpdate()
    .executeTakeFirst()
  return row
}
