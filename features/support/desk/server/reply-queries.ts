import { sql, type Kysely, type Selectable } from 'kysely'
import type { CannedReplies, Database } from '#foundation/server/database/tables.ts'
import type { MacroActs } from '#features/support/tickets/shapes.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = Kysely<Database>

export type ReplyRow = Omit<Selectable<CannedReplies>, 'acts'> & { acts: MacroActs }
export type ReplyFields = { title: string; text: string; language: string; acts?: MacroActs | undefined }

export async function repliesOf(db: Db, limit: number): Promise<ReplyRow[]> {
  return db
    .selectFrom('canned_replies')
    .selectAll()
    .orderBy('language')
    .orderBy('title')
    .orderBy('id')
    .limit(limit)
    .$narrowType<{ acts: MacroActs }>()
    .execute()
}

/** Inserts a canned reply and returns its row; undefined if there are `most` replies already. */
export async function insertReply(
  tx: Tx,
  reply: ReplyFields & { author_id: string },
  most: number,
): Promise<ReplyRow | undefined> {
  const { title, text, language, acts = {}, author_id } = reply
  const { rows } = await sql<ReplyRow>`
    insert into canned_replies (title, text, language, acts, author_id)
    select ${title}, ${text}, ${language}, ${JSON.stringify(acts)}::jsonb, ${author_id}::uuid
    where (select count(*) from canned_replies) < ${most} returning *`.execute(tx)
  return rows[0]
}

export async function lockReply(tx: Tx, id: string): Promise<ReplyRow | undefined> {
  return tx
    .selectFrom('canned_replies')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .$narrowType<{ acts: MacroActs }>()
    .executeTakeFirst()
}

/** Writes the fields of a canned reply that are defined, and returns its row. */
export async function updateReply(
  tx: Tx,
  id: string,
  change: { [Field in keyof ReplyFields]?: ReplyFields[Field] | undefined } & { author_id: string },
): Promise<ReplyRow> {
  const { title, text, language, acts, author_id } = change
  const given = Object.fromEntries(
    Object.entries({ title, text, language, acts: acts && JSON.stringify(acts) }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  return tx
    .updateTable('canned_replies')
    .set({ ...given, author_id, changed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .$narrowType<{ acts: MacroActs }>()
    .executeTakeFirstOrThrow()
}

/** Deletes a canned reply; true if there was one with this id. */
export async function deleteReply(tx: Tx, id: string): Promise<boolean> {
  const result = await tx.deleteFrom('canned_replies').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows === 1n
}
