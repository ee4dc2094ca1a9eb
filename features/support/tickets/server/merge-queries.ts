import { sql, type Kysely } from 'kysely'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { UNDO_DAYS } from '#features/support/tickets/rules.ts'
import type { TicketRow } from './queries.ts'

type Db = Kysely<Database>
type Merges = Pick<Ticket, 'merged_into' | 'merged'>

/** Returns the merges of tickets, of those alone that have any: the others cost no statement. Tickets that went to different accounts are none. */
export async function mergesOf(db: Db, tickets: readonly TicketRow[]): Promise<Map<bigint, Merges>> {
  const ids = tickets.flatMap(({ id, merged_into_id, merged_count }) =>
    merged_into_id !== null || merged_count > 0 ? id : [],
  )
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Merge>`
    select m.ticket_id, m.into_id, m.merged_at + make_interval(days => ${UNDO_DAYS}) as undo_until,
      a.public_id as from_public_id, a.number as from_number, b.public_id as into_public_id, b.number as into_number
    from ticket_merges m join tickets a on a.id = m.ticket_id join tickets b on b.id = m.into_id and b.user_id = a.user_id
    where m.ticket_id = any (${arrayOf(ids.map(String), 'bigint')}) or m.into_id = any (${arrayOf(ids.map(String), 'bigint')})
    order by m.merged_at, m.ticket_id`.execute(db)
  return new Map(ids.map((id) => [id, mergesIn(rows, id)]))
}

type Merge = {
  ticket_id: bigint
  into_id: bigint
  undo_until: Date
  from_public_id: string
  from_number: number
  into_public_id: string
  into_number: number
}

function mergesIn(rows: readonly Merge[], id: bigint): Merges {
  const into = rows.find(({ ticket_id }) => ticket_id === id)
  const from = rows.filter(({ into_id }) => into_id === id)
  return {
    ...(into && {
      merged_into: {
        id: into.into_public_id,
        number: into.into_number,
        undo_until: into.undo_until.toISOString(),
      },
    }),
    ...(from.length > 0 && {
      merged: from.map(({ from_public_id, from_number }) => ({ id: from_public_id, number: from_number })),
    }),
  }
}
