import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { OverrideRow } from './vat-evidence-queries.ts'

type Db = App['db']

export type PlaceRecords = { override: OverrideRow | null; network: string | null }

/** The latest decision of staff about a customer, and the network of the last sale, or of the purchase that made the account, for a customer
 * who is signed in nowhere. */
export const placeRecordsOf = batched(async (db: Db, ids: readonly string[]) => {
  const { rows } = await sql<PlaceRecords & { user_id: string }>`
    select w.user_id, to_jsonb(o) as override, coalesce(l.network, f.country) as network
    from unnest(${ids}::uuid[]) as w (user_id)
    left join lateral (
      select id, treatment, vat_id, place, valid_until from vat_overrides
      where user_id = w.user_id order by at desc limit 1) o on true
    left join lateral (
      select s.evidence -> 'place' ->> 'network' as network
      from invoices i join invoice_snapshots s on s.invoice_id = i.id
      where i.user_id = w.user_id and i.kind = 'invoice' order by i.id desc limit 1) l on true
    left join first_networks f on f.user_id = w.user_id`.execute(db)
  return new Map(
    rows.map(({ user_id, override, network }) => [user_id, { override: withDate(override), network }]),
  )
})

const withDate = (override: OverrideRow | null): OverrideRow | null =>
  override && { ...override, valid_until: override.valid_until && new Date(override.valid_until) }

export type QuestionRow = {
  id: string
  user_id: string
  place: string
  opened_at: Date
  answer: string
  answered_at: Date | null
}

/** Opens the question about a customer's place, unless one is open, which then is about this place. True if it was opened. */
export async function openQuestion(tx: Tx, { user_id, place }: { user_id: string; place: string }) {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into place_questions (user_id, place) values (${user_id}, ${place})
    on conflict (user_id) where closed_at is null do update set place = excluded.place
    where place_questions.place <> excluded.place
    returning xmax = 0 as is_new`.execute(tx)
  return rows[0]?.is_new === true
}

export async function answerQuestion(tx: Tx, user_id: string, answer: string): Promise<void> {
  await sql`
    update place_questions set answer = ${answer}, answered_at = now()
    where user_id = ${user_id} and closed_at is null`.execute(tx)
}

export async function closeQuestion(tx: Tx, user_id: string): Promise<void> {
  await sql`update place_questions set closed_at = now() where user_id = ${user_id} and closed_at is null`.execute(
    tx,
  )
}

const columns = ['id', 'user_id', 'place', 'opened_at', 'answer', 'answered_at'] as const

export const questionOf = (db: Db, user_id: string): Promise<QuestionRow | undefined> =>
  db
    .selectFrom('place_questions')
    .select(columns)
    .where('user_id', '=', user_id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()

/** All questions to a customer with their answers, for the customer's own data. */
export const questionsTo = (db: Db, user_id: string) =>
  db
    .selectFrom('place_questions')
    .select([...columns, 'closed_at'])
    .where('user_id', '=', user_id)
    .orderBy('opened_at')
    .execute()

/** The open questions, oldest first. */
export async function openQuestions(
  db: Db,
  { after, limit }: { after: readonly string[] | undefined; limit: number },
): Promise<QuestionRow[]> {
  const [at = '-infinity', id = '00000000-0000-0000-0000-000000000000'] = after ?? []
  const { rows } = await sql<QuestionRow>`
    select id, user_id, place, opened_at, answer, answered_at from place_questions
    where closed_at is null and (opened_at, id) > (${at}::timestamptz, ${id}::uuid)
    order by opened_at, id limit ${limit}`.execute(db)
  return rows
}

/** Deletes answers once the documents of their time are past their retention period. */
export async function deleteOldQuestions(tx: Tx): Promise<void> {
  await sql`delete from place_questions where opened_at < now() - interval '9 years'`.execute(tx)
}
