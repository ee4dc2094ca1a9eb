import { sql, type RawBuilder } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** A condition on `invoices i`: a document of this account, or of one that was merged into it. */
export const mayRead = (reader_id: string) => sql`(i.user_id = ${reader_id}
  or exists (select from invoice_readers r where r.user_id = i.user_id and r.reader_id = ${reader_id}))`

/**
 * The account that stands for another one (an expression): the one that it was merged into, or itself. Orders, payments and documents name for
 * good who they were made for, so this is how a query finds out whose they are now.
 */
export const keptAccount = (account: RawBuilder<unknown>): RawBuilder<string> =>
  sql`coalesce((select r.reader_id from invoice_readers r where r.user_id = ${account}), ${account})`

/** The accounts that were merged (`user_id`) and those that they were merged into (`reader_id`), for a report that joins them to many rows. */
export const mergedAccounts = sql.table('invoice_readers')

/** True for an account that was merged into another one. */
export async function isMerged(db: App['db'], user_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('invoice_readers')
    .select('user_id')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row !== undefined
}

/** Lets an account read the documents of another one beside its own. They stay with the buyer whom they name. */
export async function letRead(tx: Tx, reader: { user_id: string; reader_id: string }): Promise<void> {
  await tx.insertInto('invoice_readers').values(reader).execute()
}

export async function letReadNoMore(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('invoice_readers').where('user_id', '=', user_id).execute()
}
