import { sql, type Kysely } from 'kysely'
import { must } from '#foundation/must.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Face } from '#features/support/ratings/rules.ts'
import { noSpam } from '#features/support/tickets/server/tickets.ts'

type Db = Kysely<Database>

export type RatingRow = { id: bigint; face: Face; word: string; rated_at: Date }

/** Returns all ratings of a ticket, the one that counts first. */
export async function ratingsOf(db: Db, ticket_id: bigint): Promise<RatingRow[]> {
  const { rows } = await sql<RatingRow>`
    select id, face, word, rated_at from ticket_ratings where ticket_id = ${ticket_id} order by id desc`.execute(
    db,
  )
  return rows
}

export async function insertRating(
  tx: Tx,
  { ticket_id, user_id, face, word }: { ticket_id: bigint; user_id: string; face: Face; word: string },
): Promise<void> {
  await sql`insert into ticket_ratings (ticket_id, user_id, face, word)
    values (${ticket_id}, ${user_id}, ${face}, ${word})`.execute(tx)
}

/** A rating counts if the ticket has no later one. */
const counts = sql`not exists (select from ticket_ratings l where l.ticket_id = r.ticket_id and l.id > r.id)`

export type ListedRating = RatingRow & {
  public_id: string
  number: number
  subject: string
  customer_id: string
}

type Wanted = {
  customer: string | undefined
  face: Face | undefined
  staff_id: string
  before: string | undefined
  limit: number
}

export async function listRatings(db: Db, wanted: Wanted): Promise<ListedRating[]> {
  const { customer, face, staff_id, before, limit } = wanted
  const conditions = [counts, noSpam(sql`t`), sql`t.user_id <> ${staff_id}::uuid`]
  if (customer !== undefined) conditions.push(sql`t.user_id = ${customer}::uuid`)
  if (face !== undefined) conditions.push(sql`r.face = ${face}`)
  if (before !== undefined) conditions.push(sql`r.id < ${before}::bigint`)
  const { rows } = await sql<ListedRating>`
    select r.id, r.face, r.word, r.rated_at, t.public_id, t.number, t.subject, t.user_id as customer_id
    from ticket_ratings r join tickets t on t.id = r.ticket_id
    where ${sql.join(conditions, sql` and `)} order by r.id desc limit ${limit}`.execute(db)
  return rows
}

/** Counts the poor ratings of the last days that count, up to 100. */
export async function countPoor(db: Db, staff_id: string, days: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from ticket_ratings r join tickets t on t.id = r.ticket_id
      where r.rated_at > now() - make_interval(days => ${days}) and r.face = 'poor' and ${counts}
        and t.user_id <> ${staff_id}::uuid and ${noSpam(sql`t`)} limit 100) as few`.execute(db)
  return must(rows[0]).count
}

/** Returns all ratings that a person has given, for the copy of their data. */
export async function ratingsBy(db: Db, user_id: string): Promise<object[]> {
  const { rows } = await sql<object>`
    select t.number, r.face, r.word, r.rated_at from ticket_ratings r join tickets t on t.id = r.ticket_id
    where r.user_id = ${user_id}::uuid order by r.id`.execute(db)
  return rows
}
