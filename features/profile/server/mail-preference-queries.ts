import { sql, type Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { MailKind } from '#features/profile/rules.ts'

type Db = Kysely<Database>

type MailPreferences = Record<MailKind, boolean>

/** Undefined if never set: all mails but news are wanted then. */
export async function preferencesOf(db: Db, user_id: string): Promise<MailPreferences | undefined> {
  return db
    .selectFrom('mail_preferences')
    .select(['ticket_replies', 'ticket_closing', 'new_tickets', 'news'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
}

/** Changes the named kinds; two changes at once do not undo each other. */
export async function setPreferences(
  tx: Tx,
  user_id: string,
  { ticket_replies, ticket_closing, new_tickets, news }: { [Kind in MailKind]?: boolean | undefined },
): Promise<void> {
  const chosen = Object.fromEntries(
    Object.entries({ ticket_replies, ticket_closing, new_tickets, news }).filter(
      ([, wanted]) => wanted !== undefined,
    ),
  )
  if (Object.keys(chosen).length === 0) return
  await tx
    .insertInto('mail_preferences')
    .values({ user_id, ...chosen })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(chosen))
    .execute()
}

/** A statement for the ids of the users who asked for news; a part of another statement. */
export const accountsWithNews = sql<{ user_id: string }>`select user_id from mail_preferences where news`

/** The users among these who switched this kind off. */
export async function whoDeclined(
  db: Db,
  user_ids: readonly string[],
  kind: Exclude<MailKind, 'news'>,
): Promise<string[]> {
  if (user_ids.length === 0) return []
  const rows = await db
    .selectFrom('mail_preferences')
    .select('user_id')
    .where('user_id', 'in', [...user_ids])
    .where(kind, '=', false)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

export async function erasePreferences(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('mail_preferences').where('user_id', '=', user_id).execute()
}
